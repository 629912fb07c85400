//! Round dots with a size on the screen.

use wgpu::util::DeviceExt;

use super::{Draws, Layouts};
use crate::render::gpu_data::DotData;
use crate::render::scene::Dot;
use crate::render::shaders;

/// Draws dots.
pub(in crate::render) struct DotPass {
    /// In front of everything, and behind the skin.
    pipelines: [wgpu::RenderPipeline; 2],
}

const DOTS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<DotData>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x4, 2 => Float32],
};

impl DotPass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "dots", shaders::LINES);
        let pipeline = |compare| {
            Draws {
                label: "dots",
                module: &module,
                vertex: "dot_corner",
                fragment: "disc",
                colors: true,
                buffers: &[Some(DOTS)],
                groups: &[Some(&layouts.view)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                compare,
                writes_depth: false,
                bias: 16,
                blend: true,
            }
            .pipeline(device)
        };
        Self {
            pipelines: [pipeline(wgpu::CompareFunction::Always), pipeline(wgpu::CompareFunction::LessEqual)],
        }
    }

    /// Draws `dots`; group 0 is bound.
    pub(in crate::render) fn draw(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::RenderPass<'_>,
        dots: &[DotData],
        hidden_by_skin: bool,
    ) {
        if dots.is_empty() {
            return;
        }
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("dots"),
            contents: bytemuck::cast_slice(dots),
            usage: wgpu::BufferUsages::VERTEX,
        });
        pass.set_pipeline(&self.pipelines[usize::from(hidden_by_skin)]);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..4, 0..dots.len() as u32);
    }
}

/// Those of `dots` that the skin hides, or does not; places that are no numbers are left out.
pub(in crate::render) fn data(dots: &[Dot], hidden_by_skin: bool) -> Vec<DotData> {
    dots.iter()
        .filter(|dot| dot.hidden_by_skin == hidden_by_skin && dot.at.iter().all(|x| x.is_finite()))
        .map(|dot| DotData { at: dot.at.into(), color: dot.color, size: dot.size })
        .collect()
}
