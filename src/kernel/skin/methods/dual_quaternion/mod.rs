//! Dual-quaternion skinning (Kavan, Collins, Žára, O'Sullivan 2007), DLB of section 4.
//!
//! The joints' rigid motions are blended as unit dual quaternions, each turned to the hemisphere
//! of the vertex's strongest joint so that the blend takes the shorter way. Where a pose
//! stretches joints, the stretches are blended linearly first and the rigid motions follow
//! (the paper's two-phase scheme, section 4.2).

mod told;

use std::sync::Arc;

use self::told::{Bones, UNDOUBTED};
use crate::kernel::math::DualQuaternion;
use crate::kernel::memory::Tally;
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Character, Influence, JointMatrix, Posed};
use crate::kernel::skin::blend::{Blend, BlendMesh, BlendVertex, Lanes, add_scaled, at, cross};
use crate::kernel::skin::gpu::blend::{BlendForm, BlendKernel};
use crate::kernel::skin::methods::linear::{apply_matrix, blend_matrices, flatten};
use crate::kernel::skin::{BindError, Bound, GpuForm, Info, Libraries, Method, Params, Skin};

/// The entry in the list.
pub struct DualQuaternions;

impl Method for DualQuaternions {
    fn info(&self) -> Info {
        Info {
            id: "dual_quaternion",
            label: "Dual quaternions",
            explanation: "Averages rigid motions, so twists keep their girth; bends bulge outwards.",
            paper: "Kavan et al. 2007",
        }
    }

    fn bind(
        &self,
        character: &Character,
        _libraries: &Libraries,
        _: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        progress.check()?;
        let mesh = BlendMesh::pack(character, &character.weights)?;
        let form = BlendForm { kernel: BlendKernel::DualQuaternion, weights: Arc::clone(&character.weights) };
        Ok(Box::new(BoundDualQuaternions { mesh, form: Some(Arc::new(form)), bones: None }))
    }
}

/// Dual quaternions of packed weights.
pub struct BoundDualQuaternions {
    mesh: BlendMesh,
    /// None where only some vertices are blended.
    form: Option<Arc<dyn GpuForm>>,
    /// The bones by joint, where twists go on beyond a half turn.
    bones: Option<Bones>,
}

impl BoundDualQuaternions {
    /// Binds some `vertices` alone, with the character's weights; the skin has only those, in that order. Where a pose
    /// tells that a joint is twisted beyond a half turn, they go that way round, not the shorter one.
    pub fn of_some(
        character: &Character,
        vertices: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, BindError> {
        let mesh = BlendMesh::pack_some(character, &character.weights, vertices)?;
        Ok(Self { mesh, form: None, bones: Some(Bones::of(&character.skeleton)) })
    }

    /// How sure it is in a pose which way round the joints of each vertex are turned against each other, in 0..=1. Where
    /// it is not, the next pose may be blended the other way.
    pub fn certainties<'a>(&'a self, posed: &'a Posed) -> impl Iterator<Item = f32> + 'a {
        self.mesh.vertices().iter().map(move |vertex| match &self.bones {
            Some(bones) => bones.certainty(posed, vertex),
            None => 1.0,
        })
    }
}

impl Bound for BoundDualQuaternions {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        let motions = Motions { of: &posed.motions, told: self.bones.as_ref().map(|bones| (bones, posed)) };
        if posed.stretches.is_empty() {
            self.mesh.deform(skin, &motions);
        } else {
            self.mesh.deform(skin, &StretchedMotions { motions, stretches: &posed.stretches });
        }
    }

    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        self.form.clone()
    }

    fn weigh(&self, tally: &mut Tally) {
        tally.add(self.mesh.bytes());
    }
}

/// Blends rigid motions: real part, then dual part.
struct Motions<'a> {
    of: &'a [DualQuaternion],
    /// What tells which way round joints are turned, where that is asked.
    told: Option<(&'a Bones, &'a Posed)>,
}

impl Blend<8> for Motions<'_> {
    const STILL: [f32; 8] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];

    /// Σ ± w_j q_j, not normalised: [`apply_motion`] divides by the square of its length.
    #[inline(always)]
    fn blend(&self, vertex: &BlendVertex, extra: &[Influence]) -> [f32; 8] {
        let first = usize::from(vertex.joints[0]);
        let pivot = self.of[first];
        let mut sum = DualQuaternion { real: [0.0; 4], dual: [0.0; 4] };
        let mut add = |joint: u16, weight: f32| {
            let q = &self.of[usize::from(joint)];
            let cosine = dot(&q.real, &pivot.real);
            let cosine = match &self.told {
                Some((bones, posed)) if cosine.abs() < UNDOUBTED => {
                    bones.turn(posed, first, usize::from(joint)).0 * cosine
                }
                _ => cosine,
            };
            let signed = weight.copysign(cosine);
            add_scaled(&mut sum.real, &q.real, signed);
            add_scaled(&mut sum.dual, &q.dual, signed);
        };
        for k in 0..4 {
            add(vertex.joints[k], vertex.weights[k]);
        }
        for influence in extra {
            add(influence.joint, influence.weight);
        }
        // Opposite motions in equal shares cancel out: the strongest joint decides.
        let sum = if dot(&sum.real, &sum.real) > 1e-12 { sum } else { pivot };
        std::array::from_fn(|k| if k < 4 { sum.real[k] } else { sum.dual[k - 4] })
    }

    #[inline(always)]
    fn apply(blends: &[Lanes; 8], position: &[Lanes; 3], normal: &[Lanes; 3], lane: usize) -> [[f32; 3]; 2] {
        apply_motion(blends, at(position, lane), at(normal, lane), lane)
    }
}

/// Blends rigid motions, and the stretches that go before them.
struct StretchedMotions<'a> {
    motions: Motions<'a>,
    stretches: &'a [JointMatrix],
}

impl Blend<20> for StretchedMotions<'_> {
    const STILL: [f32; 20] =
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    #[inline(always)]
    fn blend(&self, vertex: &BlendVertex, extra: &[Influence]) -> [f32; 20] {
        let motion = self.motions.blend(vertex, extra);
        let stretch = flatten(&blend_matrices(self.stretches, vertex, extra));
        std::array::from_fn(|k| if k < 8 { motion[k] } else { stretch[k - 8] })
    }

    #[inline(always)]
    fn apply(blends: &[Lanes; 20], position: &[Lanes; 3], normal: &[Lanes; 3], lane: usize) -> [[f32; 3]; 2] {
        let [p, n] = apply_matrix(&blends[8..], at(position, lane), at(normal, lane), lane);
        apply_motion(blends, p, n, lane)
    }
}

#[inline(always)]
fn dot(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// A point and a normal under the blend b = r + ε d in `lane` of the first eight `lanes`. Dividing b
/// by |r| and moving by v + 2 r × (r × v + w v) + 2 (w d − d_w r + r × d) needs no root:
/// every term has two factors of b, so 2 becomes 2 / |r|².
#[inline(always)]
fn apply_motion(lanes: &[Lanes], p: [f32; 3], n: [f32; 3], lane: usize) -> [[f32; 3]; 2] {
    let (r, w) = (at(lanes, lane), lanes[3][lane]);
    let (d, dw) = (at(&lanes[4..], lane), lanes[7][lane]);
    let twice = 2.0 / (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + w * w);
    let turn = |v: [f32; 3]| {
        let inner = cross(r, v);
        cross(r, std::array::from_fn(|k| inner[k] + w * v[k]))
    };
    let (turn_p, turn_n, rd) = (turn(p), turn(n), cross(r, d));
    [
        std::array::from_fn(|k| p[k] + twice * (turn_p[k] + w * d[k] - dw * r[k] + rd[k])),
        std::array::from_fn(|k| n[k] + twice * turn_n[k]),
    ]
}
