//! Binds a skinning method to a character.

use std::sync::Arc;

use super::{Job, JobError};
use crate::kernel::progress::Progress;
use crate::kernel::rig::Character;
use crate::kernel::skin::{Bound, Method, Params};

/// Bind `method` with `params` to `character`.
pub struct BindMethod {
    /// Which.
    pub method: &'static dyn Method,
    /// Its settings.
    pub params: Params,
    /// To what.
    pub character: Character,
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
        let Self { method, params, character, previous } = self;
        let again = previous
            .and_then(|old| method.bind_again((&*old.bound, &old.params), &character, &params, progress));
        Ok(again.unwrap_or_else(|| method.bind(&character, &params, progress))?)
    }
}
