//! Blends of joints on the device: weights, the pose as the kernels read it, and a box around.

use super::bounds::{Around, include};
use super::{storage, within_limits};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{Posed, Weights};
use crate::kernel::skin::gpu::GpuKernel;

/// Weights on the device.
pub(super) struct GpuWeights {
    pub(super) buffer: wgpu::Buffer,
    joint_bound: usize,
    /// For each joint the rest box of what it moves; at the end that of what nothing moves.
    boxes: Vec<Around>,
}

impl GpuWeights {
    /// Offsets, then pairs of joint and weight; `None` when the device cannot bind as much.
    pub(super) fn new(device: &wgpu::Device, mesh: &Mesh, weights: &Weights) -> Option<Self> {
        let mut words: Vec<u32> = Vec::with_capacity(weights.len() * 9 + 1);
        words.push(0);
        let mut end = 0;
        for row in weights.rows() {
            end += row.len() as u32;
            words.push(end);
        }
        words.extend(
            weights
                .rows()
                .flatten()
                .flat_map(|influence| [u32::from(influence.joint), influence.weight.to_bits()]),
        );
        if !within_limits(device, &words) {
            return None;
        }
        let joint_bound = weights.joint_bound();
        let mut boxes = vec![None; joint_bound + 1];
        for (row, p) in weights.rows().zip(&mesh.positions) {
            let p: [f32; 3] = (*p).into();
            if row.is_empty() {
                include(&mut boxes[joint_bound], p);
            }
            row.iter().for_each(|influence| include(&mut boxes[usize::from(influence.joint)], p));
        }
        Some(Self { buffer: storage(device, "weights", &words), joint_bound, boxes })
    }

    /// Whether every joint that the weights name is in the pose.
    pub(super) fn fits(&self, posed: &Posed) -> bool {
        self.joint_bound <= posed.matrices.len() && !posed.matrices.is_empty()
    }

    /// A box around the posed skin: blended points lie between where each joint would take them.
    pub(super) fn bounds(&self, posed: &Posed) -> [[f32; 3]; 2] {
        let mut around = self.boxes[self.joint_bound];
        for (corners, [a, b, c, t]) in self.boxes.iter().zip(&posed.matrices) {
            let Some(corners) = corners else { continue };
            for corner in 0..8 {
                let [x, y, z] = [0, 1, 2].map(|axis| corners[(corner >> axis) & 1][axis]);
                include(&mut around, std::array::from_fn(|k| a[k] * x + b[k] * y + c[k] * z + t[k]));
            }
        }
        around.unwrap_or_default()
    }
}

/// Writes the pose as `kernel` reads it; gives where the stretches begin.
pub(super) fn pose_floats(kernel: GpuKernel, posed: &Posed, floats: &mut Vec<f32>) -> Option<usize> {
    floats.clear();
    match kernel {
        GpuKernel::Linear => {
            floats.extend_from_slice(bytemuck::cast_slice(&posed.matrices));
            None
        }
        GpuKernel::DualQuaternion => {
            floats.extend_from_slice(bytemuck::cast_slice(&posed.motions));
            floats.extend_from_slice(bytemuck::cast_slice(&posed.stretches));
            (!posed.stretches.is_empty()).then_some(posed.motions.len() * 2)
        }
    }
}
