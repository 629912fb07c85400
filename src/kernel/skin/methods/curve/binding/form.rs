//! A skin on curves as plain data: what both the processor and a shader, `shaders/curves.wgsl`, deform.

use std::sync::Arc;

use super::packed::PackedSkin;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Posed;
use crate::kernel::skin::gpu::boxes::{Around, include, include_moved};
use crate::kernel::skin::gpu::{EVERY_DEVICE, GpuForm, PoseWritten, Poses, Prepared, Stage};
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
    fn words(&self) -> Vec<u32> {
        self.skin.words(!self.muscles.is_empty())
    }

    /// Whether every device can bind the buffer.
    pub fn fits_devices(&self) -> bool {
        self.skin.word_count() * 4 <= EVERY_DEVICE
    }

    /// The samples that a vertex follows.
    fn samples_of(&self, i: usize) -> impl Iterator<Item = usize> {
        self.skin.places_of(i).iter().flat_map(|place| [0, 1].map(|k| place.sample as usize + k))
    }

    /// The farthest that muscles take a vertex.
    fn reach_of(&self, i: usize) -> f32 {
        let length = |o: [f32; 3]| (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]).sqrt();
        self.skin
            .pushes_of(i)
            .iter()
            .map(|push| length(push.offset) * crate::kernel::skin::methods::curve::muscle::MOST_GROWTH as f32)
            .sum()
    }
}

impl GpuForm for CurveForm {
    fn prepare(&self, mesh: &Mesh) -> Option<Prepared> {
        if self.skin.vertex_count() != mesh.vertex_count() {
            return None;
        }
        let mut boxes: Vec<Around> = vec![None; self.rig.links.sample_count()];
        let mut still = None;
        for (i, p) in mesh.positions.iter().enumerate() {
            let (p, mut follows): ([f32; 3], bool) = ((*p).into(), false);
            for sample in self.samples_of(i) {
                follows = true;
                // A muscle moves the vertex by its reach at most.
                let reach = self.reach_of(i);
                for sign in [-1.0, 1.0] {
                    include(&mut boxes[sample], p.map(|x| x + sign * reach));
                }
            }
            if !follows {
                include(&mut still, p);
            }
        }
        let stages = vec![Stage { entry: "curves", rows: self.words() }];
        let poses = CurvePoses { form: self.clone(), boxes, still, scratch: Scratch::default() };
        Some(Prepared { stages, poses: Box::new(poses) })
    }
}

struct CurvePoses {
    form: CurveForm,
    /// For each sample the rest box of what follows it.
    boxes: Vec<Around>,
    /// The rest box of what follows nothing.
    still: Around,
    scratch: Scratch,
}

impl Poses for CurvePoses {
    /// The samples, then the growths of the muscles.
    fn write(&mut self, posed: &Posed, floats: &mut Vec<f32>) -> Option<PoseWritten> {
        if self.form.rig.joint_count() > posed.matrices.len() {
            return None;
        }
        self.form.pose(posed, &mut self.scratch);
        let Scratch { frames, growths, .. } = &self.scratch;
        floats.extend_from_slice(bytemuck::cast_slice(frames));
        let second = (!growths.is_empty()).then_some(frames.len() * 4);
        floats.extend_from_slice(growths);
        floats.resize(floats.len().next_multiple_of(4), 0.0);
        let mut around = self.still;
        include_moved(&mut around, &self.boxes, frames);
        Some(PoseWritten { second, bounds: around.unwrap_or_default() })
    }
}
