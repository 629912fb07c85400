//! The picture of each view: what has edges is drawn with four samples a pixel into a layer, which
//! is laid over backdrop and ground, whose lines are smooth by themselves.

use super::gpu_data::{ItemData, ViewData};
use super::passes::{Layouts, shadow::ShadowTarget};
use super::scene::Scene;
use super::stream::Stream;
use super::uploads::Uploads;

/// What pictures are drawn in: eight bits a channel that hold colours coded for the screen. Formats
/// that code by themselves would do so for each sample, which a software device pays dearly.
pub const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth of pictures.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples a pixel.
pub const SAMPLES: u32 = 4;

/// Bytes from one [`ItemData`] to the next: what dynamic offsets must be multiples of.
pub(super) const ITEM_STRIDE: u64 = 256;

/// One view's picture and what its passes read.
pub(super) struct Target {
    pub(super) size: [u32; 2],
    pub(super) color: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) texture: wgpu::Texture,
    pub(super) picture: wgpu::TextureView,
    /// The samples, resolved; alpha is multiplied in.
    pub(super) layer: wgpu::TextureView,
    pub(super) layer_group: wgpu::BindGroup,
    pub(super) view: wgpu::Buffer,
    pub(super) view_group: wgpu::BindGroup,
    items: wgpu::Buffer,
    pub(super) item_group: wgpu::BindGroup,
    pub(super) blit_group: wgpu::BindGroup,
    /// Left and right of the wipe.
    pub(super) shadows: [ShadowTarget; 2],
    /// Lines, dots, bones and muscles of a frame.
    pub(super) stream: Stream,
    pub(super) used: u64,
    /// What the picture shows, and its pixels per point.
    pub(super) shows: Option<(Scene, f32)>,
}

impl Target {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, size: [u32; 2]) -> Self {
        let texture = |label, format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        use wgpu::TextureUsages as Usage;
        let whole = wgpu::TextureViewDescriptor::default();
        let color = texture("samples", COLOR, SAMPLES, Usage::RENDER_ATTACHMENT).create_view(&whole);
        let depth = texture("depth", DEPTH, SAMPLES, Usage::RENDER_ATTACHMENT).create_view(&whole);
        let shown = Usage::RENDER_ATTACHMENT | Usage::TEXTURE_BINDING;
        let layer = texture("layer", COLOR, 1, shown).create_view(&whole);
        let texture = texture("picture", COLOR, 1, shown | Usage::COPY_SRC);
        let picture = texture.create_view(&whole);
        let loaded = |view: &wgpu::TextureView| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("loaded"),
                layout: &layouts.blit,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(view),
                }],
            })
        };
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewData>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let (items, item_group) = items(device, layouts, 8);
        Self {
            size,
            color,
            depth,
            view_group: layouts.view_group(device, &view),
            view,
            items,
            item_group,
            blit_group: loaded(&picture),
            layer_group: loaded(&layer),
            texture,
            picture,
            layer,
            shadows: std::array::from_fn(|_| ShadowTarget::default()),
            stream: Stream::default(),
            used: 0,
            shows: None,
        }
    }

    /// Writes the items of a frame, in the order of their dynamic offsets.
    pub(super) fn write_items(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        uploads: &mut Uploads,
        layouts: &Layouts,
        data: &[ItemData],
    ) {
        if data.is_empty() {
            return;
        }
        if self.items.size() < data.len() as u64 * ITEM_STRIDE {
            (self.items, self.item_group) = items(device, layouts, data.len().next_power_of_two() as u64);
        }
        let mut bytes = vec![0; data.len() * ITEM_STRIDE as usize];
        for (item, slot) in data.iter().zip(bytes.chunks_exact_mut(ITEM_STRIDE as usize)) {
            slot[..size_of::<ItemData>()].copy_from_slice(bytemuck::bytes_of(item));
        }
        uploads.write(encoder, &self.items, &bytes);
    }
}

fn items(device: &wgpu::Device, layouts: &Layouts, count: u64) -> (wgpu::Buffer, wgpu::BindGroup) {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("items"),
        size: count * ITEM_STRIDE,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("items"),
        layout: &layouts.item,
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &buffer,
                offset: 0,
                size: wgpu::BufferSize::new(size_of::<ItemData>() as u64),
            }),
        }],
    });
    (buffer, group)
}
