//! Shaping the curves of the curve skeleton, and how twists are spread along bones.

mod actions;
pub mod panel;
mod perform;
pub mod settings;
pub mod tool;
pub mod twist_plot;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::state::ToolKind;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    meant: |state, action| match action {
        action if action == Action::RemoveTag && state.can(Action::RemoveTwistPoint) => {
            Some(Action::RemoveTwistPoint)
        }
        _ if state.tool.kind != ToolKind::Curve => None,
        action if action == Action::ResetSelected => Some(Action::ResetCurve),
        action if action == Action::ResetAll => Some(Action::ResetCurves),
        _ => None,
    },
    ..Area::NONE
};
