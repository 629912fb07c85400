//! Muscles under the skin: each a tube of rings about its action line, as wide as its belly is there.

use nalgebra::{Point3, Vector3};

use super::{Draws, Layouts};
use crate::kernel::skin::methods::curve::muscle::line::belly;
use crate::render::gpu_data::FleshData;
use crate::render::scene::Spindle;
use crate::render::shaders;
use crate::render::stream::{Run, Stream};

/// Rings along a muscle, and corners around it.
const RINGS: usize = 28;
const SIDES: usize = 18;
/// How thin a tendon is, in radii of the belly.
const TENDON: f32 = 0.07;

/// Draws muscles.
pub(in crate::render) struct MusclePass {
    pipeline: wgpu::RenderPipeline,
    /// Room for the tubes of a frame.
    points: Vec<FleshData>,
    indices: Vec<u32>,
}

const FLESH: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<FleshData>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32x2
    ],
};

impl MusclePass {
    pub(in crate::render) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = shaders::module(device, "muscles", shaders::MUSCLES);
        let pipeline = Draws {
            label: "muscles",
            module: &module,
            vertex: "vertex",
            fragment: "flesh",
            colors: true,
            buffers: &[Some(FLESH)],
            groups: &[Some(&layouts.view)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            compare: wgpu::CompareFunction::Less,
            writes_depth: true,
            bias: 0,
            blend: false,
        }
        .pipeline(device);
        Self { pipeline, points: Vec::new(), indices: Vec::new() }
    }

    /// Adds the tubes of muscles to what is streamed: their points and their corners.
    pub(in crate::render) fn add(&mut self, muscles: &[Spindle], stream: &mut Stream) -> [Run; 2] {
        self.points.clear();
        self.indices.clear();
        muscles.iter().for_each(|muscle| add_tube(muscle, &mut self.points, &mut self.indices));
        [stream.add(self.points.iter().copied()), stream.add(self.indices.iter().copied())]
    }

    /// Draws muscles before the skin that lies over them; group 0 is bound.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        stream: &Stream,
        [points, indices]: &[Run; 2],
    ) {
        let (Some(points), Some(corners)) = (stream.slice(points), stream.slice(indices)) else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, points);
        pass.set_index_buffer(corners, wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..indices.count, 0, 0..1);
    }
}

/// Adds the rings of a muscle; one whose line has no length, or is no numbers, has none.
fn add_tube(muscle: &Spindle, points: &mut Vec<FleshData>, indices: &mut Vec<u32>) {
    let line = &muscle.line;
    let length: f32 = line.windows(2).map(|w| (w[1] - w[0]).norm()).sum();
    if length.is_nan() || length <= 1e-6 || !length.is_finite() || !muscle.radius.is_finite() {
        return;
    }
    let first = points.len() as u32;
    let mut across = Vector3::zeros();
    for ring in 0..=RINGS {
        let along = ring as f32 / RINGS as f32;
        let (center, tangent) = place(line, along * length);
        // The frame is carried along without a turn about the line.
        across = (across - tangent * across.dot(&tangent))
            .try_normalize(1e-6)
            .unwrap_or_else(|| perpendicular(&tangent));
        let other = tangent.cross(&across);
        let belly = |along: f32| muscle.radius * (belly(f64::from(along)) as f32).max(TENDON);
        let step = 0.5 / RINGS as f32;
        let slope = (belly(along + step) - belly(along - step)) / (2.0 * step * length);
        for side in 0..=SIDES {
            let around = side as f32 / SIDES as f32;
            let (sin, cos) = (std::f32::consts::TAU * around).sin_cos();
            let outwards = across * cos + other * sin;
            points.push(FleshData {
                position: (center + outwards * belly(along)).into(),
                normal: (outwards - tangent * slope).normalize().into(),
                color: muscle.color,
                at: [along, around],
            });
        }
    }
    let row = SIDES as u32 + 1;
    for ring in 0..RINGS as u32 {
        for side in 0..SIDES as u32 {
            let a = first + ring * row + side;
            indices.extend([a, a + 1, a + row, a + 1, a + row + 1, a + row]);
        }
    }
}

/// The point at a distance along a line, and the direction there, smoothed over the corners of its chords.
fn place(line: &[Point3<f32>], arc: f32) -> (Point3<f32>, Vector3<f32>) {
    let direction = |k: usize| {
        let k = k.min(line.len() - 2);
        (line[k + 1] - line[k]).try_normalize(1e-9)
    };
    let mut left = arc;
    for (k, chord) in line.windows(2).enumerate() {
        let way = chord[1] - chord[0];
        let length = way.norm();
        if left <= length || k + 2 == line.len() {
            let share = if length > 0.0 { (left / length).clamp(0.0, 1.0) } else { 0.0 };
            let own = direction(k).unwrap_or_else(Vector3::x);
            let beside = if share < 0.5 { direction(k.saturating_sub(1)) } else { direction(k + 1) };
            let tangent = own + (beside.unwrap_or(own) - own) * (share - 0.5).abs();
            return (chord[0] + way * share, tangent.try_normalize(1e-6).unwrap_or(own));
        }
        left -= length;
    }
    (line[0], Vector3::x())
}

fn perpendicular(v: &Vector3<f32>) -> Vector3<f32> {
    let other = if v.z.abs() > 0.9 { Vector3::x() } else { Vector3::z() };
    v.cross(&other).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tube_is_as_wide_as_its_belly_and_faces_outwards() {
        let line = (0..=10).map(|k| Point3::new(0.02 * k as f32, 0.1, 0.0)).collect();
        let muscle = Spindle { line, radius: 0.03, color: Spindle::FLESH };
        let (mut points, mut indices) = (Vec::new(), Vec::new());
        add_tube(&muscle, &mut points, &mut indices);
        let off = |p: &FleshData| (p.position[1] - 0.1).hypot(p.position[2]);
        let widest = points.iter().map(off).fold(0.0, f32::max);
        assert!((widest - 0.03).abs() < 1e-4, "{widest}");
        for p in &points {
            let outwards = p.normal[1] * (p.position[1] - 0.1) + p.normal[2] * p.position[2];
            assert!(outwards > 0.5 * off(p), "{p:?}");
        }
        assert!(indices.iter().all(|k| (*k as usize) < points.len()));
    }

    #[test]
    fn a_muscle_without_length_or_of_no_numbers_is_left_out() {
        for line in
            [vec![], vec![Point3::origin(); 4], vec![Point3::origin(), Point3::new(f32::NAN, 0.0, 0.0)]]
        {
            let (mut points, mut indices) = (Vec::new(), Vec::new());
            add_tube(&Spindle { line, radius: 0.03, color: Spindle::FLESH }, &mut points, &mut indices);
            assert!(points.is_empty() && indices.is_empty());
        }
    }
}
