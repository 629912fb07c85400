//! Placing muscles under the skin.

mod actions;
pub mod panel;
mod perform;
pub mod posed;
pub mod tool;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::state::ToolKind;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    posed: |studio| studio.state.refresh_muscles(),
    meant: |state, action| {
        let removes = action == Action::RemoveTag && state.tool.kind == ToolKind::Muscles;
        (removes && state.can(Action::RemoveMuscle)).then_some(Action::RemoveMuscle)
    },
    ..Area::NONE
};
