//! Correcting the fitted cage by hand.

mod actions;
mod marks;
pub mod panel;
mod perform;
pub mod tool;

use crate::app::action::Action;
use egui_material_icons::icons::ICON_ACTIVITY_ZONE;

use crate::app::areas::Area;
use crate::app::areas::inspecting::{Place, Section};
use crate::app::tools::{Between, ToolKind, ToolRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    key_means: |state, action| match action {
        _ if state.tool.kind != ToolKind::Cage => None,
        action if action == Action::ResetSelected => Some(Action::ResetCageVertices),
        action if action == Action::ResetAll => Some(Action::ResetCage),
        _ => None,
    },
    marks: marks::marks,
    sections: &[Section {
        place: |state| if state.tool.kind == ToolKind::Cage { Place::First } else { Place::Below },
        ui: panel::cage_ui,
    }],
    tools: &[ToolKind::Cage],
    ..Area::NONE
};

#[expect(non_upper_case_globals, reason = "they read like the variants of an enum")]
impl ToolKind {
    /// Corrects the cage.
    pub const Cage: Self = Self(&ToolRow {
        id: "Cage",
        action: Action::CageTool,
        icon: ICON_ACTIVITY_ZONE,
        is_at_rest: true,
        between: Between::Leaves,
        make: || Box::new(tool::CageTool::default()),
        taken: |studio, _| studio.cage_tool_taken(),
        put_away: |_| {},
        options_ui: |_, _, _| {},
    });
}
