//! The pixels of pictures that materials name, decoded by three-d-asset.

use three_d_asset::Texture2D;
use three_d_asset::io::RawAssets;

use crate::kernel::geom::{Image, ImageFormat};

/// The pixels of a picture, or why they cannot be had.
pub fn decode(image: &Image) -> Result<Texture2D, String> {
    let path = match image.format {
        ImageFormat::Png => "picture.png",
        ImageFormat::Jpeg => "picture.jpg",
    };
    let mut assets = RawAssets::new();
    assets.insert(path, image.bytes.clone());
    assets.deserialize(path).map_err(|error| undecodable(&error))
}

/// Decoders say why in several lines.
pub fn undecodable(error: &dyn std::error::Error) -> String {
    format!("it cannot be decoded ({})", error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
}
