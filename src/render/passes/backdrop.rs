//! The gradient behind everything, and the ground with its shadow.

use super::{Draws, Layouts};
use crate::render::shaders;

/// Draws what lies behind the character.
pub(in crate::render) struct Backdrop {
    gradient: wgpu::RenderPipeline,
    ground: wgpu::RenderPipeline,
}

impl Backdrop {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let gradient = shaders::module(device, "backdrop", shaders::BACKDROP);
        let ground = shaders::module(device, "ground", shaders::GROUND);
        let base = Draws {
            label: "backdrop",
            module: &gradient,
            vertex: "vertex",
            fragment: "fragment",
            colors: true,
            buffers: &[],
            groups: &[Some(&layouts.view)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            compare: wgpu::CompareFunction::Always,
            writes_depth: false,
            bias: 0,
            blend: false,
        };
        Self {
            gradient: base.pipeline(device),
            ground: Draws {
                label: "ground",
                module: &ground,
                groups: &[Some(&layouts.view), Some(&layouts.item), Some(&layouts.sampled)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                blend: true,
                ..base
            }
            .pipeline(device),
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
}
