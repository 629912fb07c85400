//! Rigs a mesh: a skeleton from its tags (or the one it has), and automatic weights.

use std::sync::Arc;
use std::time::Instant;

use super::{Job, JobError};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Tags, from_tags};
use crate::kernel::weights::{self, Kind, WeightsError};

/// Give `character` weights, and a skeleton where tags are given.
pub struct RigMesh {
    /// A mesh, with a skeleton unless `tags` make one.
    pub character: Character,
    /// Joint tags; `None` keeps the character's own skeleton.
    pub tags: Option<Tags>,
    /// How to compute the weights.
    pub kind: Kind,
}

/// A rigged character and how it came about.
#[derive(Debug)]
pub struct Rigged {
    /// The character with its new skeleton and weights.
    pub character: Character,
    /// How long it took.
    pub seconds: f64,
}

impl Job for RigMesh {
    type Output = Rigged;

    fn title(&self) -> String {
        "Rigging the mesh".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Rigged, JobError> {
        let begun = Instant::now();
        let mut character = self.character;
        if let Some(tags) = &self.tags {
            progress.step(0.0, "Building the skeleton");
            let built = from_tags::skeleton(tags, Some(&character.mesh)).map_err(JobError::failed)?;
            built.warnings.iter().for_each(|warning| progress.warn(warning));
            character.skeleton = Arc::new(built.skeleton);
            // Motions of another skeleton would move the wrong joints.
            character.clips.clear();
        }
        if character.skeleton.is_empty() {
            return Err(JobError::Failed(format!(
                "“{}” has no skeleton; give its joint tags with --tags or place them in the window",
                character.name
            )));
        }
        let weights =
            weights::bind(self.kind, &character.mesh, &character.skeleton, &Span::new(progress, 0.05, 1.0))
                .map_err(|error| match error {
                WeightsError::Cancelled(cancelled) => JobError::Cancelled(cancelled),
                other => JobError::failed(other),
            })?;
        character.weights = Arc::new(weights);
        Ok(Rigged { character, seconds: begun.elapsed().as_secs_f64() })
    }
}
