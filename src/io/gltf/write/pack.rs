//! The binary chunk as it grows, with the accessors that read it, and the GLB around both.

use gltf_json as json;
use json::accessor::{ComponentType, GenericComponentType, Type};
use json::buffer::Target;
use json::validation::{Checked::Valid, USize64};

use super::WriteError;

/// The index of an accessor.
pub(super) type AccessorIndex = json::Index<json::Accessor>;

/// Document and bytes under construction.
#[derive(Debug, Default)]
pub(super) struct Packer {
    /// The document; its one buffer is added at the end.
    pub root: json::Root,
    bytes: Vec<u8>,
    /// Whether some number went beyond f32.
    overflowed: bool,
}

/// What an accessor's elements are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Vector or scalar.
    pub shape: Type,
    /// What of.
    pub component: ComponentType,
    /// Vertices or indices; `None` for all else.
    pub target: Option<Target>,
    /// Whether the bounds are stated.
    pub bounds: bool,
}

impl Packer {
    /// A view of `bytes`, which begin at a multiple of four.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<Target>) -> json::Index<json::buffer::View> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json::buffer::View {
            buffer: json::Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(self.bytes.len())),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: Default::default(),
        };
        self.bytes.extend_from_slice(bytes);
        self.root.push(view)
    }

    /// Remembers numbers that f32 cannot hold; they refuse the file in the end.
    pub(super) fn inspect(&mut self, numbers: &[f32]) {
        self.overflowed |= numbers.iter().any(|x| !x.is_finite());
    }

    /// An accessor of f32 numbers, `kind.shape` of them an element.
    pub(super) fn floats(&mut self, numbers: &[f32], kind: Kind) -> AccessorIndex {
        self.inspect(numbers);
        let bounds = kind.bounds.then(|| bounds(numbers, kind.shape.multiplicity()));
        let count = numbers.len() / kind.shape.multiplicity();
        self.accessor(bytemuck::cast_slice(numbers), count, kind, bounds)
    }

    /// An accessor of `count` elements that are already bytes.
    pub(super) fn integers(&mut self, bytes: &[u8], count: usize, kind: Kind) -> AccessorIndex {
        self.accessor(bytes, count, kind, None)
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        count: usize,
        kind: Kind,
        bounds: Option<[json::Value; 2]>,
    ) -> AccessorIndex {
        let view = self.view(bytes, kind.target);
        let [min, max] = bounds.map_or([None, None], |bounds| bounds.map(Some));
        self.root.push(json::Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(kind.component)),
            extensions: None,
            extras: Default::default(),
            type_: Valid(kind.shape),
            min,
            max,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    /// The GLB: header, JSON chunk, binary chunk.
    pub(super) fn into_glb(mut self) -> Result<Vec<u8>, WriteError> {
        if self.overflowed {
            return Err(WriteError::NotFinite);
        }
        self.root.asset.generator = Some(concat!("Sinew ", env!("CARGO_PKG_VERSION")).to_owned());
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        if !self.bytes.is_empty() {
            self.root.push(json::Buffer {
                byte_length: USize64::from(self.bytes.len()),
                name: None,
                uri: None,
                extensions: None,
                extras: Default::default(),
            });
        }
        let mut text = self.root.to_vec()?;
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + if self.bytes.is_empty() { 0 } else { 8 + self.bytes.len() };
        let word = |n: usize| {
            u32::try_from(n).map(u32::to_le_bytes).map_err(|_| WriteError::TooLarge { bytes: length })
        };
        let mut glb = Vec::with_capacity(length);
        glb.extend_from_slice(b"glTF");
        glb.extend(2_u32.to_le_bytes());
        glb.extend(word(length)?);
        glb.extend(word(text.len())?);
        glb.extend_from_slice(b"JSON");
        glb.extend(text);
        if !self.bytes.is_empty() {
            glb.extend(word(self.bytes.len())?);
            glb.extend_from_slice(b"BIN\0");
            glb.extend(self.bytes);
        }
        Ok(glb)
    }
}

/// Least and greatest of each component.
fn bounds(numbers: &[f32], width: usize) -> [json::Value; 2] {
    let fold = |better: fn(f32, f32) -> f32| {
        let of = |c: usize| numbers.iter().skip(c).step_by(width).copied().reduce(better).unwrap_or(0.0);
        json::Value::from((0..width).map(|c| f64::from(of(c))).collect::<Vec<f64>>())
    };
    [fold(f32::min), fold(f32::max)]
}
