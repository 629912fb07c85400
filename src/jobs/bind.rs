//! Binds a skinning method to a character.

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
}

impl Job for BindMethod {
    type Output = Box<dyn Bound>;

    fn title(&self) -> String {
        format!("Binding {}", self.method.info().label.to_lowercase())
    }

    fn run(self, progress: &dyn Progress) -> Result<Box<dyn Bound>, JobError> {
        Ok(self.method.bind(&self.character, &self.params, progress)?)
    }
}
