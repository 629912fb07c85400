//! Base-colour textures: decoded, given smaller copies of themselves, and put on the device.

use std::sync::Arc;

use three_d_asset::texture::TextureData;

use super::identity::ByIdentity;
use super::ramp::{gamma_coded, linear_of};
use crate::kernel::geom::Image;
use crate::kernel::geom::looks::picture::decode;

/// Textures by the identity of their picture, and what stands in where there is none.
pub(super) struct Textures {
    white: wgpu::TextureView,
    loaded: ByIdentity<Image, wgpu::TextureView>,
    pub(super) sampler: wgpu::Sampler,
}

impl Textures {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("base colour"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        let white = upload(device, queue, "white", [1, 1], vec![[255; 4]]);
        Self { white, loaded: ByIdentity::default(), sampler }
    }

    /// The texture of `picture`; white where there is none or it cannot be decoded.
    pub(super) fn of(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: Option<&Arc<Image>>,
        now: u64,
    ) -> wgpu::TextureView {
        let Some(picture) = picture else { return self.white.clone() };
        let white = &self.white;
        let make = || match pixels(picture) {
            Some((size, pixels)) => {
                let most = device.limits().max_texture_dimension_2d;
                let (size, pixels) = fitting(size, pixels, most);
                upload(device, queue, &picture.name, size, pixels)
            }
            None => white.clone(),
        };
        self.loaded.get_or_make(picture, now, make).clone()
    }

    /// Drops textures whose picture is gone. Those of meshes that are not drawn stay: decoding is slow.
    pub(super) fn forget(&mut self) {
        self.loaded.forget(0);
    }
}

/// Size and gamma-coded RGBA of a picture.
fn pixels(picture: &Image) -> Option<([u32; 2], Vec<[u8; 4]>)> {
    let decoded = decode(picture).ok()?;
    let pixels: Vec<[u8; 4]> = match decoded.data {
        TextureData::RU8(grey) => grey.into_iter().map(|v| [v, v, v, 255]).collect(),
        TextureData::RgU8(pairs) => pairs.into_iter().map(|[v, a]| [v, v, v, a]).collect(),
        TextureData::RgbU8(rgb) => rgb.into_iter().map(|[r, g, b]| [r, g, b, 255]).collect(),
        TextureData::RgbaU8(rgba) => rgba,
        // Pictures with more depth are not among the formats that materials may name.
        _ => return None,
    };
    let size = [decoded.width, decoded.height];
    (pixels.len() == size[0] as usize * size[1] as usize && !pixels.is_empty()).then_some((size, pixels))
}

/// Halves a picture until the device can hold it.
fn fitting(mut size: [u32; 2], mut pixels: Vec<[u8; 4]>, most: u32) -> ([u32; 2], Vec<[u8; 4]>) {
    while size[0] > most || size[1] > most {
        (size, pixels) = halved(size, &pixels);
    }
    (size, pixels)
}

/// Half the size, each pixel the mean (in linear light) of up to four.
fn halved([width, height]: [u32; 2], pixels: &[[u8; 4]]) -> ([u32; 2], Vec<[u8; 4]>) {
    let table: Vec<f32> = (0..=255).map(linear_of).collect();
    let size = [(width / 2).max(1), (height / 2).max(1)];
    let mut half = Vec::with_capacity(size[0] as usize * size[1] as usize);
    for y in 0..size[1] {
        for x in 0..size[0] {
            let mut sum = [0.0_f32; 4];
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (x, y) = ((2 * x + dx).min(width - 1), (2 * y + dy).min(height - 1));
                let pixel = pixels[y as usize * width as usize + x as usize];
                for k in 0..3 {
                    sum[k] += table[usize::from(pixel[k])] / 4.0;
                }
                sum[3] += f32::from(pixel[3]) / (4.0 * 255.0);
            }
            half.push(gamma_coded(sum));
        }
    }
    (size, half)
}

fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    size: [u32; 2],
    pixels: Vec<[u8; 4]>,
) -> wgpu::TextureView {
    let levels = size[0].max(size[1]).ilog2() + 1;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let (mut size, mut pixels) = (size, pixels);
    for level in 0..levels {
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() },
            bytemuck::cast_slice(&pixels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(size[0] * 4), rows_per_image: None },
            wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        );
        if level + 1 < levels {
            (size, pixels) = halved(size, &pixels);
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_keeps_the_light_of_a_picture() {
        let pixels: Vec<[u8; 4]> = vec![[0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 255]];
        let (size, half) = halved([3, 1], &pixels);
        assert_eq!((size, half[0]), ([1, 1], [188, 188, 188, 255]), "half the light is byte 188");
    }
}
