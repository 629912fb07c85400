//! Rigid binding: each vertex follows its strongest joint alone. The teaching baseline: limbs
//! keep their shape exactly, and the skin tears at every joint.

use std::sync::Arc;

use super::linear::BoundLinear;
use crate::kernel::progress::Progress;
use crate::kernel::rig::Character;
use crate::kernel::skin::{BindError, Bound, Info, Libraries, Method, Params};

/// The entry in the list.
pub struct Rigid;

impl Method for Rigid {
    fn info(&self) -> Info {
        Info {
            id: "rigid",
            label: "Rigid",
            explanation: "Each vertex follows one joint. Shows why weights must blend: the skin breaks at the joints.",
            paper: "Lecture notes, first model",
        }
    }

    fn bind(
        &self,
        character: &Character,
        _libraries: &Libraries,
        _: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        progress.check()?;
        let (one_hot, _) = character.weights.pruned(1);
        Ok(Box::new(BoundLinear::new(character, Arc::new(one_hot))?))
    }
}
