//! Placing muscles under the skin.

mod actions;
mod marks;
pub mod panel;
mod perform;
pub mod posed;
pub mod tool;

use crate::app::action::Action;
use egui_material_icons::icons::ICON_FITNESS_CENTER;

use crate::app::areas::Area;
use crate::app::areas::inspecting::{Place, Section};
use crate::app::tools::{Between, ToolKind, ToolRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    posed: |studio| studio.state.refresh_muscles(),
    key_means: |state, action| {
        let removes = action == Action::RemoveTag && state.tool.kind == ToolKind::Muscles;
        (removes && state.can(Action::RemoveMuscle)).then_some(Action::RemoveMuscle)
    },
    under_skin: marks::under_skin,
    sections: &[Section {
        place: |state| if state.tool.kind == ToolKind::Muscles { Place::First } else { Place::Below },
        ui: panel::muscles_ui,
    }],
    tools: &[ToolKind::Muscles],
    ..Area::NONE
};

#[expect(non_upper_case_globals, reason = "they read like the variants of an enum")]
impl ToolKind {
    /// Places muscles.
    pub const Muscles: Self = Self(&ToolRow {
        id: "Muscles",
        action: Action::MuscleTool,
        icon: ICON_FITNESS_CENTER,
        is_at_rest: false,
        between: Between::ComesBack,
        make: || Box::new(tool::MuscleTool::default()),
        taken: |studio, _| studio.muscle_tool_taken(),
        put_away: |_| {},
        options_ui: |_, _, _| {},
    });
}
