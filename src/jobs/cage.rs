//! Fits a cage to a character, with the templates that its settings name.

use super::{Job, JobError};
use crate::kernel::progress::Progress;
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage;
use crate::kernel::skin::methods::cage::fit::unresolved::Unresolved;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::{Libraries, Params};

/// Fit a cage.
pub struct FitCage {
    /// To what.
    pub character: Character,
    /// What the settings may name.
    pub libraries: Libraries,
    /// Settings of the cage method.
    pub params: Params,
}

/// A fitted cage.
pub struct FittedCage {
    /// The cage.
    pub rig: CageRig,
    /// What the fit could not resolve, by name.
    pub unresolved: Vec<Unresolved>,
}

impl Job for FitCage {
    type Output = FittedCage;

    fn title(&self) -> String {
        "Fitting the cage".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<FittedCage, JobError> {
        let rig = cage::build(&self.character, &self.libraries, &self.params, progress)?;
        let surface = self.character.mesh.surface();
        let unresolved = rig.unresolved(surface, &rig.outside(surface));
        Ok(FittedCage { rig, unresolved })
    }
}
