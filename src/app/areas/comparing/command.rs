//! What the comparison asks for.

use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

/// A wish about comparing.
#[derive(Debug, Clone)]
pub enum CompareCommand {
    /// Measures the compared methods over the motion.
    Measure,
}

impl AreaCommand for CompareCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::Measure => studio.compare(),
        }
    }
}
