//! What a skin falls back to where it is held back: dual quaternions where those were tried and are nowhere worse than
//! linear blending, linear blending everywhere else. A limb that is held back keeps its girth in a twist then.

use crate::kernel::math::DualQuaternion;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::blend::BlendVertex;
use crate::kernel::skin::methods::dual_quaternion::BoundDualQuaternions;
use crate::kernel::skin::methods::linear::BoundLinear;
use crate::kernel::skin::{BindError, Bound, Skin};

/// Two joints are turned against each other by 180 degrees where the cosine of half that angle is 0; there dual
/// quaternions go over to the other way round. From this cosine on (160 degrees) they give way to linear blending.
const OPPOSED: f32 = 0.174;
/// A joint with less than this share of a vertex is heard the less.
const SLIGHT: f32 = 0.05;

/// The skin of some vertices to fall back to.
pub(super) struct Ground {
    linear: BoundLinear,
    /// Dual quaternions of the same vertices, and how much of each vertex is theirs, in 0..=1.
    round: Option<(BoundDualQuaternions, Vec<f32>)>,
}

impl Ground {
    /// Linear blending of the whole character.
    pub(super) fn linear(character: &Character) -> Result<Self, BindError> {
        let all = 0..character.mesh.vertex_count();
        Ok(Self { linear: BoundLinear::of_some(character, all)?, round: None })
    }

    /// Some `vertices`, in that order; `round` says of each how much of it is dual quaternions'.
    pub(super) fn new(
        character: &Character,
        vertices: impl ExactSizeIterator<Item = usize> + Clone,
        round: Vec<f32>,
    ) -> Result<Self, BindError> {
        let linear = BoundLinear::of_some(character, vertices.clone())?;
        let is_round = round.iter().any(|share| *share > 0.0);
        let dual = is_round.then(|| BoundDualQuaternions::of_some(character, vertices)).transpose()?;
        Ok(Self { linear, round: dual.map(|dual| (dual, round)) })
    }

    /// Writes the skin; `scratch` is room for a second one.
    pub(super) fn deform(&self, posed: &Posed, skin: &mut Skin, scratch: &mut Skin) {
        self.linear.deform(posed, skin);
        let Some((dual, shares)) = &self.round else { return };
        dual.deform(posed, scratch);
        for (i, (share, vertex)) in shares.iter().zip(dual.vertices()).enumerate() {
            let share = share * agreement(vertex, &posed.motions);
            if share > 0.0 {
                skin.approach(i, scratch, i, share);
            }
        }
    }
}

/// 1 where a vertex's joints are turned about alike, 0 where the strongest and another are opposed.
fn agreement(vertex: &BlendVertex, motions: &[DualQuaternion]) -> f32 {
    let pivot = &motions[usize::from(vertex.joints[0])].real;
    let others = vertex.joints.iter().zip(&vertex.weights).skip(1).filter(|(_, weight)| **weight > 0.0);
    let doubt = others.map(|(joint, weight)| {
        let cosine: f32 = motions[usize::from(*joint)].real.iter().zip(pivot).map(|(a, b)| a * b).sum();
        let x = (cosine.abs() / OPPOSED).min(1.0);
        (weight / SLIGHT).min(1.0) * (1.0 - x * x * (3.0 - 2.0 * x))
    });
    1.0 - doubt.fold(0.0, f32::max)
}
