//! Numbers out of buffers: any component type, normalised or not, interleaved, sparse, unaligned.
//!
//! The bytes are read directly, because a file from outside can lie about every offset and count, and
//! every range is checked against the bytes that are really there before anything is allocated.

use super::document::Document;
use super::fault::{Checked, broken};
use super::schema::{Accessor, Root};

/// Without a view the bytes do not bound the count, so this bounds the numbers.
const MOST_ZEROS: u64 = 1 << 24;
/// All accessors together: a gibibyte of f64, which is some seven million skinned vertices. Tests get by with less.
const MOST_NUMBERS: u64 = if cfg!(test) { 1 << 20 } else { 1 << 27 };

const CROWDED: &str = "is one of so many that they need more memory than is sensible";

/// How one component is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    /// From the code in the file.
    pub(super) fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// Bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in the first bytes of `b`, which has at least [`Self::size`].
    fn read(self, b: &[u8]) -> f64 {
        match self {
            Self::I8 => f64::from(b[0] as i8),
            Self::U8 => f64::from(b[0]),
            Self::I16 => f64::from(i16::from_le_bytes([b[0], b[1]])),
            Self::U16 => f64::from(u16::from_le_bytes([b[0], b[1]])),
            Self::U32 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            Self::F32 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        }
    }

    /// The largest integer, to which normalised numbers are relative.
    fn unit(self) -> Option<f64> {
        Some(match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => return None,
        })
    }
}

/// How one element is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// The type of each component.
    pub component: Component,
    columns: usize,
    rows: usize,
}

impl Layout {
    /// From an accessor, or what is wrong with it.
    pub(super) fn of(accessor: &Accessor) -> Result<Self, String> {
        let Some(component) = Component::from_code(accessor.component_type) else {
            return Err(format!("has the unknown component type {}", accessor.component_type));
        };
        let (columns, rows) = match accessor.kind.as_str() {
            "SCALAR" => (1, 1),
            "VEC2" => (1, 2),
            "VEC3" => (1, 3),
            "VEC4" => (1, 4),
            "MAT2" => (2, 2),
            "MAT3" => (3, 3),
            "MAT4" => (4, 4),
            other => return Err(format!("has the unknown type “{other}”")),
        };
        Ok(Self { component, columns, rows })
    }

    /// Components in an element.
    pub(super) fn width(self) -> usize {
        self.columns * self.rows
    }

    /// Bytes from one column to the next: columns of matrices begin at multiples of four.
    fn column_stride(self) -> usize {
        let bytes = self.rows * self.component.size();
        if self.columns > 1 { bytes.next_multiple_of(4) } else { bytes }
    }

    /// Bytes of an element.
    pub(super) fn size(self) -> usize {
        self.columns * self.column_stride()
    }
}

/// The elements of an accessor, flat: element `i` is `values[i * width..(i + 1) * width]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Numbers {
    /// Components in an element.
    pub width: usize,
    /// All components.
    pub values: Vec<f64>,
}

impl Numbers {
    /// Number of elements.
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Element `i`.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    /// All elements in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.width)
    }
}

/// Where `count` elements from `offset` in a view end, and the distance between them.
pub(super) fn span(
    root: &Root,
    view_index: usize,
    offset: u64,
    count: u64,
    size: usize,
) -> Result<(u64, u64), String> {
    let Some(view) = root.buffer_views.get(view_index) else {
        return Err(format!("names buffer view {view_index}, which is not there"));
    };
    let stride = view.byte_stride.unwrap_or(size as u64);
    if stride < size as u64 {
        return Err(format!("has elements of {size} bytes in a buffer view with a stride of {stride}"));
    }
    let end = count
        .checked_sub(1)
        .and_then(|steps| steps.checked_mul(stride))
        .and_then(|n| n.checked_add(size as u64))
        .and_then(|n| n.checked_add(offset));
    end.filter(|&end| end <= view.byte_length).map(|end| (end, stride)).ok_or_else(|| {
        let length = view.byte_length;
        format!("says that it has {count} elements, which do not fit into the {length} bytes of buffer view {view_index}")
    })
}

/// `count` elements from `offset` in a view, as bytes and the distance between elements.
fn strided<'a>(
    document: &'a Document,
    view_index: usize,
    offset: u64,
    count: u64,
    size: usize,
) -> Result<(&'a [u8], usize), String> {
    let bytes = view_bytes(document, view_index)?;
    let (end, stride) = span(&document.root, view_index, offset, count, size)?;
    Ok((&bytes[offset as usize..end as usize], stride as usize))
}

/// The bytes of a buffer view.
pub(super) fn view_bytes<'a>(document: &'a Document, index: usize) -> Result<&'a [u8], String> {
    let Some(view) = document.root.buffer_views.get(index) else {
        return Err(format!("names buffer view {index}, which is not there"));
    };
    let Some(Some(buffer)) = document.buffers.get(view.buffer) else {
        return Err(format!("reads buffer {}, which has no bytes", view.buffer));
    };
    view.byte_offset
        .checked_add(view.byte_length)
        .filter(|&end| end <= buffer.len() as u64)
        .map(|end| &buffer[view.byte_offset as usize..end as usize])
        .ok_or_else(|| format!("reads buffer view {index}, which reaches beyond its buffer"))
}

/// All numbers of accessor `index`, for a look at them that keeps none.
pub(super) fn peek(document: &Document, index: usize) -> Checked<Numbers> {
    let decoded = document.decoded.get();
    let numbers = read(document, index);
    document.decoded.set(decoded);
    numbers
}

/// All numbers of accessor `index`.
pub(super) fn read(document: &Document, index: usize) -> Checked<Numbers> {
    let Some(accessor) = document.root.accessors.get(index) else {
        return broken(format!("accessor {index} is not there"));
    };
    let numbers = accessor.count.saturating_mul(Layout::of(accessor).map_or(1, Layout::width) as u64);
    document.decoded.set(document.decoded.get().saturating_add(numbers));
    decode(document, accessor).or_else(|reason| broken(format!("accessor {index} {reason}")))
}

fn decode(document: &Document, accessor: &Accessor) -> Result<Numbers, String> {
    let layout = Layout::of(accessor)?;
    let width = layout.width();
    if accessor.count == 0 {
        return Err("says that it has no elements".to_owned());
    }
    let crowded = document.decoded.get() > MOST_NUMBERS;
    let mut values = match accessor.buffer_view {
        Some(view) => {
            let (bytes, stride) =
                strided(document, view, accessor.byte_offset, accessor.count, layout.size())?;
            // Asked after the range, so that a lie about a count is called by its name.
            if crowded {
                return Err(CROWDED.to_owned());
            }
            let mut values = Vec::with_capacity(accessor.count as usize * width);
            for i in 0..accessor.count as usize {
                push_element(&mut values, layout, &bytes[i * stride..]);
            }
            values
        }
        None if accessor.count > MOST_ZEROS / width as u64 => {
            return Err(format!("says that it has {} elements but has no bytes", accessor.count));
        }
        None if crowded => return Err(CROWDED.to_owned()),
        None => vec![0.0; accessor.count as usize * width],
    };
    if let Some(sparse) = &accessor.sparse {
        let index_type = Component::from_code(sparse.indices.component_type)
            .filter(|c| matches!(c, Component::U8 | Component::U16 | Component::U32))
            .ok_or("has sparse indices of an invalid type")?;
        if sparse.count == 0 || sparse.count > accessor.count {
            return Err(format!("has {} elements but replaces {} of them", accessor.count, sparse.count));
        }
        let (indices, index_stride) = strided(
            document,
            sparse.indices.buffer_view,
            sparse.indices.byte_offset,
            sparse.count,
            index_type.size(),
        )?;
        let (replaced, stride) = strided(
            document,
            sparse.values.buffer_view,
            sparse.values.byte_offset,
            sparse.count,
            layout.size(),
        )?;
        let mut element = Vec::with_capacity(width);
        let mut last = None;
        for k in 0..sparse.count as usize {
            let i = index_type.read(&indices[k * index_stride..]) as usize;
            if i as u64 >= accessor.count || last.is_some_and(|last| i <= last) {
                return Err("has sparse indices that are out of range or not rising".to_owned());
            }
            last = Some(i);
            element.clear();
            push_element(&mut element, layout, &replaced[k * stride..]);
            values[i * width..(i + 1) * width].copy_from_slice(&element);
        }
    }
    if accessor.normalized {
        let unit =
            layout.component.unit().ok_or("is normalised although its components are not small integers")?;
        for value in &mut values {
            *value = (*value / unit).max(-1.0);
        }
    }
    Ok(Numbers { width, values })
}

fn push_element(values: &mut Vec<f64>, layout: Layout, bytes: &[u8]) {
    let size = layout.component.size();
    for column in 0..layout.columns {
        let start = column * layout.column_stride();
        values.extend((0..layout.rows).map(|row| layout.component.read(&bytes[start + row * size..])));
    }
}
