//! Correcting the fitted cage by hand.

mod actions;
pub mod panel;
mod perform;
pub mod tool;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::state::ToolKind;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    meant: |state, action| match action {
        _ if state.tool.kind != ToolKind::Cage => None,
        action if action == Action::ResetSelected => Some(Action::ResetCageVertices),
        action if action == Action::ResetAll => Some(Action::ResetCage),
        _ => None,
    },
    ..Area::NONE
};
