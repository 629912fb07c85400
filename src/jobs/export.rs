//! Writes a character as GLB.

use std::path::PathBuf;
use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::{Job, JobError};
use crate::io::{atomic, gltf};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::geom::measure::error_percent;
use crate::kernel::progress::{Progress, Silent};
use crate::kernel::rig::{Character, Pose, Posed, Skeleton, motions};
use crate::kernel::skin::methods::linear::Linear;
use crate::kernel::skin::{Libraries, Method, Params, Skin};

/// Of more joints than this only some are bent, evenly chosen.
const MOST_BENT: usize = 128;

/// Write `character` to `path`.
pub struct ExportGlb {
    /// What.
    pub character: Character,
    /// Influences to keep on a vertex; all when `None`.
    pub max_influences: Option<usize>,
    /// Where.
    pub path: PathBuf,
}

impl Job for ExportGlb {
    type Output = ();

    fn title(&self) -> String {
        format!("Writing {}", self.path.display())
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        progress.step(0.0, "Writing");
        if let Some(limit) =
            self.max_influences.filter(|limit| *limit < self.character.weights.max_influences())
        {
            let character = self.character.clone();
            progress.warn(&unless_cancelled(progress, move || pruning_cost(&character, limit))??);
        }
        let options = gltf::WriteOptions { max_influences: self.max_influences };
        let bytes = unless_cancelled(progress, move || gltf::write_glb(&self.character, &options))?;
        let bytes = bytes.map_err(JobError::failed)?;
        progress.check()?;
        atomic::write(&self.path, &bytes)
            .map_err(|error| JobError::Failed(format!("{} cannot be written: {error}", self.path.display())))
    }
}

/// What keeping only `limit` joints on a vertex costs: in weight, and in the skin over a range of poses.
fn pruning_cost(character: &Character, limit: usize) -> Result<String, JobError> {
    let (weights, cost) = character.weights.pruned(limit);
    let pruned = Character { weights: Arc::new(weights), ..character.clone() };
    let bind =
        |character: &Character| Linear.bind(character, &Libraries::default(), &Params::default(), &Silent);
    let (whole, part) = (bind(character)?, bind(&pruned)?);
    let (mut before, mut after) = (Skin::default(), Skin::default());
    let mut largest = 0.0_f64;
    for pose in trial_poses(&character.skeleton) {
        let posed = Posed::of(&character.skeleton, &pose);
        whole.deform(&posed, &mut before);
        part.deform(&posed, &mut after);
        let (_, off) =
            error_percent(&before.positions, &after.positions, f64::from(character.mesh.diagonal()));
        largest = largest.max(off);
    }
    Ok(format!(
        "{} vertices kept only their {limit} strongest joints: one lost {:.1} % of its weight, and over a range of \
         poses the skin moves by at most {largest:.3} % of its size.",
        cost.vertices,
        100.0 * cost.largest_share
    ))
}

/// Moments of the range of motion, or for what is no biped its joints bent by 60° in turn.
fn trial_poses(skeleton: &Skeleton) -> Box<dyn Iterator<Item = Pose> + '_> {
    match motions::range_of_motion(skeleton) {
        Some(clip) => {
            Box::new((0..24).map(move |k| clip.sample(skeleton, clip.seconds * f64::from(k) / 23.0)))
        }
        None => {
            let joints = (0..skeleton.len()).step_by(skeleton.len().div_ceil(MOST_BENT).max(1));
            Box::new(joints.map(|j| {
                let axis = motions::axes::bend_axis_of(skeleton, None, j);
                let mut pose = Pose::rest(skeleton);
                let turn = UnitQuaternion::from_axis_angle(&axis, std::f64::consts::FRAC_PI_3);
                pose.turn_from_rest_in_world(skeleton, j, turn);
                pose
            }))
        }
    }
}
