//! What a shader needs to deform a skin as a method does: plain data, no GPU.

use std::sync::Arc;

use super::controls::{ControlRows, Controls, FineJoints};
use super::methods::curve::CurveForm;
use super::surface_normals::SurfaceNormals;
use crate::kernel::rig::Weights;

/// Bytes of one buffer that every graphics device can bind.
pub const EVERY_DEVICE: usize = 128 << 20;

/// A bound method as data for compute shaders: with the rest mesh and a pose it says everything.
#[derive(Debug, Clone)]
pub enum GpuForm {
    /// Blends of joints.
    Blend {
        /// Which shader.
        kernel: GpuKernel,
        /// One row per vertex.
        weights: Arc<Weights>,
    },
    /// Sums of controls.
    Controls(ControlForm),
    /// Frames along curves.
    Curves(CurveForm),
}

/// The shaders that blend joints; one WGSL entry point each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GpuKernel {
    /// Sums of matrices.
    Linear,
    /// Sums of dual quaternions, after sums of stretches.
    DualQuaternion,
}

/// A skin that hangs on controls; see [`super::controls`].
#[derive(Debug, Clone)]
pub struct ControlForm {
    /// One row per vertex.
    pub rows: Arc<ControlRows>,
    /// What fine joints add.
    pub fine: Arc<FineJoints>,
    /// How normals follow the surface.
    pub normals: Arc<SurfaceNormals>,
    /// Where the controls are: the one part that runs on the CPU each frame.
    pub controls: Arc<dyn Controls>,
}

impl ControlForm {
    /// Offsets of rows, pairs of control and weight; where fine joints are, offsets and triples of
    /// joint, anchor and weight.
    pub fn row_words(&self) -> Vec<u32> {
        let count = self.rows.len();
        let mut words = Vec::with_capacity(self.row_word_count());
        words.push(0);
        words.extend(self.rows.rows().scan(0, |end, row| {
            *end += row.len() as u32;
            Some(*end)
        }));
        let shares = self.rows.rows().flatten();
        words.extend(shares.flat_map(|share| [share.control, share.weight.to_bits()]));
        if !self.fine.is_empty() {
            let first = words.len();
            words.resize(first + count + 1, 0);
            for (i, _, terms) in self.fine.vertices() {
                words[first + i + 1] = terms.len() as u32;
            }
            (first..first + count).for_each(|k| words[k + 1] += words[k]);
            let terms = self.fine.vertices().flat_map(|(_, _, terms)| terms);
            words.extend(
                terms.flat_map(|term| [u32::from(term.joint), u32::from(term.anchor), term.weight.to_bits()]),
            );
        }
        words
    }

    /// Whether every device can bind the buffers.
    pub fn fits_devices(&self) -> bool {
        self.row_word_count().max(self.normals.word_count()) * 4 <= EVERY_DEVICE
    }

    fn row_word_count(&self) -> usize {
        let fine = if self.fine.is_empty() { 0 } else { self.rows.len() + 1 + self.fine.term_count() * 3 };
        self.rows.len() + 1 + self.rows.weight_count() * 2 + fine
    }
}
