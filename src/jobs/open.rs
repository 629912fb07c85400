//! Opens a character: a file or a built-in one.

use super::{Job, JobError};
use crate::doc::Origin;
use crate::io::{Loaded, ReadOptions, source};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::Progress;

/// Read or make what `origin` names.
pub struct OpenOrigin {
    /// What.
    pub origin: Origin,
    /// What the user says about the file.
    pub options: ReadOptions,
}

impl Job for OpenOrigin {
    type Output = Loaded;

    fn title(&self) -> String {
        format!("Opening {}", self.origin)
    }

    fn run(self, progress: &dyn Progress) -> Result<Loaded, JobError> {
        let words = match &self.origin {
            Origin::File(_) => "Reading",
            Origin::BuiltIn { .. } => "Building",
        };
        progress.step(0.0, words);
        // Foreign readers ask nobody whether they are still wanted.
        unless_cancelled(progress, move || source::open(&self.origin, &self.options))?
            .map_err(JobError::failed)
    }
}
