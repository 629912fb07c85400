//! Binds a skinning method to a character, and tries it against linear blending.

use std::sync::Arc;

use super::{Job, JobError};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::Character;
use crate::kernel::skin::guard::{self, Guarded, Prepared};
use crate::kernel::skin::{Bound, Libraries, Method, Params};

/// Bind `method` with `params` to `character`.
pub struct BindMethod {
    /// Which.
    pub method: &'static dyn Method,
    /// Its settings.
    pub params: Params,
    /// To what.
    pub character: Character,
    /// What the settings may name.
    pub libraries: Libraries,
    /// A binding of the same mesh and rig with other settings, to start from.
    pub previous: Option<Previous>,
}

/// A binding that is there, and the settings that it was made with.
#[derive(Clone)]
pub struct Previous {
    /// The binding.
    pub bound: Arc<dyn Bound>,
    /// Its settings.
    pub params: Params,
}

impl Job for BindMethod {
    type Output = Box<dyn Bound>;

    fn title(&self) -> String {
        format!("Binding {}", self.method.info().label.to_lowercase())
    }

    fn run(self, progress: &dyn Progress) -> Result<Box<dyn Bound>, JobError> {
        progress.check()?;
        let Self { method, params, character, libraries, previous } = self;
        let again = previous.and_then(|old| {
            method.bind_again((&*old.bound, &old.params), &character, &libraries, &params, progress)
        });
        Ok(again.unwrap_or_else(|| method.bind(&character, &libraries, &params, progress))?)
    }
}

/// Bind a method as it is promised: with its guard, where it has one and the settings do not switch it off.
pub struct BindGuarded(pub BindMethod);

impl Job for BindGuarded {
    type Output = Box<dyn Bound>;

    fn title(&self) -> String {
        self.0.title()
    }

    fn run(self, progress: &dyn Progress) -> Result<Box<dyn Bound>, JobError> {
        let (method, character) = (self.0.method, self.0.character.clone());
        if !guard::is_wanted(method, &self.0.params) {
            return self.0.run(progress);
        }
        let pure = self.0.run(&Span::new(progress, 0.0, 0.7))?;
        Ok(Box::new(guard::guarded(&character, Arc::from(pure), None, &Span::new(progress, 0.7, 1.0))?))
    }
}

/// Try a bound method on its character, and hold it back where it does worse than linear blending.
pub struct GuardMethod {
    /// Which.
    pub method: &'static dyn Method,
    /// As it was bound.
    pub pure: Arc<dyn Bound>,
    /// To what.
    pub character: Character,
    /// What an earlier trial of the same mesh and rig began with.
    pub prepared: Option<Arc<Prepared>>,
}

impl Job for GuardMethod {
    type Output = Guarded;

    fn title(&self) -> String {
        format!("Trying {} against linear blending", self.method.info().label.to_lowercase())
    }

    fn run(self, progress: &dyn Progress) -> Result<Guarded, JobError> {
        Ok(guard::guarded(&self.character, self.pure, self.prepared, progress)?)
    }
}
