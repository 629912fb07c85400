//! What lies behind the character, the gradient and the ground with its shadow; then the layer with
//! the character over it. One sample a pixel: nothing here has an edge that is not smooth already.

use super::Layouts;
use crate::render::shaders;
use crate::render::targets::COLOR;

/// Draws backdrops and puts layers over them.
pub(in crate::render) struct Backdrop {
    gradient: wgpu::RenderPipeline,
    ground: wgpu::RenderPipeline,
    over: wgpu::RenderPipeline,
}

impl Backdrop {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let gradient = shaders::module(device, "backdrop", shaders::BACKDROP);
        let ground = shaders::module(device, "ground", shaders::GROUND);
        let pipeline = |module: &wgpu::ShaderModule, fragment: &str, groups: &[_], blend, topology| {
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(fragment),
                bind_group_layouts: groups,
                immediate_size: 0,
            });
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(fragment),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some("vertex"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState { topology, ..wgpu::PrimitiveState::default() },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module,
                    entry_point: Some(fragment),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: COLOR,
                        blend,
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        use wgpu::{BlendState, PrimitiveTopology as Topology};
        let (view, item) = (Some(&layouts.view), Some(&layouts.item));
        let (shade, layer) = (Some(&layouts.sampled), Some(&layouts.blit));
        let alpha = Some(BlendState::ALPHA_BLENDING);
        let multiplied = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        Self {
            gradient: pipeline(&gradient, "fragment", &[view], None, Topology::TriangleList),
            ground: pipeline(&ground, "fragment", &[view, item, shade], alpha, Topology::TriangleStrip),
            over: pipeline(&gradient, "over", &[view, layer], multiplied, Topology::TriangleList),
        }
    }

    /// The gradient; group 0 is bound.
    pub(in crate::render) fn draw_gradient(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.gradient);
        pass.draw(0..3, 0..1);
    }

    /// The ground; groups 0 and 1 are bound, `shade` is the shadow's texture.
    pub(in crate::render) fn draw_ground(&self, pass: &mut wgpu::RenderPass<'_>, shade: &wgpu::BindGroup) {
        pass.set_pipeline(&self.ground);
        pass.set_bind_group(2, shade, &[]);
        pass.draw(0..4, 0..1);
    }

    /// The character over it; group 0 is bound.
    pub(in crate::render) fn draw_layer(&self, pass: &mut wgpu::RenderPass<'_>, layer: &wgpu::BindGroup) {
        pass.set_pipeline(&self.over);
        pass.set_bind_group(1, layer, &[]);
        pass.draw(0..3, 0..1);
    }
}
