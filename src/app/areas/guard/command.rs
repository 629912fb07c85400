//! What the list of places that are held back asks for.

use std::sync::Arc;

use crate::app::command::AreaCommand;
use crate::app::studio::Studio;
use crate::kernel::skin::guard::Trial;

/// A wish about such a place.
#[derive(Debug, Clone)]
pub enum GuardCommand {
    /// Goes to the pose of a trial, and to the skin that one joint moves.
    Visit {
        /// Whose skin.
        joint: usize,
        /// Where it was seen; without one the pose stays.
        seen: Option<Arc<Trial>>,
    },
}

impl AreaCommand for GuardCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::Visit { joint, seen } => studio.visit(joint, seen.as_deref()),
        }
    }
}
