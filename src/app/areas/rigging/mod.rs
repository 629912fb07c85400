//! Joint tags, and skeletons and weights made from them.

mod actions;
mod options;
mod perform;
pub mod tag_panel;
#[cfg(test)]
mod tests;
pub mod tool;

use egui_material_icons::icons::ICON_LOCATION_ON;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::tools::{Between, ToolKind, ToolRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    frame: |studio| studio.keep_probed(),
    tools: &[ToolKind::Tags],
    ..Area::NONE
};

#[expect(non_upper_case_globals, reason = "they read like the variants of an enum")]
impl ToolKind {
    /// Places joint tags.
    pub const Tags: Self = Self(&ToolRow {
        id: "Tags",
        action: Action::TagTool,
        icon: ICON_LOCATION_ON,
        is_at_rest: true,
        between: Between::Leaves,
        make: || Box::new(tool::TagTool::default()),
        taken: |studio, before| studio.tag_tool_taken(before),
        put_away: |_| {},
        options_ui: options::options_ui,
    });
}
