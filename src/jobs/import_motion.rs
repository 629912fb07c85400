//! Reads what a skeleton can take on: motions, poses, tags.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Job, JobError};
use crate::io::motion::{self, Imported};
use crate::io::{pose, tags};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Pose, Skeleton, Tags};

/// Carry the motions of the file at `path` over to `skeleton`.
pub struct ImportMotion {
    /// Which file.
    pub path: PathBuf,
    /// Whose joints shall move.
    pub skeleton: Arc<Skeleton>,
}

impl Job for ImportMotion {
    type Output = Imported;

    fn title(&self) -> String {
        format!("Importing {}", self.path.display())
    }

    fn run(self, progress: &dyn Progress) -> Result<Imported, JobError> {
        progress.step(0.0, "Reading");
        // Foreign readers ask nobody whether they are still wanted.
        unless_cancelled(progress, move || motion::import(&self.path, &self.skeleton))?
            .map_err(JobError::Failed)
    }
}

/// Read a pose or tags.
pub struct ReadNotation {
    /// Which file.
    pub path: PathBuf,
    /// Whose joints a pose names.
    pub skeleton: Arc<Skeleton>,
}

/// What a small hand-written file held.
#[derive(Debug, Clone, PartialEq)]
pub enum Notation {
    /// A pose, and names of joints that are not there.
    Pose(Pose, Vec<String>),
    /// Joint tags.
    Tags(Tags),
}

impl ReadNotation {
    fn read(&self) -> Result<Notation, JobError> {
        if let Ok(found) = tags::read(&self.path)
            && !found.is_empty()
        {
            return Ok(Notation::Tags(found));
        }
        let (pose, left_out) = pose::read_known(&self.path, &self.skeleton).map_err(JobError::failed)?;
        Ok(Notation::Pose(pose, left_out))
    }
}

impl Job for ReadNotation {
    type Output = Notation;

    fn title(&self) -> String {
        format!("Reading {}", self.path.display())
    }

    fn run(self, progress: &dyn Progress) -> Result<Notation, JobError> {
        progress.step(0.0, "Reading");
        unless_cancelled(progress, move || self.read())?
    }
}
