//! Reading, writing and removing things of the user's that lie in a folder, such as skinning templates.

use std::path::PathBuf;

use super::{Job, JobError};
use crate::io::user_folder::{UserFile, UserFolder};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::Progress;

/// Read the folder anew.
pub struct ReadFolder<T>(pub UserFolder<T>);

impl<T: UserFile> Job for ReadFolder<T> {
    type Output = UserFolder<T>;

    fn title(&self) -> String {
        format!("Reading {}s", T::WORD)
    }

    fn run(self, progress: &dyn Progress) -> Result<UserFolder<T>, JobError> {
        Ok(unless_cancelled(progress, move || self.0.read_anew())?)
    }
}

/// Write a thing into the folder.
pub struct SaveFile<T> {
    /// The folder.
    pub folder: UserFolder<T>,
    /// What.
    pub thing: T,
    /// The file that it is kept in already.
    pub file: Option<PathBuf>,
}

/// A thing that was written or removed.
pub struct Changed<T> {
    /// The folder, read again.
    pub folder: UserFolder<T>,
    /// The thing.
    pub thing: T,
    /// Where its file is.
    pub file: PathBuf,
}

impl<T: UserFile> Job for SaveFile<T> {
    type Output = Changed<T>;

    fn title(&self) -> String {
        format!("Saving the {} {}", T::WORD, self.thing.name())
    }

    fn run(self, progress: &dyn Progress) -> Result<Changed<T>, JobError> {
        progress.check()?;
        let file = self.folder.write(&self.thing, self.file.as_deref()).map_err(JobError::Failed)?;
        Ok(Changed { folder: self.folder.read_anew(), thing: self.thing, file })
    }
}

/// Take a thing out of the folder.
pub struct RemoveFile<T> {
    /// The folder.
    pub folder: UserFolder<T>,
    /// What.
    pub thing: T,
}

impl<T: UserFile> Job for RemoveFile<T> {
    type Output = Changed<T>;

    fn title(&self) -> String {
        format!("Deleting the {} {}", T::WORD, self.thing.name())
    }

    fn run(self, progress: &dyn Progress) -> Result<Changed<T>, JobError> {
        progress.check()?;
        let file = self.folder.remove(&self.thing).map_err(JobError::Failed)?;
        Ok(Changed { folder: self.folder.read_anew(), thing: self.thing, file })
    }
}
