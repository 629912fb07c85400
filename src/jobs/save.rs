//! Writes the document: as a project file, or as a copy for the case of a crash.

use std::path::{Path, PathBuf};

use super::{Job, JobError};
use crate::doc::Document;
use crate::io::recovery::{self, Note};
use crate::io::{atomic, project};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::Progress;

/// Save `document` at `path`.
pub struct SaveProject {
    /// What.
    pub document: Document,
    /// Where.
    pub path: PathBuf,
}

impl Job for SaveProject {
    type Output = ();

    fn title(&self) -> String {
        format!("Saving {}", name_of(&self.path))
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        progress.step(0.0, "Writing");
        let text = text_of(self.document, &self.path, progress)?;
        atomic::write(&self.path, text.as_bytes()).map_err(|error| unwritable(&self.path, &error))
    }
}

/// Keep a copy of `document` at `file`, with a note of whose it is.
pub struct KeepCopy {
    /// What.
    pub document: Document,
    /// Where.
    pub file: PathBuf,
    /// Whose.
    pub note: Note,
}

impl Job for KeepCopy {
    type Output = ();

    fn title(&self) -> String {
        "Keeping a copy".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        let text = text_of(self.document, &self.file, progress)?;
        recovery::write(&text, &self.file, &self.note).map_err(|error| unwritable(&self.file, &error))
    }
}

/// The project file of a document, for a place; nothing is written before it is whole.
fn text_of(document: Document, path: &Path, progress: &dyn Progress) -> Result<String, JobError> {
    let place = path.to_owned();
    let text = unless_cancelled(progress, move || project::to_text(&document, &place))?;
    progress.check()?;
    text.map_err(|error| unwritable(path, &std::io::Error::other(error)))
}

/// Write ready bytes, such as a picture, at `path`.
pub struct WriteBytes<F> {
    /// Makes what is written.
    pub make: F,
    /// Where.
    pub path: PathBuf,
}

impl<F: FnOnce() -> Result<Vec<u8>, String> + Send + 'static> Job for WriteBytes<F> {
    type Output = ();

    fn title(&self) -> String {
        format!("Writing {}", name_of(&self.path))
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        progress.step(0.0, "Writing");
        let bytes = unless_cancelled(progress, self.make)?.map_err(JobError::Failed)?;
        progress.check()?;
        atomic::write(&self.path, &bytes).map_err(|error| unwritable(&self.path, &error))
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn unwritable(path: &Path, error: &std::io::Error) -> JobError {
    JobError::Failed(format!("{} cannot be written: {error}", path.display()))
}
