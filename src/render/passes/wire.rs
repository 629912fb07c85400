//! Edges of triangles over the skin.

use super::{Draws, Layouts};
use crate::render::meshes::GpuMesh;
use crate::render::shaders;

/// Draws edges.
pub(in crate::render) struct WirePass {
    pipeline: wgpu::RenderPipeline,
}

impl WirePass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "wire", shaders::WIRE);
        let pipeline = Draws {
            label: "wire",
            module: &module,
            vertex: "vertex",
            fragment: "fragment",
            colors: true,
            buffers: &[],
            groups: &[Some(&layouts.view), Some(&layouts.item), Some(&layouts.wire)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            compare: wgpu::CompareFunction::LessEqual,
            writes_depth: false,
            bias: 4,
            blend: true,
        }
        .pipeline(device);
        Self { pipeline }
    }

    /// What the edges of `mesh` at `points` are read from.
    pub(in crate::render) fn group(
        &self,
        device: &wgpu::Device,
        layouts: &Layouts,
        mesh: &GpuMesh,
        points: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wire"),
            layout: &layouts.wire,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: points.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: mesh.indices.as_entire_binding() },
            ],
        })
    }

    /// Draws the edges; groups 0 and 1 are bound.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: &wgpu::BindGroup,
        index_count: u32,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(2, group, &[]);
        pass.draw(0..index_count, 0..1);
    }
}
