//! Pictures that materials name: kept in their own encoding, decoded once on
//! loading to see that they can be, and again by whoever draws them.

use std::io::Cursor;

use image::ImageReader;

use crate::kernel::geom::looks::picture::{decode, undecodable};
use crate::kernel::geom::{Image, ImageFormat};

/// Pixels that the pictures of one file may have together: a small file can hold a picture of any
/// size, any number of times.
pub const MOST_PIXELS: u64 = 1 << 28;

/// The picture in `bytes`, or why it is none.
pub fn check(name: &str, bytes: Vec<u8>) -> Result<Image, String> {
    check_within(name, bytes, &mut MOST_PIXELS.clone())
}

/// The picture in `bytes`, whose pixels are taken off `pixels_left`.
pub fn check_within(name: &str, bytes: Vec<u8>, pixels_left: &mut u64) -> Result<Image, String> {
    let format = match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [0xff, 0xd8, 0xff, ..] => ImageFormat::Jpeg,
        _ => return Err("it is neither PNG nor JPEG".into()),
    };
    let (width, height) = ImageReader::new(Cursor::new(&bytes))
        .with_guessed_format()
        .map_err(|error| undecodable(&error))?
        .into_dimensions()
        .map_err(|error| undecodable(&error))?;
    let left = pixels_left.checked_sub(u64::from(width) * u64::from(height));
    *pixels_left = left.ok_or_else(|| format!("it is too large ({width} × {height})"))?;
    let image = Image { name: name.into(), format, size: [width, height], bytes };
    decode(&image)?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG of three by two pixels.
    fn picture() -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image::RgbImage::new(3, 2).write_to(&mut bytes, image::ImageFormat::Png).expect("encoded");
        bytes.into_inner()
    }

    #[test]
    fn a_picture_tells_its_size_and_a_cut_one_is_refused_in_one_line() {
        let whole = picture();
        assert_eq!(check("picture", whole.clone()).expect("whole").size, [3, 2]);
        for bytes in [&whole[..whole.len() - 20], b"GIF89a", b"\xff\xd8\xff\xe0", b""] {
            let why = check("broken", bytes.to_vec()).expect_err("refused");
            assert_eq!(why.lines().count(), 1, "{why}");
        }
    }
}
