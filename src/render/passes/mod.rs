//! One file per kind of thing that is drawn, and what they share: layouts and the usual pipeline.
//!
//! The passes of a view share one depth buffer cut into slices, so that nothing must be cleared
//! in between: ghosts behind ([`ghosts`]), the skin and what it may hide in the middle, bones in
//! front.

pub mod backdrop;
pub mod blit;
pub mod bones;
pub mod ghosts;
pub mod marks;
pub mod muscles;
pub mod shadow;
pub mod skin;
pub mod wire;

use super::targets::{COLOR, DEPTH, SAMPLES};
use super::{gpu_data, ramp};

/// Depths of what is drawn in front of everything.
pub(super) const FRONT: [f32; 2] = [0.0, 0.1];
/// Depths of the skin and of what it hides.
pub(super) const SKIN: [f32; 2] = [0.1, 0.9];
/// Depths of ghosts, the first one farthest.
pub(super) const GHOSTS: [f32; 2] = [0.9, 1.0];

/// What pipelines expect to be bound.
pub(super) struct Layouts {
    /// Group 0 of nearly all: the view and the ramps.
    pub(super) view: wgpu::BindGroupLayout,
    /// Group 1: an [`gpu_data::ItemData`] at a dynamic offset.
    pub(super) item: wgpu::BindGroupLayout,
    /// Group 2 of the skin.
    pub(super) material: wgpu::BindGroupLayout,
    /// Group 2 of the edges: posed points and indices.
    pub(super) wire: wgpu::BindGroupLayout,
    /// A texture that is loaded texel by texel.
    pub(super) blit: wgpu::BindGroupLayout,
    /// A texture that is sampled.
    pub(super) sampled: wgpu::BindGroupLayout,
    ramps: wgpu::TextureView,
    pub(super) smooth: wgpu::Sampler,
}

impl Layouts {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        use wgpu::ShaderStages as Stages;
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let both = Stages::VERTEX_FRAGMENT;
        let storage = |binding| {
            let ty = wgpu::BufferBindingType::Storage { read_only: true };
            entry(
                binding,
                Stages::VERTEX,
                wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            )
        };
        let sampler = |binding| {
            entry(binding, Stages::FRAGMENT, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering))
        };
        Self {
            view: layout("view", &[uniform(0, both, false), texture(1, true), sampler(2)]),
            item: layout("item", &[uniform(0, both, true)]),
            material: layout(
                "material",
                &[uniform(0, Stages::FRAGMENT, false), texture(1, true), sampler(2)],
            ),
            wire: layout("wire", &[storage(0), storage(1)]),
            blit: layout("blit", &[texture(0, false)]),
            sampled: layout("sampled", &[texture(0, true), sampler(1)]),
            ramps: ramps(device, queue),
            smooth: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("smooth"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
        }
    }

    /// Group 0 for the view in `buffer`.
    pub(super) fn view_group(&self, device: &wgpu::Device, buffer: &wgpu::Buffer) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &self.view,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(&self.ramps),
                },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&self.smooth) },
            ],
        })
    }
}

fn entry(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

pub(super) fn uniform(
    binding: u32,
    visibility: wgpu::ShaderStages,
    has_dynamic_offset: bool,
) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Uniform;
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None })
}

fn texture(binding: u32, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    entry(
        binding,
        wgpu::ShaderStages::FRAGMENT,
        wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    )
}

fn ramps(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: ramp::STEPS as u32, height: 2, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("ramps"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&ramp::texels()),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(ramp::STEPS as u32 * 4),
            rows_per_image: None,
        },
        size,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A pipeline into a view's target, as most passes need it.
pub(super) struct Draws<'a> {
    pub(super) label: &'a str,
    pub(super) module: &'a wgpu::ShaderModule,
    pub(super) vertex: &'a str,
    pub(super) fragment: &'a str,
    /// Whether colours are written; depth alone otherwise.
    pub(super) colors: bool,
    pub(super) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(super) groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub(super) topology: wgpu::PrimitiveTopology,
    pub(super) compare: wgpu::CompareFunction,
    pub(super) writes_depth: bool,
    /// Steps of depth towards the eye.
    pub(super) bias: i32,
    pub(super) blend: bool,
}

impl Draws<'_> {
    pub(super) fn pipeline(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: self.groups,
            immediate_size: 0,
        });
        let target = [Some(wgpu::ColorTargetState {
            format: COLOR,
            blend: self.blend.then_some(wgpu::BlendState::ALPHA_BLENDING),
            // The pass has colours, so a pipeline must name them even where it writes none.
            write_mask: if self.colors { wgpu::ColorWrites::ALL } else { wgpu::ColorWrites::empty() },
        })];
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState { topology: self.topology, ..wgpu::PrimitiveState::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(self.writes_depth),
                depth_compare: Some(self.compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState { constant: -self.bias, ..wgpu::DepthBiasState::default() },
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..wgpu::MultisampleState::default() },
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &target,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// Posed points: position and normal at locations `first` and the one after.
pub(super) const POINTS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<gpu_data::PointData>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
};
