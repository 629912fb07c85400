//! Materials and textures; pictures are copied as they are.

use std::collections::HashMap;
use std::sync::Arc;

use gltf_json as json;
use json::validation::Checked::Valid;

use super::pack::Packer;
use crate::kernel::geom::{Image, ImageFormat, Mesh};

/// Writes the materials, and says where each of them is.
pub(super) fn write(mesh: &Mesh, pack: &mut Packer) -> Vec<json::Index<json::Material>> {
    let mut textures = HashMap::new();
    let mut indices = Vec::with_capacity(mesh.materials.len());
    for material in &mesh.materials {
        // Without coordinates a texture cannot be sampled, and glTF does not allow it.
        let texture = material.texture.as_ref().filter(|_| !mesh.uvs.is_empty()).map(|image| {
            let index = *textures.entry(Arc::as_ptr(image)).or_insert_with(|| write_texture(image, pack));
            json::texture::Info { index, tex_coord: 0, extensions: None, extras: Default::default() }
        });
        let color = material.base_color.map(|x| if x.is_finite() { x.clamp(0.0, 1.0) } else { 1.0 });
        let alpha_mode =
            if color[3] < 1.0 { json::material::AlphaMode::Blend } else { json::material::AlphaMode::Opaque };
        indices.push(pack.root.push(json::Material {
            name: Some(material.name.clone()).filter(|name| !name.is_empty()),
            double_sided: material.double_sided,
            alpha_mode: Valid(alpha_mode),
            pbr_metallic_roughness: json::material::PbrMetallicRoughness {
                base_color_factor: json::material::PbrBaseColorFactor(color),
                base_color_texture: texture,
                metallic_factor: json::material::StrengthFactor(0.0),
                roughness_factor: json::material::StrengthFactor(0.9),
                ..Default::default()
            },
            ..Default::default()
        }));
    }
    indices
}

fn write_texture(image: &Image, pack: &mut Packer) -> json::Index<json::Texture> {
    let mime = match image.format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
    };
    let view = pack.view(&image.bytes, None);
    let source = pack.root.push(json::Image {
        buffer_view: Some(view),
        mime_type: Some(json::image::MimeType(mime.to_owned())),
        name: Some(image.name.clone()).filter(|name| !name.is_empty()),
        uri: None,
        extensions: None,
        extras: Default::default(),
    });
    pack.root.push(json::Texture {
        name: None,
        sampler: None,
        source,
        extensions: None,
        extras: Default::default(),
    })
}
