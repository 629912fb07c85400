//! Fits a cage to a character, with the templates that its settings name.

use super::{Job, JobError};
use crate::kernel::progress::Progress;
use crate::kernel::rig::Character;
use crate::kernel::skin::Params;
use crate::kernel::skin::methods::cage::{self, rig::CageRig};

/// Fit a cage.
pub struct FitCage {
    /// To what.
    pub character: Character,
    /// Settings of the cage method.
    pub params: Params,
}

/// A fitted cage.
pub struct FittedCage {
    /// The cage.
    pub rig: CageRig,
    /// Skin vertices that are outside of it at rest.
    pub outside: usize,
}

impl Job for FitCage {
    type Output = FittedCage;

    fn title(&self) -> String {
        "Fitting the cage".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<FittedCage, JobError> {
        let rig = cage::build(&self.character, &self.params, progress)?;
        Ok(FittedCage { outside: rig.outside(self.character.mesh.surface()), rig })
    }
}
