//! Rigs a mesh: a skeleton from its tags (or the one it has), and automatic weights.

use std::sync::Arc;
use std::time::Instant;

use super::{Job, JobError};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Tag, Tags, skeleton_from_tags};
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
            let tags = in_metres(tags, &character, progress)?;
            let skeleton =
                skeleton_from_tags(&tags, Some(&character.mesh), progress).map_err(JobError::failed)?;
            character.skeleton = Arc::new(skeleton);
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

/// Tags that lie on the mesh as its file has it, not as it was read, are brought along; tags that
/// lie on neither are refused.
fn in_metres(tags: &Tags, character: &Character, progress: &dyn Progress) -> Result<Tags, JobError> {
    let [low, high] = character.bounds();
    let slack = (high - low) * 0.25;
    let fits = |tags: &Tags| {
        let on_mesh = |tag: &Tag| (low - slack) <= tag.position && tag.position <= (high + slack);
        tags.iter().filter(|tag| on_mesh(tag)).count() * 2 > tags.iter().len()
    };
    if fits(tags) {
        return Ok(tags.clone());
    }
    let moved: Option<Tags> = character.source.file_from_world.inverse().map(|world_from_file| {
        tags.iter()
            .map(|tag| Tag { position: world_from_file.transform_point(&tag.position), ..*tag })
            .collect()
    });
    match moved.filter(fits) {
        Some(moved) => {
            progress
                .warn("The tags are in the file's own units and axes; they were brought to metres and Y up.");
            Ok(moved)
        }
        None => Err(JobError::Failed(format!(
            "the tags do not lie on the mesh, which spans {:.2} to {:.2}, {:.2} to {:.2}, {:.2} to {:.2} m",
            low.x, high.x, low.y, high.y, low.z, high.z
        ))),
    }
}
