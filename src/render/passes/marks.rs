//! Marks with a size on the screen: lines and round dots, an instance each.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::{Draws, Layouts};
use crate::render::gpu_data::{DotData, LineData};
use crate::render::scene::{Dot, Line};
use crate::render::shaders;
use crate::render::stream::{Run, Stream};

/// Draws marks of one kind.
pub(in crate::render) struct MarkPass<T> {
    /// In front of everything, and behind the skin.
    pipelines: [wgpu::RenderPipeline; 2],
    kind: PhantomData<T>,
}

impl MarkPass<LineData> {
    /// Draws lines.
    pub(in crate::render) fn lines(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let attributes =
            &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32];
        Self::new(device, layouts, "lines", ["line", "stroke"], attributes, 8)
    }
}

impl MarkPass<DotData> {
    /// Draws dots.
    pub(in crate::render) fn dots(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let attributes = &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x4, 2 => Float32];
        Self::new(device, layouts, "dots", ["dot_corner", "disc"], attributes, 16)
    }
}

impl<T: Pod> MarkPass<T> {
    fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        label: &'static str,
        [vertex, fragment]: [&'static str; 2],
        attributes: &[wgpu::VertexAttribute],
        bias: i32,
    ) -> Self {
        let module = shaders::module(device, label, shaders::LINES);
        let buffer = wgpu::VertexBufferLayout {
            array_stride: size_of::<T>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes,
        };
        let pipeline = |compare| {
            Draws {
                label,
                module: &module,
                vertex,
                fragment,
                colors: true,
                buffers: &[Some(buffer.clone())],
                groups: &[Some(&layouts.view)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                compare,
                writes_depth: false,
                bias,
                blend: true,
            }
            .pipeline(device)
        };
        let pipelines = [pipeline(wgpu::CompareFunction::Always), pipeline(wgpu::CompareFunction::LessEqual)];
        Self { pipelines, kind: PhantomData }
    }

    /// Draws the marks of a run; group 0 is bound.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        stream: &Stream,
        marks: &Run,
        hidden_by_skin: bool,
    ) {
        let Some(slice) = stream.slice(marks) else { return };
        pass.set_pipeline(&self.pipelines[usize::from(hidden_by_skin)]);
        pass.set_vertex_buffer(0, slice);
        pass.draw(0..4, 0..marks.count);
    }
}

/// Those of `dots` that the skin hides, or does not; places that are no numbers are left out.
pub(in crate::render) fn dot_data(dots: &[Dot], hidden_by_skin: bool) -> impl Iterator<Item = DotData> {
    dots.iter()
        .filter(move |dot| dot.hidden_by_skin == hidden_by_skin && dot.at.iter().all(|x| x.is_finite()))
        .map(|dot| DotData { at: dot.at.into(), color: dot.color, size: dot.size })
}

/// Those of `lines` that the skin hides, or does not; ends that are no numbers are left out.
pub(in crate::render) fn line_data(lines: &[Line], hidden_by_skin: bool) -> impl Iterator<Item = LineData> {
    lines
        .iter()
        .filter(move |line| line.hidden_by_skin == hidden_by_skin)
        .filter(|line| line.from.iter().chain(line.to.iter()).all(|x| x.is_finite()))
        .map(|line| LineData {
            start: line.from.into(),
            end: line.to.into(),
            color: line.color,
            width: line.width,
        })
}
