//! The soft shadow on the ground: the skin seen from above in layers by height, each blurred as
//! far as its height asks. Made again only when the skin moves.

use super::{Layouts, POINTS, uniform};
use crate::render::deform::Shaped;
use crate::render::gpu_data::ShadowData;
use crate::render::meshes::GpuMesh;
use crate::render::shaders;
use crate::render::uploads::Uploads;

/// Pixels on a side; the shadow is soft, so few are enough.
const SIDE: u32 = 112;
/// How far a shadow spreads for each metre of height over the ground.
const SPREAD: f32 = 0.26;

const LAYERS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const SHADE: wgpu::TextureFormat = wgpu::TextureFormat::R16Float;

/// Draws shadows.
pub(in crate::render) struct ShadowPass {
    uniform: wgpu::BindGroupLayout,
    layers: wgpu::RenderPipeline,
    blur: wgpu::RenderPipeline,
    gather: wgpu::RenderPipeline,
}

/// The shadow of one skin in one view.
#[derive(Default)]
pub(in crate::render) struct ShadowTarget {
    made: Option<Made>,
}

struct Made {
    layers: wgpu::TextureView,
    blurred: wgpu::TextureView,
    shade: wgpu::TextureView,
    group: wgpu::BindGroup,
    /// What blurring across and gathering down read, and the textures that they read it from.
    steps: [(wgpu::Buffer, wgpu::BindGroup); 2],
    sources: [wgpu::BindGroup; 2],
    /// The identity of the mesh's rest points, and the stamp of its shape.
    of: Option<(wgpu::Buffer, u64)>,
    shadow_box: [f32; 4],
}

impl ShadowPass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "shadow", shaders::SHADOW);
        let uniform = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("shadow"),
            entries: &[uniform(0, wgpu::ShaderStages::VERTEX_FRAGMENT, false)],
        });
        let from_above = [Some(&uniform)];
        let with_source = [Some(&uniform), Some(&layouts.blit)];
        let pipeline = |label: &str, vertex: &str, groups: &[_], buffers: &[_], format, blend| {
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            });
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(vertex),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers,
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(label),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format,
                        blend,
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        // Whatever lies in a layer fills it once, in any order.
        let most = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Max,
        };
        let most = Some(wgpu::BlendState { color: most, alpha: most });
        Self {
            layers: pipeline("layers", "vertex", &from_above, &[Some(POINTS)], LAYERS, most),
            blur: pipeline("blur", "whole", &with_source, &[], LAYERS, None),
            gather: pipeline("gather", "whole", &with_source, &[], SHADE, None),
            uniform,
        }
    }

    /// Makes the shadow of `mesh` at `shaped` unless it is there; gives the texture's group and where
    /// on the ground it lies. Without a mesh the shadow is empty.
    pub(in crate::render) fn draw<'t>(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        uploads: &mut Uploads,
        layouts: &Layouts,
        target: &'t mut ShadowTarget,
        skin: Option<(&GpuMesh, &Shaped)>,
    ) -> (&'t wgpu::BindGroup, [f32; 4]) {
        let made = target.made.get_or_insert_with(|| Made::new(device, layouts, &self.uniform));
        let Some((mesh, shaped)) = skin else {
            made.of = None;
            return (&made.group, [0.0, 0.0, 1.0, 0.0]);
        };
        let of = Some((mesh.rest.clone(), shaped.stamp));
        if made.of == of {
            return (&made.group, made.shadow_box);
        }
        made.of = of;
        let height = (mesh.diagonal() * 0.9).max(1e-6);
        let [x, z, half] = ground_box(shaped.bounds, height * 0.3);
        made.shadow_box = [x, z, half, 1.0];
        let texels_a_metre = SIDE as f32 / (2.0 * half);
        for ((buffer, _), [x, z]) in made.steps.iter().zip([[1.0, 0.0], [0.0, 1.0]]) {
            let data = ShadowData {
                shadow_box: [made.shadow_box[0], made.shadow_box[1], half, height],
                step: [x, z, SPREAD * height * texels_a_metre, 0.0],
            };
            uploads.write(encoder, buffer, bytemuck::bytes_of(&data));
        }
        let [(_, across), (_, down)] = &made.steps;

        let mut pass = onto(encoder, &made.layers);
        pass.set_pipeline(&self.layers);
        pass.set_bind_group(0, across, &[]);
        pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_vertex_buffer(0, shaped.points.slice(..));
        pass.draw_indexed(0..mesh.index_count, 0, 0..1);
        drop(pass);
        let [layers, blurred] = &made.sources;
        let steps = [(&self.blur, across, layers, &made.blurred), (&self.gather, down, blurred, &made.shade)];
        for (pipeline, step, source, target) in steps {
            let mut pass = onto(encoder, target);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, step, &[]);
            pass.set_bind_group(1, source, &[]);
            pass.draw(0..3, 0..1);
        }
        (&made.group, made.shadow_box)
    }
}

impl Made {
    fn new(device: &wgpu::Device, layouts: &Layouts, uniform: &wgpu::BindGroupLayout) -> Self {
        let view = |label, format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let shade = view("shade", SHADE);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shade"),
            layout: &layouts.sampled,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&shade) },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&layouts.smooth),
                },
            ],
        });
        let (layers, blurred) = (view("layers", LAYERS), view("blurred layers", LAYERS));
        let step = |_| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("shadow"),
                size: size_of::<ShadowData>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("shadow"),
                layout: uniform,
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
            });
            (buffer, group)
        };
        let sources = [loaded(device, layouts, &layers), loaded(device, layouts, &blurred)];
        let (steps, of, shadow_box) = (std::array::from_fn(step), None, [0.0; 4]);
        Self { layers, blurred, shade, group, steps, sources, of, shadow_box }
    }
}

/// Middle in x and z and half the side of the shadow's square: around `bounds` with a margin, in
/// steps, so that the shadow of something moving does not shimmer.
fn ground_box([low, high]: [[f32; 3]; 2], margin: f32) -> [f32; 3] {
    let extent = (high[0] - low[0]).max(high[2] - low[2]) / 2.0 + margin;
    if !(extent.is_finite() && extent > 1e-6) {
        return [0.0, 0.0, 1.0];
    }
    let half = ((extent.log2() * 3.0).ceil() / 3.0).exp2();
    let texel = 2.0 * half / SIDE as f32;
    let snap = |x: f32| (x / texel).round() * texel;
    [snap((low[0] + high[0]) / 2.0), snap((low[2] + high[2]) / 2.0), half]
}

fn onto<'e>(encoder: &'e mut wgpu::CommandEncoder, view: &wgpu::TextureView) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..wgpu::RenderPassDescriptor::default()
    })
}

fn loaded(device: &wgpu::Device, layouts: &Layouts, source: &wgpu::TextureView) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("shadow source"),
        layout: &layouts.blit,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(source) }],
    })
}

impl ShadowTarget {
    /// The texture of the shadow last drawn.
    pub(in crate::render) fn group(&self) -> Option<&wgpu::BindGroup> {
        self.made.as_ref().map(|made| &made.group)
    }
}
