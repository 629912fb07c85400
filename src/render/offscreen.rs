//! A scene as an image, and shapes read back: for files and tests.

use std::sync::Arc;

use image::RgbaImage;
use nalgebra::{Point3, Vector3};

use super::context::{Gpu, RenderError};
use super::gpu_data::PointData;
use super::renderer::Renderer;
use super::scene::{Scene, Shape};
use super::targets::COLOR;
use crate::kernel::geom::Mesh;
use crate::kernel::skin::Skin;

/// Draws `scene` into an image of `size` pixels, gamma coded as image files are.
pub fn picture(gpu: &Gpu, scene: &Scene, size: [u32; 2]) -> Result<RgbaImage, RenderError> {
    picture_with(gpu, &mut Renderer::new(&gpu.device, &gpu.queue, COLOR), scene, size)
}

/// The same with a renderer that is already there, and what it keeps on the device.
pub fn picture_with(
    gpu: &Gpu,
    renderer: &mut Renderer,
    scene: &Scene,
    [width, height]: [u32; 2],
) -> Result<RgbaImage, RenderError> {
    let most = gpu.device.limits().max_texture_dimension_2d;
    let size_error = RenderError::Size { width, height, most };
    if width == 0 || height == 0 || width > most || height > most {
        return Err(size_error);
    }
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.draw(&gpu.device, &gpu.queue, &mut encoder, 0, scene, [width, height], 1.0);
    if let Some(trouble) = renderer.trouble() {
        return Err(RenderError::Trouble(trouble.to_owned()));
    }
    let texture = renderer.texture(0).ok_or_else(|| size_error.clone())?;
    let texture = texture.clone();
    read_texture(gpu, encoder, &texture)
}

/// Submits `encoder` and reads the texture that it drew, four bytes a pixel, back as an image.
pub fn read_texture(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
) -> Result<RgbaImage, RenderError> {
    let (width, height) = (texture.width(), texture.height());
    let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(row) * u64::from(height),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    let bytes = read(gpu, encoder, &buffer)?;
    let pixels = bytes.chunks_exact(row as usize).flat_map(|line| &line[..width as usize * 4]).copied();
    RgbaImage::from_raw(width, height, pixels.collect())
        .ok_or_else(|| RenderError::ReadBack("it has too few bytes".into()))
}

/// What the device makes of `mesh` in `shape`, read back.
pub fn deformed(
    gpu: &Gpu,
    renderer: &mut Renderer,
    mesh: &Arc<Mesh>,
    shape: &Shape,
) -> Result<Skin, RenderError> {
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let Some(buffer) = renderer.copy_points(&gpu.device, &gpu.queue, &mut encoder, mesh, shape) else {
        return Ok(Skin::default());
    };
    let bytes = read(gpu, encoder, &buffer)?;
    let points: Vec<PointData> = bytemuck::pod_collect_to_vec(&bytes);
    Ok(Skin {
        positions: points.iter().map(|point| Point3::from(point.position)).collect(),
        normals: points.iter().map(|point| Vector3::from(point.normal)).collect(),
    })
}

/// Submits `encoder` and waits for what it left in `buffer`.
fn read(gpu: &Gpu, encoder: wgpu::CommandEncoder, buffer: &wgpu::Buffer) -> Result<Vec<u8>, RenderError> {
    gpu.queue.submit([encoder.finish()]);
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver waits below; it can only be gone when polling failed.
        let _ = sender.send(result);
    });
    let failed = |why: String| RenderError::ReadBack(why);
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(error.to_string()))?;
    let mapped = receiver.recv().map_err(|error| failed(error.to_string()))?;
    mapped.map_err(|error| failed(error.to_string()))?;
    let view = buffer.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
    Ok(view.to_vec())
}
