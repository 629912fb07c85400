//! Materials and their base-colour pictures, which stay in their own encoding.

use std::sync::Arc;

use serde_json::Value;

use super::accessor::view_bytes;
use super::document::Document;
use super::fault::Warnings;
use super::schema::{self, TextureInfo};
use super::uri;
use crate::io::image::{self, MOST_PIXELS};
use crate::kernel::geom::{Image, ImageFormat, Material};

/// A picture file larger than this is not read.
const MOST_IMAGE_BYTES: u64 = 1 << 28;

/// All materials, in the document's order.
pub(super) fn read_all(document: &Document, warnings: &mut Warnings) -> Vec<Material> {
    // All images are looked at, so that a broken one is named even if nothing shows it.
    let mut pixels_left = MOST_PIXELS;
    let images: Vec<Option<Arc<Image>>> = document
        .root
        .images
        .iter()
        .enumerate()
        .map(|(i, image)| match read_image(document, image, &mut pixels_left) {
            Ok(read) => {
                let says = image.mime_type.as_deref();
                let is = if read.format == ImageFormat::Png { "image/png" } else { "image/jpeg" };
                if says.is_some_and(|says| says != is) {
                    warnings
                        .add(format!("Image {i} says that it is {} but is {is}.", says.unwrap_or_default()));
                }
                Some(Arc::new(Image { name: image.name.clone().unwrap_or_default(), ..read }))
            }
            Err(reason) => {
                warnings.add(format!("Image {i} is left out: {reason}."));
                None
            }
        })
        .collect();
    document.root.materials.iter().map(|material| read(document, material, &images)).collect()
}

fn read(document: &Document, material: &schema::Material, images: &[Option<Arc<Image>>]) -> Material {
    let pbr = material.pbr_metallic_roughness.as_ref();
    let texture = pbr
        .and_then(|pbr| pbr.base_color_texture.as_ref())
        .and_then(|info| document.root.textures[info.index].source)
        .and_then(|source| images[source].clone());
    Material {
        name: material.name.clone().unwrap_or_default(),
        base_color: pbr.and_then(|pbr| pbr.base_color_factor).unwrap_or([1.0; 4]),
        texture,
        double_sided: material.double_sided,
    }
}

fn read_image(document: &Document, image: &schema::Image, pixels_left: &mut u64) -> Result<Image, String> {
    let bytes = match (&image.uri, image.buffer_view) {
        (Some(uri), None) => uri::fetch(uri, &document.folder, MOST_IMAGE_BYTES)?,
        (None, Some(view)) => {
            if image.mime_type.is_none() {
                return Err("it does not say its format".to_owned());
            }
            view_bytes(document, view).map_err(|reason| format!("it {reason}"))?.to_vec()
        }
        _ => return Err("it has not exactly one place where its bytes are".to_owned()),
    };
    image::check_within("", bytes, pixels_left)
}

/// All textures that a material names.
pub(super) fn texture_infos(material: &schema::Material) -> impl Iterator<Item = &TextureInfo> {
    let pbr = material.pbr_metallic_roughness.as_ref();
    [
        pbr.and_then(|pbr| pbr.base_color_texture.as_ref()),
        pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref()),
        material.normal_texture.as_ref(),
        material.occlusion_texture.as_ref(),
        material.emissive_texture.as_ref(),
    ]
    .into_iter()
    .flatten()
}

fn transform_extension(info: &TextureInfo) -> Option<&Value> {
    info.extensions.as_ref()?.get("KHR_texture_transform")
}

/// Which set of texture coordinates the texture is sampled with.
pub(super) fn texture_set(info: &TextureInfo) -> usize {
    transform_extension(info)
        .and_then(|extension| extension.get("texCoord")?.as_u64())
        .map_or(info.tex_coord, |set| set as usize)
}

/// Moves texture coordinates as KHR_texture_transform asks: scaled, rotated, shifted.
pub(super) fn transform_uv(material: &schema::Material, [u, v]: [f64; 2]) -> [f64; 2] {
    let info = material.pbr_metallic_roughness.as_ref().and_then(|pbr| pbr.base_color_texture.as_ref());
    let Some(extension) = info.and_then(transform_extension) else { return [u, v] };
    let pair = |key: &str, otherwise: f64| {
        let number =
            |n: usize| extension.get(key).and_then(|pair| pair.get(n)?.as_f64()).unwrap_or(otherwise);
        [number(0), number(1)]
    };
    let ([dx, dy], [sx, sy]) = (pair("offset", 0.0), pair("scale", 1.0));
    let (sin, cos) = extension.get("rotation").and_then(Value::as_f64).unwrap_or(0.0).sin_cos();
    let (u, v) = (u * sx, v * sy);
    [cos * u + sin * v + dx, cos * v - sin * u + dy]
}
