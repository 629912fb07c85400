//! Blends of joints in shaders: `shaders/blend.wgsl`.

use std::sync::Arc;

use super::boxes::{Around, include, include_moved};
use super::{GpuForm, PoseWritten, Poses, Prepared, Stage};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{Posed, Weights};

/// The shaders that blend joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlendKernel {
    /// Sums of matrices.
    Linear,
    /// Sums of dual quaternions, after sums of stretches.
    DualQuaternion,
}

/// A blend of joints.
#[derive(Debug, Clone)]
pub struct BlendForm {
    /// How they are blended.
    pub kernel: BlendKernel,
    /// One row per vertex.
    pub weights: Arc<Weights>,
}

struct BlendPoses {
    kernel: BlendKernel,
    /// For each joint the rest box of what it moves.
    boxes: Vec<Around>,
    /// The rest box of what nothing moves.
    still: Around,
}

impl GpuForm for BlendForm {
    fn prepare(&self, mesh: &Mesh) -> Option<Prepared> {
        let weights = &self.weights;
        if weights.len() != mesh.vertex_count() {
            return None;
        }
        let mut poses =
            BlendPoses { kernel: self.kernel, boxes: vec![None; weights.joint_bound()], still: None };
        for (row, p) in weights.rows().zip(&mesh.positions) {
            let p: [f32; 3] = (*p).into();
            if row.is_empty() {
                include(&mut poses.still, p);
            }
            row.iter().for_each(|influence| include(&mut poses.boxes[usize::from(influence.joint)], p));
        }
        let entry = match self.kernel {
            BlendKernel::Linear => "linear",
            BlendKernel::DualQuaternion => "dual_quaternion",
        };
        Some(Prepared { stages: vec![Stage { entry, rows: words(weights) }], poses: Box::new(poses) })
    }
}

/// Offsets, then pairs of joint and weight.
fn words(weights: &Weights) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::with_capacity(weights.len() * 9 + 1);
    words.push(0);
    words.extend(weights.rows().scan(0, |end, row| {
        *end += row.len() as u32;
        Some(*end)
    }));
    let influences = weights.rows().flatten();
    words.extend(influences.flat_map(|influence| [u32::from(influence.joint), influence.weight.to_bits()]));
    words
}

impl Poses for BlendPoses {
    fn write(&mut self, posed: &Posed, floats: &mut Vec<f32>) -> Option<PoseWritten> {
        if self.boxes.len() > posed.matrices.len() || posed.matrices.is_empty() {
            return None;
        }
        let mut second = None;
        match self.kernel {
            BlendKernel::Linear => floats.extend_from_slice(bytemuck::cast_slice(&posed.matrices)),
            BlendKernel::DualQuaternion => {
                floats.extend_from_slice(bytemuck::cast_slice(&posed.motions));
                floats.extend_from_slice(bytemuck::cast_slice(&posed.stretches));
                second = (!posed.stretches.is_empty()).then_some(posed.motions.len() * 2);
            }
        }
        let mut around = self.still;
        include_moved(&mut around, &self.boxes, &posed.matrices);
        Some(PoseWritten { second, bounds: around.unwrap_or_default() })
    }
}
