//! A skin on curves as plain data: what both the processor and a shader deform.

use std::sync::Arc;

use super::packed::PackedSkin;
use crate::kernel::rig::Posed;
use crate::kernel::skin::gpu::EVERY_DEVICE;
use crate::kernel::skin::methods::curve::motion::frames::Scratch;
use crate::kernel::skin::methods::curve::muscle::RiggedMuscle;
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;

/// Curves, muscles and the skin that follows them.
#[derive(Debug, Clone)]
pub struct CurveForm {
    /// The curve skeleton.
    pub rig: Arc<CurveRig>,
    /// The muscles on it.
    pub muscles: Arc<[Arc<RiggedMuscle>]>,
    /// The skin.
    pub(in crate::kernel::skin::methods::curve) skin: Arc<PackedSkin>,
}

impl CurveForm {
    /// Works out the frames of all samples and the growths of all muscles.
    pub fn pose(&self, posed: &Posed, scratch: &mut Scratch) {
        self.rig.pose(posed, scratch);
        scratch.growths.clear();
        scratch.growths.extend(self.muscles.iter().map(|muscle| muscle.growth(&scratch.frames) as f32));
    }

    /// Offsets of rows, then sample, place between two, weight and gradient of each place; where muscles are,
    /// offsets, then muscle, offset and change of the normal of each push.
    pub fn words(&self) -> Vec<u32> {
        self.skin.words(!self.muscles.is_empty())
    }

    /// Whether every device can bind the buffer.
    pub fn fits_devices(&self) -> bool {
        self.skin.word_count() * 4 <= EVERY_DEVICE
    }

    /// How many vertices.
    pub fn vertex_count(&self) -> usize {
        self.skin.vertex_count()
    }

    /// How many samples.
    pub fn sample_count(&self) -> usize {
        self.rig.links.sample_count()
    }

    /// How many joints a pose must have.
    pub fn joint_count(&self) -> usize {
        self.rig.joint_count()
    }

    /// The samples that a vertex follows.
    pub fn samples_of(&self, i: usize) -> impl Iterator<Item = usize> {
        self.skin.places_of(i).iter().flat_map(|place| [0, 1].map(|k| place.sample as usize + k))
    }

    /// The farthest that muscles take a vertex.
    pub fn reach_of(&self, i: usize) -> f32 {
        let length = |o: [f32; 3]| (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]).sqrt();
        self.skin
            .pushes_of(i)
            .iter()
            .map(|push| length(push.offset) * crate::kernel::skin::methods::curve::muscle::MOST_GROWTH as f32)
            .sum()
    }
}
