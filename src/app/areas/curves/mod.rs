//! Shaping the curves of the curve skeleton, and how twists are spread along bones.

mod actions;
pub mod command;
mod marks;
pub mod panel;
mod perform;
pub mod settings;
pub mod tool;
pub mod twist_plot;

use crate::app::action::Action;
use egui_material_icons::icons::ICON_LINE_CURVE;

use crate::app::areas::Area;
use crate::app::areas::inspecting::{Place, Section};
use crate::app::tools::{Between, ToolKind, ToolRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    key_means: |state, action| match action {
        action if action == Action::RemoveTag && state.can(Action::RemoveTwistPoint) => {
            Some(Action::RemoveTwistPoint)
        }
        _ if state.tool.kind != ToolKind::Curve => None,
        action if action == Action::ResetSelected => Some(Action::ResetCurve),
        action if action == Action::ResetAll => Some(Action::ResetCurves),
        _ => None,
    },
    marks: marks::marks,
    sections: &[Section {
        place: |_| Place::OfSelection,
        ui: |ui, state, commands| {
            panel::curve_ui(ui, state, commands);
            true
        },
    }],
    tools: &[ToolKind::Curve],
    ..Area::NONE
};

#[expect(non_upper_case_globals, reason = "they read like the variants of an enum")]
impl ToolKind {
    /// Shapes the curves.
    pub const Curve: Self = Self(&ToolRow {
        id: "Curve",
        action: Action::CurveTool,
        icon: ICON_LINE_CURVE,
        is_at_rest: false,
        between: Between::ComesBack,
        make: || Box::new(tool::CurveTool::default()),
        taken: |studio, _| studio.curve_tool_taken(),
        put_away: |_| {},
        options_ui: |_, _, _| {},
    });
}

/// What shaping curves keeps.
#[derive(Debug, Default)]
pub struct Curves {
    /// The point of a twist plot that is chosen.
    pub twist_point: Option<settings::TwistPoint>,
}
