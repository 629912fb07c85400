//! Base colour and base-colour texture: all the appearance that a character carries along.

use std::sync::Arc;

/// The look of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Its name in the file.
    pub name: String,
    /// Linear RGBA, multiplied with the texture and the vertex colours.
    pub base_color: [f32; 4],
    /// The base-colour texture, sampled with the mesh's `uvs`.
    pub texture: Option<Arc<Image>>,
    /// Whether back faces are drawn too.
    pub double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self { name: String::new(), base_color: [0.8, 0.8, 0.8, 1.0], texture: None, double_sided: false }
    }
}

/// How the bytes of an [`Image`] are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// Portable network graphics.
    Png,
    /// JPEG.
    Jpeg,
}

/// A picture, kept in its file's own encoding so that writing it back loses nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Its name in the file.
    pub name: String,
    /// The encoding of `bytes`.
    pub format: ImageFormat,
    /// The encoded picture, checked to decode when it was loaded.
    pub bytes: Vec<u8>,
    /// Pixels across and down.
    pub size: [u32; 2],
}
