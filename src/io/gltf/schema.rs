//! The part of the glTF 2.0 JSON schema that is read.
//!
//! Own structs, because those of `gltf-json` refuse valid files (a texture without a source, a
//! channel without a node, a scene without nodes) and cannot tell an empty array, which the schema
//! forbids, from an absent one. What is absent here is not used; types are checked by serde.

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{Map, Value};

/// An array that the schema does not allow to be empty.
fn filled<'de, D: Deserializer<'de>, T: Deserialize<'de>>(json: D) -> Result<Vec<T>, D::Error> {
    let items = Vec::deserialize(json)?;
    if items.is_empty() {
        Err(D::Error::custom("an array that must not be empty is empty"))
    } else {
        Ok(items)
    }
}

/// As [`filled`], for arrays whose absence matters.
fn filled_option<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    json: D,
) -> Result<Option<Vec<T>>, D::Error> {
    filled(json).map(Some)
}

macro_rules! schema {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident : $kind:ty,)* })*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name { $($(#[$attr])* pub $field: $kind,)* })*
    };
}

schema! {
    /// The whole document.
    Root {
        #[serde(default, deserialize_with = "filled")]
        extensions_used: Vec<String>,
        #[serde(default, deserialize_with = "filled")]
        extensions_required: Vec<String>,
        #[serde(default, deserialize_with = "filled")]
        buffers: Vec<Buffer>,
        #[serde(default, deserialize_with = "filled")]
        buffer_views: Vec<View>,
        #[serde(default, deserialize_with = "filled")]
        accessors: Vec<Accessor>,
        #[serde(default, deserialize_with = "filled")]
        meshes: Vec<Mesh>,
        #[serde(default, deserialize_with = "filled")]
        nodes: Vec<Node>,
        #[serde(default, deserialize_with = "filled")]
        skins: Vec<Skin>,
        #[serde(default, deserialize_with = "filled")]
        animations: Vec<Animation>,
        #[serde(default, deserialize_with = "filled")]
        materials: Vec<Material>,
        #[serde(default, deserialize_with = "filled")]
        textures: Vec<Texture>,
        #[serde(default, deserialize_with = "filled")]
        images: Vec<Image>,
        #[serde(default, deserialize_with = "filled")]
        samplers: Vec<Map<String, Value>>,
        #[serde(default, deserialize_with = "filled")]
        cameras: Vec<Camera>,
        scene: Option<usize>,
        #[serde(default, deserialize_with = "filled")]
        scenes: Vec<Scene>,
    }
    /// Bytes in a file, in the URI itself or in the GLB.
    Buffer {
        byte_length: u64,
        uri: Option<String>,
    }
    /// A run of bytes of a buffer.
    View {
        buffer: usize,
        #[serde(default)]
        byte_offset: u64,
        byte_length: u64,
        byte_stride: Option<u64>,
    }
    /// Typed numbers in a view.
    Accessor {
        buffer_view: Option<usize>,
        #[serde(default)]
        byte_offset: u64,
        component_type: u32,
        #[serde(default)]
        normalized: bool,
        count: u64,
        #[serde(rename = "type")]
        kind: String,
        min: Option<Vec<f64>>,
        max: Option<Vec<f64>>,
        sparse: Option<Sparse>,
    }
    /// Elements that replace some of an accessor's.
    Sparse {
        count: u64,
        indices: SparseIndices,
        values: SparseValues,
    }
    /// Which elements are replaced.
    SparseIndices {
        buffer_view: usize,
        #[serde(default)]
        byte_offset: u64,
        component_type: u32,
    }
    /// What they are replaced by.
    SparseValues {
        buffer_view: usize,
        #[serde(default)]
        byte_offset: u64,
    }
    /// Primitives that are drawn together.
    Mesh {
        name: Option<String>,
        #[serde(deserialize_with = "filled")]
        primitives: Vec<Primitive>,
        #[serde(default, deserialize_with = "filled_option")]
        weights: Option<Vec<f64>>,
        extras: Option<Value>,
    }
    /// Vertices and how they are joined.
    Primitive {
        attributes: std::collections::BTreeMap<String, usize>,
        indices: Option<usize>,
        material: Option<usize>,
        mode: Option<u32>,
        #[serde(default, deserialize_with = "filled")]
        targets: Vec<std::collections::BTreeMap<String, usize>>,
    }
    /// A place in the tree.
    Node {
        extras: Option<Value>,
        name: Option<String>,
        #[serde(default, deserialize_with = "filled")]
        children: Vec<usize>,
        mesh: Option<usize>,
        skin: Option<usize>,
        camera: Option<usize>,
        matrix: Option<[f64; 16]>,
        translation: Option<[f64; 3]>,
        rotation: Option<[f64; 4]>,
        scale: Option<[f64; 3]>,
        #[serde(default, deserialize_with = "filled_option")]
        weights: Option<Vec<f64>>,
    }
    /// Joints and their bind pose.
    Skin {
        inverse_bind_matrices: Option<usize>,
        #[serde(deserialize_with = "filled")]
        joints: Vec<usize>,
        skeleton: Option<usize>,
    }
    /// A named motion.
    Animation {
        name: Option<String>,
        #[serde(deserialize_with = "filled")]
        channels: Vec<Channel>,
        #[serde(deserialize_with = "filled")]
        samplers: Vec<Sampler>,
    }
    /// Which property of which node a sampler moves.
    Channel {
        sampler: usize,
        target: Target,
    }
    /// A property of a node.
    Target {
        node: Option<usize>,
        path: String,
    }
    /// Keys.
    Sampler {
        input: usize,
        output: usize,
        interpolation: Option<String>,
    }
    /// The look of a primitive.
    Material {
        name: Option<String>,
        pbr_metallic_roughness: Option<Pbr>,
        normal_texture: Option<TextureInfo>,
        occlusion_texture: Option<TextureInfo>,
        emissive_texture: Option<TextureInfo>,
        #[serde(default)]
        double_sided: bool,
    }
    /// Base colour; roughness and metal are not used.
    Pbr {
        base_color_factor: Option<[f32; 4]>,
        base_color_texture: Option<TextureInfo>,
        metallic_roughness_texture: Option<TextureInfo>,
    }
    /// A texture and the coordinates that it is sampled with.
    TextureInfo {
        index: usize,
        #[serde(default)]
        tex_coord: usize,
        extensions: Option<Value>,
    }
    /// An image and how it is sampled.
    Texture {
        sampler: Option<usize>,
        source: Option<usize>,
    }
    /// An encoded picture.
    Image {
        name: Option<String>,
        uri: Option<String>,
        buffer_view: Option<usize>,
        mime_type: Option<String>,
    }
    /// Not used, but checked so that a broken one is not passed over in silence.
    Camera {
        #[serde(rename = "type")]
        kind: String,
        orthographic: Option<Map<String, Value>>,
        perspective: Option<Map<String, Value>>,
    }
    /// Root nodes that are shown together.
    Scene {
        #[serde(default, deserialize_with = "filled")]
        nodes: Vec<usize>,
    }
}
