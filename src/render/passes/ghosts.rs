//! Pale copies behind the skin. Each is drawn into a slice of depth of its own: first its depth,
//! then its nearest surface, so that limbs do not show through the body.

use super::{Draws, GHOSTS, Layouts, POINTS};
use crate::render::meshes::GpuMesh;
use crate::render::shaders;

/// Draws ghosts.
pub(in crate::render) struct GhostPass {
    depth: wgpu::RenderPipeline,
    tint: wgpu::RenderPipeline,
}

impl GhostPass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "ghost", shaders::GHOST);
        let base = Draws {
            label: "ghost",
            module: &module,
            vertex: "vertex",
            fragment: "fragment",
            colors: true,
            buffers: &[Some(POINTS)],
            groups: &[Some(&layouts.view), Some(&layouts.item)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            compare: wgpu::CompareFunction::LessEqual,
            writes_depth: false,
            bias: 4,
            blend: true,
        };
        let depth = Draws {
            label: "ghost depth",
            fragment: "nothing",
            colors: false,
            compare: wgpu::CompareFunction::Less,
            writes_depth: true,
            bias: 0,
            blend: false,
            ..base
        };
        Self { depth: depth.pipeline(device), tint: base.pipeline(device) }
    }

    /// Draws one ghost; groups 0 and 1 are bound, the viewport's depths are those of [`slice`].
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        mesh: &GpuMesh,
        points: &wgpu::Buffer,
    ) {
        pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_vertex_buffer(0, points.slice(..));
        for pipeline in [&self.depth, &self.tint] {
            pass.set_pipeline(pipeline);
            pass.draw_indexed(0..mesh.index_count, 0, 0..1);
        }
    }
}

/// The depths of ghost `k` of `count`: the first one lies farthest back.
pub(in crate::render) fn slice(k: usize, count: usize) -> [f32; 2] {
    let [near, far] = GHOSTS;
    let thickness = (far - near) / count.max(1) as f32;
    let back = far - thickness * k as f32;
    [back - thickness, back]
}
