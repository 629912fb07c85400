//! The skin in each of its shadings, solid or seen through.

use std::collections::HashMap;

use super::{Draws, Layouts, POINTS};
use crate::render::gpu_data::{LookData, PointData};
use crate::render::meshes::GpuMesh;
use crate::render::shaders;
use crate::render::shading::{Reads, Shading};

/// Opacity of an x-rayed skin seen head-on.
pub(in crate::render) const XRAY_OPACITY: f32 = 0.30;

/// Draws skins; pipelines are made when a shading is first asked for.
pub(in crate::render) struct SkinPass {
    module: wgpu::ShaderModule,
    depth: wgpu::RenderPipeline,
    /// By shading, whether it is textured, and whether it is seen through.
    pipelines: HashMap<(Shading, bool, bool), wgpu::RenderPipeline>,
}

const REST: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<PointData>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![2 => Float32x3, 3 => Float32x3],
};
const LOOKS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<LookData>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![4 => Float32x2, 5 => Unorm16x4],
};
const WEIGHTS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 8,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![6 => Unorm16x4],
};

impl SkinPass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "skin", shaders::SKIN);
        let depth = Draws {
            label: "skin depth",
            module: &module,
            vertex: "vertex_depth",
            fragment: "nothing",
            colors: false,
            buffers: &[Some(POINTS)],
            groups: &[Some(&layouts.view)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            compare: wgpu::CompareFunction::Less,
            writes_depth: true,
            bias: 0,
            blend: false,
        }
        .pipeline(device);
        Self { module, depth, pipelines: HashMap::new() }
    }

    /// Makes the pipelines of a look if they are not there yet.
    pub(in crate::render) fn prepare(
        &mut self,
        device: &wgpu::Device,
        layouts: &Layouts,
        mesh: &GpuMesh,
        shading: Shading,
        xray: bool,
    ) {
        let module = &self.module;
        for textured in mesh.runs.iter().map(|run| run.textured && shading == Shading::Lit) {
            self.pipelines.entry((shading, textured, xray)).or_insert_with(|| {
                let ([vertex, fragment], reads) = shading.stages(textured);
                let buffers = buffers(reads);
                Draws {
                    label: shading.id(),
                    module,
                    vertex,
                    fragment,
                    colors: true,
                    buffers: &buffers,
                    groups: &[Some(&layouts.view), Some(&layouts.item), Some(&layouts.material)],
                    topology: wgpu::PrimitiveTopology::TriangleList,
                    // After its own depth was drawn, only the nearest surface of an x-ray is left.
                    compare: if xray {
                        wgpu::CompareFunction::LessEqual
                    } else {
                        wgpu::CompareFunction::Less
                    },
                    writes_depth: !xray,
                    bias: if xray { 4 } else { 0 },
                    blend: xray,
                }
                .pipeline(device)
            });
        }
    }

    /// Draws `mesh` at `points`; groups 0 and 1 are bound.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        shading: Shading,
        xray: bool,
        mesh: &GpuMesh,
        points: &wgpu::Buffer,
        weights: Option<&wgpu::Buffer>,
    ) {
        pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.set_vertex_buffer(0, points.slice(..));
        if xray {
            pass.set_pipeline(&self.depth);
            pass.draw_indexed(0..mesh.index_count, 0, 0..1);
        }
        pass.set_vertex_buffer(1, mesh.rest.slice(..));
        pass.set_vertex_buffer(2, mesh.looks.slice(..));
        if let Some(weights) = weights {
            pass.set_vertex_buffer(3, weights.slice(..));
        }
        for run in &mesh.runs {
            let textured = run.textured && shading == Shading::Lit;
            let Some(pipeline) = self.pipelines.get(&(shading, textured, xray)) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, &run.material, &[]);
            pass.draw_indexed(run.indices.clone(), 0, 0..1);
        }
    }
}

/// The buffers that a vertex stage reads.
fn buffers(reads: Reads) -> [Option<wgpu::VertexBufferLayout<'static>>; 4] {
    match reads {
        Reads::Form => [Some(POINTS), None, None, None],
        Reads::Looks => [Some(POINTS), None, Some(LOOKS), None],
        Reads::Rest => [Some(POINTS), Some(REST), Some(LOOKS), None],
        Reads::Weights => [Some(POINTS), None, None, Some(WEIGHTS)],
    }
}
