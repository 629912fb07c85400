//! Skins on curves, on the device: places and pushes, the frame's samples, and a box around.

use super::bounds::{Around, include};
use super::{storage, within_limits};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{JointMatrix, Posed};
use crate::kernel::skin::methods::curve::CurveForm;

/// A [`CurveForm`] on the device.
pub(super) struct GpuCurves {
    /// [`CurveForm::words`].
    pub(super) rows: wgpu::Buffer,
    vertex_count: usize,
    joint_count: usize,
    /// For each sample the rest box of what follows it.
    boxes: Vec<Around>,
    /// The rest box of what follows nothing.
    still: Around,
}

impl GpuCurves {
    /// Uploads `form`; `None` when the device cannot bind as much.
    pub(super) fn new(device: &wgpu::Device, mesh: &Mesh, form: &CurveForm) -> Option<Self> {
        let words = form.words();
        if !within_limits(device, &words) || form.vertex_count() != mesh.vertex_count() {
            return None;
        }
        let mut boxes: Vec<Around> = vec![None; form.sample_count()];
        let mut still = None;
        for (i, p) in mesh.positions.iter().enumerate() {
            let (p, mut follows): ([f32; 3], bool) = ((*p).into(), false);
            for sample in form.samples_of(i) {
                follows = true;
                // A muscle moves the vertex by its reach at most.
                let reach = form.reach_of(i);
                for sign in [-1.0, 1.0] {
                    include(&mut boxes[sample], p.map(|x| x + sign * reach));
                }
            }
            if !follows {
                include(&mut still, p);
            }
        }
        Some(Self {
            rows: storage(device, "curve places", &words),
            vertex_count: mesh.vertex_count(),
            joint_count: form.joint_count(),
            boxes,
            still,
        })
    }

    /// Whether it belongs to `mesh`, and the pose has its joints.
    pub(super) fn fits(&self, mesh: &Mesh, posed: &Posed) -> bool {
        self.vertex_count == mesh.vertex_count() && self.joint_count <= posed.matrices.len()
    }

    /// A box around the posed skin: a vertex lies between where the samples that it follows take it.
    pub(super) fn bounds(&self, frames: &[JointMatrix]) -> [[f32; 3]; 2] {
        let mut around = self.still;
        for (corners, [a, b, c, t]) in self.boxes.iter().zip(frames) {
            let Some(corners) = corners else { continue };
            for corner in 0..8 {
                let [x, y, z] = [0, 1, 2].map(|axis| corners[(corner >> axis) & 1][axis]);
                include(&mut around, std::array::from_fn(|k| a[k] * x + b[k] * y + c[k] * z + t[k]));
            }
        }
        around.unwrap_or_default()
    }
}

/// Writes what the shader reads of a frame: the samples, then the growths of the muscles; gives where they begin.
pub(super) fn frame_floats(frames: &[JointMatrix], growths: &[f32], floats: &mut Vec<f32>) -> Option<usize> {
    floats.clear();
    floats.extend_from_slice(bytemuck::cast_slice(frames));
    floats.extend_from_slice(growths);
    floats.resize(floats.len().next_multiple_of(4), 0.0);
    (!growths.is_empty()).then_some(frames.len() * 4)
}
