//! What a skin falls back to where it is held back: dual quaternions where those were tried and are nowhere worse than
//! linear blending; linear blending everywhere else, and near a bend by a half turn, which dual quaternions jump at. A
//! limb that is held back keeps most of its girth in a twist then.

use crate::kernel::memory::Tally;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::methods::dual_quaternion::BoundDualQuaternions;
use crate::kernel::skin::methods::linear::BoundLinear;
use crate::kernel::skin::{BindError, Bound, Skin};

/// The skin of some vertices to fall back to.
pub(super) struct Fallback {
    linear: BoundLinear,
    /// Dual quaternions of the same vertices, and how much of each vertex is theirs, in 0..=1.
    round: Option<(BoundDualQuaternions, Vec<f32>)>,
}

impl Fallback {
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

    /// Whether it is linear blending everywhere.
    pub(super) fn is_linear(&self) -> bool {
        self.round.is_none()
    }

    /// Adds what it takes of memory.
    pub(super) fn weigh(&self, tally: &mut Tally) {
        self.linear.weigh(tally);
        if let Some((dual, shares)) = &self.round {
            dual.weigh(tally);
            tally.add_all(shares);
        }
    }

    /// Writes the skin; `scratch` is room for a second one.
    pub(super) fn deform(&self, posed: &Posed, skin: &mut Skin, scratch: &mut Skin) {
        self.linear.deform(posed, skin);
        let Some((dual, shares)) = &self.round else { return };
        dual.deform(posed, scratch);
        for (i, (share, certainty)) in shares.iter().zip(dual.certainties(posed)).enumerate() {
            let share = share * certainty;
            if share > 0.0 {
                skin.approach(i, scratch, i, share);
            }
        }
    }
}
