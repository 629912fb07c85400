//! Rigs a mesh: a skeleton from its tags or its shape (or the one it has), and automatic weights.

use std::sync::Arc;
use std::time::Instant;

use super::{Job, JobError};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{
    Character, ShapeError, ShapeOptions, Skeleton, Tag, Tags, skeleton_from_shape, skeleton_from_tags,
};
use crate::kernel::weights::{self, Kind, WeightsError};

/// Where the skeleton comes from.
#[derive(Debug, Clone)]
pub enum SkeletonSource {
    /// The one that the character has.
    Own,
    /// A biped's joint tags.
    Tags(Tags),
    /// The shape of the mesh alone.
    Shape,
}

/// Give `character` a skeleton and weights.
pub struct RigMesh {
    /// A mesh, with a skeleton unless one is made.
    pub character: Character,
    /// Where the skeleton comes from.
    pub skeleton: SkeletonSource,
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
        let building = Span::new(progress, 0.0, self.skeleton.share());
        if let Some(skeleton) = self.skeleton.build(&character, &building)? {
            character.skeleton = Arc::new(skeleton);
            // Motions of another skeleton would move the wrong joints.
            character.clips.clear();
        }
        if character.skeleton.is_empty() {
            return Err(JobError::Failed(format!(
                "“{}” has no skeleton; give its joint tags with --tags, take one from its shape with \
                 --skeleton shape, or place the tags in the window",
                character.name
            )));
        }
        let binding = Span::new(progress, self.skeleton.share(), 1.0);
        let weights =
            weights::bind(self.kind, &character.mesh, &character.skeleton, &binding).map_err(|error| {
                match error {
                    WeightsError::Cancelled(cancelled) => JobError::Cancelled(cancelled),
                    other => JobError::failed(other),
                }
            })?;
        character.weights = Arc::new(weights);
        Ok(Rigged { character, seconds: begun.elapsed().as_secs_f64() })
    }
}

impl SkeletonSource {
    /// The share of the whole work that building the skeleton is.
    fn share(&self) -> f32 {
        if matches!(self, Self::Shape) { 0.6 } else { 0.05 }
    }

    /// A new skeleton; `None` keeps the character's own.
    fn build(&self, character: &Character, progress: &dyn Progress) -> Result<Option<Skeleton>, JobError> {
        match self {
            Self::Own => Ok(None),
            Self::Tags(tags) => {
                progress.step(0.0, "Building the skeleton");
                let tags = in_metres(tags, character, progress)?;
                let built = skeleton_from_tags(&tags, Some(&character.mesh), progress);
                built.map(Some).map_err(JobError::failed)
            }
            Self::Shape => {
                let built = skeleton_from_shape(&character.mesh, &ShapeOptions::default(), progress);
                built.map(Some).map_err(|error| match error {
                    ShapeError::Cancelled(cancelled) => JobError::Cancelled(cancelled),
                    other => JobError::failed(other),
                })
            }
        }
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
