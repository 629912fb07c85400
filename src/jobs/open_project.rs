//! Opens a project file and the mesh that it names.

use std::path::PathBuf;

use super::{Job, JobError};
use crate::io::project::{self, Opened};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::Progress;

/// Open the project at `path`.
pub struct OpenProject {
    /// Which.
    pub path: PathBuf,
}

impl Job for OpenProject {
    type Output = Opened;

    fn title(&self) -> String {
        format!("Opening {}", self.path.display())
    }

    fn run(self, progress: &dyn Progress) -> Result<Opened, JobError> {
        progress.step(0.0, "Reading");
        // Foreign readers ask nobody whether they are still wanted.
        unless_cancelled(progress, move || project::open(&self.path))?.map_err(JobError::failed)
    }
}
