//! What painting asks for.

use super::Brush;
use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

/// A wish about the brush.
#[derive(Debug, Clone)]
pub enum BrushCommand {
    /// Changes its settings.
    Set(Brush),
}

impl AreaCommand for BrushCommand {
    fn perform(&self, studio: &mut Studio) {
        match self {
            Self::Set(brush) => studio.state.painting.brush = *brush,
        }
    }
}
