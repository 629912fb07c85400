//! Templates in the background: a skin with another one prepared before it is asked for, so that swapping
//! takes no time; one that is being edited; and the files of the user's own.

use std::path::PathBuf;
use std::sync::Arc;

use super::bind::{BindMethod, Previous};
use super::{Job, JobError};
use crate::io::templates::Folder;
use crate::kernel::detached::unless_cancelled;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage::pieces::Spot;
use crate::kernel::skin::methods::cage::template::Template;
use crate::kernel::skin::methods::cage::{BoundCage, CageTemplates};
use crate::kernel::skin::{Bound, Libraries, Params};

/// Prepare one of several choices.
pub struct PrepareTemplate {
    /// The skin that is there, which shares most with the one to come.
    pub previous: Previous,
    /// The settings with the choice made.
    pub params: Params,
    /// Of what.
    pub character: Character,
    /// What the settings may name.
    pub libraries: Libraries,
    /// How many choices are ready, and how many there are: where the progress bar goes on.
    pub ready_of: [usize; 2],
}

impl Job for PrepareTemplate {
    type Output = Box<dyn Bound>;

    fn title(&self) -> String {
        "Preparing templates".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Box<dyn Bound>, JobError> {
        let [ready, all] = self.ready_of;
        let share = |k: usize| k as f32 / all.max(1) as f32;
        let span = Span::new(progress, share(ready), share(ready + 1));
        span.step(0.0, "Looking at what the template moves");
        let quiet = Quiet(&span);
        let job = BindMethod {
            method: &CageTemplates,
            params: self.params,
            character: self.character,
            libraries: self.libraries,
            previous: Some(self.previous),
        };
        job.run(&quiet)
    }
}

/// Progress without warnings: what is odd is said when the template is chosen.
struct Quiet<'a>(&'a dyn Progress);

impl Progress for Quiet<'_> {
    fn step(&self, fraction: f32, words: &str) {
        self.0.step(fraction, words);
    }
    fn warn(&self, _: &str) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Compute the coordinates of a skin with a template that is being edited.
pub struct ReshapeTemplate {
    /// The skin that is there.
    pub previous: Arc<dyn Bound>,
    /// Of what.
    pub character: Character,
    /// Where the template stands.
    pub spot: Spot,
    /// The template as it is now.
    pub template: Arc<Template>,
}

impl Job for ReshapeTemplate {
    type Output = Box<dyn Bound>;

    fn title(&self) -> String {
        "Fitting the edited template".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Box<dyn Bound>, JobError> {
        let nothing = || JobError::Failed("the template does not fit there".into());
        let cage = self.previous.find::<BoundCage>().ok_or_else(nothing)?;
        let quiet = Quiet(progress);
        let bound = cage.with_template(&self.character, self.spot, &self.template, &quiet)?;
        bound.map(|bound| Box::new(bound) as Box<dyn Bound>).ok_or_else(nothing)
    }
}

/// Read the user's templates.
pub struct ReadTemplates {
    /// Their folder.
    pub path: PathBuf,
}

impl Job for ReadTemplates {
    type Output = Folder;

    fn title(&self) -> String {
        "Reading templates".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Folder, JobError> {
        Ok(unless_cancelled(progress, move || Folder::read(&self.path))?)
    }
}

/// Write a template into the user's folder.
pub struct SaveTemplate {
    /// The folder.
    pub folder: Folder,
    /// What.
    pub template: Template,
    /// The file that it is kept in already.
    pub file: Option<PathBuf>,
}

/// A template that was written.
pub struct Saved {
    /// The folder, read again.
    pub folder: Folder,
    /// The template.
    pub template: Template,
    /// Its file.
    pub file: PathBuf,
}

impl Job for SaveTemplate {
    type Output = Saved;

    fn title(&self) -> String {
        format!("Saving the template {}", self.template.name)
    }

    fn run(self, progress: &dyn Progress) -> Result<Saved, JobError> {
        progress.check()?;
        let file = self.folder.write(&self.template, self.file.as_deref()).map_err(JobError::Failed)?;
        let folder = self.folder.path.as_deref().map(Folder::read).unwrap_or_default();
        Ok(Saved { folder, template: self.template, file })
    }
}
