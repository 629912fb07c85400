//! What a trial of any skin of a character begins with: the poses, linear blending in each, and what a skin falls back
//! to. None of it knows the method, so that it is made once for a mesh and rig.

use std::sync::Arc;

use rayon::prelude::*;

use super::Guard;
use super::fallback::Fallback;
use super::hold::{WORDS, settle};
use super::judge::{Baseline, Judge, Scratch, Welded};
use super::trials::{Trial, trials};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::methods::dual_quaternion::BoundDualQuaternions;
use crate::kernel::skin::{BindError, Bound};

/// A character made ready to have skins tried on it.
pub struct Prepared {
    judge: Judge,
    tried: Vec<TrialWithBaseline>,
    ground: Fallback,
    /// For each vertex how much of the ground is dual quaternions'.
    round: Vec<f32>,
}

/// A pose and what linear blending does in it.
pub(super) struct TrialWithBaseline {
    pub(super) trial: Arc<Trial>,
    pub(super) posed: Posed,
    pub(super) baseline: Baseline,
    pub(super) linear: Welded,
    ground: Welded,
}

impl TrialWithBaseline {
    /// Where the points of that ground are kept: linear blending alone is no other skin.
    pub(super) fn ground_of(&self, ground: &Fallback) -> &Welded {
        if ground.is_linear() { &self.linear } else { &self.ground }
    }
}

impl Prepared {
    /// Blends every pose linearly, and tries dual quaternions: where they are no worse, they are what a method falls
    /// back to.
    pub fn new(character: &Character, progress: &dyn Progress) -> Result<Self, BindError> {
        progress.step(0.0, WORDS);
        let trials = trials(character);
        let (judged, count) = (character.clone(), trials.len());
        let judge = unless_cancelled(progress, move || Judge::new(&judged, count))??;
        let tried: Vec<TrialWithBaseline> = trials
            .into_par_iter()
            .map_init(Scratch::default, |scratch, trial| {
                progress.check()?;
                let posed = judge.posed(&trial.pose);
                let (linear, ground) = Default::default();
                let baseline = judge.baseline(&posed, &linear, scratch);
                Ok(TrialWithBaseline { trial: Arc::new(trial), posed, baseline, linear, ground })
            })
            .collect::<Result<_, BindError>>()?;
        let all = 0..character.mesh.vertex_count();
        let dual = BoundDualQuaternions::of_some(character, all.clone())?;
        let flat = settle(&judge, (&dual, &judge.linear), &tried, &Span::new(progress, 0.2, 1.0))?;
        let of_vertices = judge.gauge.surface().point_of_vertex.iter();
        let round: Vec<f32> = of_vertices.map(|p| 1.0 - flat.held[*p as usize]).collect();
        let ground = Fallback::new(character, all, round.clone())?;
        Ok(Self { judge, tried, ground, round })
    }

    /// Tries a bound method on its character and says where it must be held back.
    pub fn guard(&self, pure: &dyn Bound, progress: &dyn Progress) -> Result<Guard, BindError> {
        let hold = settle(&self.judge, (pure, &self.ground), &self.tried, progress)?;
        Ok(hold.finish(&self.judge, self.round.clone(), self.tried.len()))
    }
}
