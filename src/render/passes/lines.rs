//! Lines with a width on the screen.

use wgpu::util::DeviceExt;

use super::{Draws, Layouts};
use crate::render::gpu_data::LineData;
use crate::render::scene::Line;
use crate::render::shaders;

/// Draws lines.
pub(in crate::render) struct LinePass {
    /// In front of everything, and behind the skin.
    pipelines: [wgpu::RenderPipeline; 2],
}

const LINES: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<LineData>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32],
};

impl LinePass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "lines", shaders::LINES);
        let pipeline = |compare| {
            Draws {
                label: "lines",
                module: &module,
                vertex: "line",
                fragment: "stroke",
                colors: true,
                buffers: &[Some(LINES)],
                groups: &[Some(&layouts.view)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                compare,
                writes_depth: false,
                bias: 8,
                blend: true,
            }
            .pipeline(device)
        };
        Self {
            pipelines: [pipeline(wgpu::CompareFunction::Always), pipeline(wgpu::CompareFunction::LessEqual)],
        }
    }

    /// Draws `lines`; group 0 is bound.
    pub(in crate::render) fn draw(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::RenderPass<'_>,
        lines: &[LineData],
        hidden_by_skin: bool,
    ) {
        if lines.is_empty() {
            return;
        }
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("lines"),
            contents: bytemuck::cast_slice(lines),
            usage: wgpu::BufferUsages::VERTEX,
        });
        pass.set_pipeline(&self.pipelines[usize::from(hidden_by_skin)]);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..4, 0..lines.len() as u32);
    }
}

/// Those of `lines` that the skin hides, or does not; ends that are no numbers are left out.
pub(in crate::render) fn data(lines: &[Line], hidden_by_skin: bool) -> Vec<LineData> {
    lines
        .iter()
        .filter(|line| line.hidden_by_skin == hidden_by_skin)
        .filter(|line| line.from.iter().chain(line.to.iter()).all(|x| x.is_finite()))
        .map(|line| LineData {
            start: line.from.into(),
            end: line.to.into(),
            color: line.color,
            width: line.width,
        })
        .collect()
}
