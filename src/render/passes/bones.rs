//! Bones in front of the skin: octahedra of their own, sticks as lines with a dot at the joint.

use super::{Draws, Layouts};
use crate::render::gpu_data::{BoneData, DotData, LineData};
use crate::render::scene::{BoneItem, BoneStyle};
use crate::render::shaders;
use crate::render::stream::{Run, Stream};

/// Draws octahedra.
pub(in crate::render) struct BonePass {
    pipeline: wgpu::RenderPipeline,
}

/// Corners of an octahedron's eight faces.
const CORNERS: u32 = 24;
/// Width of a stick and size of the dot at its joint, in points.
const STICK: [f32; 2] = [2.2, 6.0];
/// How dark a stick's rim is against it, and how much wider, in points.
const RIM: (f32, f32) = (0.13, 2.0);

const BONES: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<BoneData>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4],
};

impl BonePass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "bones", shaders::BONES);
        let pipeline = Draws {
            label: "bones",
            module: &module,
            vertex: "octahedron",
            fragment: "faces",
            colors: true,
            buffers: &[Some(BONES)],
            groups: &[Some(&layouts.view)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            compare: wgpu::CompareFunction::Less,
            writes_depth: true,
            bias: 0,
            blend: true,
        }
        .pipeline(device);
        Self { pipeline }
    }

    /// Draws a run of octahedra; group 0 is bound.
    pub(in crate::render) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, stream: &Stream, bones: &Run) {
        let Some(slice) = stream.slice(bones) else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, slice);
        pass.draw(0..CORNERS, 0..bones.count);
    }
}

/// The octahedra among `bones`.
pub(in crate::render) fn octahedra(bones: &[BoneItem]) -> impl Iterator<Item = BoneData> {
    let data =
        |bone: &BoneItem| BoneData { head: bone.head.into(), tail: bone.tail.into(), color: bone.color };
    drawable(bones, BoneStyle::Octahedra).map(data)
}

fn drawable(bones: &[BoneItem], style: BoneStyle) -> impl Iterator<Item = &BoneItem> {
    let finite = |bone: &&BoneItem| bone.head.iter().chain(bone.tail.iter()).all(|x| x.is_finite());
    bones.iter().filter(move |bone| bone.style == style).filter(finite)
}

/// The sticks among `bones`, as a line and a dot each, on a dark rim as octahedra have dark edges.
pub(in crate::render) fn sticks(bones: &[BoneItem]) -> impl Iterator<Item = (LineData, DotData)> {
    let drawn = move |shade: f32, wider: f32| {
        drawable(bones, BoneStyle::Sticks).map(move |bone| {
            let (start, end, [r, g, b, a]) = (bone.head.into(), bone.tail.into(), bone.color);
            let color = [r * shade, g * shade, b * shade, a];
            let line = LineData { start, end, color, width: STICK[0] + wider };
            (line, DotData { at: start, color, size: STICK[1] + wider })
        })
    };
    drawn(RIM.0, RIM.1).chain(drawn(1.0, 0.0))
}
