//! What shaping curves asks for.

use super::settings::TwistPoint;
use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

/// A wish about curves.
#[derive(Debug, Clone)]
pub enum CurveCommand {
    /// Chooses a point of the twist plot.
    SelectTwistPoint(Option<TwistPoint>),
}

impl AreaCommand for CurveCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::SelectTwistPoint(point) => studio.state.curves.twist_point = point,
        }
    }
}
