//! Pictures that materials name: kept in their own encoding, decoded once to see that they can be.

use image::{ImageFormat as Encoding, ImageReader};
use std::io::Cursor;

use crate::kernel::geom::{Image, ImageFormat};

/// The picture in `bytes`, or why it is none.
pub fn check(name: &str, bytes: Vec<u8>) -> Result<Image, String> {
    let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().map_err(|e| e.to_string())?;
    let format = match reader.format() {
        Some(Encoding::Png) => ImageFormat::Png,
        Some(Encoding::Jpeg) => ImageFormat::Jpeg,
        _ => return Err("it is neither PNG nor JPEG".into()),
    };
    let picture = reader.decode().map_err(|e| e.to_string().replace('\n', " "))?;
    Ok(Image { name: name.into(), format, size: [picture.width(), picture.height()], bytes })
}
