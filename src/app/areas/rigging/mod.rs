//! Joint tags, and skeletons and weights made from them.

mod actions;
mod options;
mod perform;
pub mod tag_panel;
#[cfg(test)]
mod tests;
pub mod tool;

use std::sync::Arc;

use egui_material_icons::icons::ICON_LOCATION_ON;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::tools::{Between, ToolKind, ToolRow};
use crate::jobs::prepare_tags::Probe;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    opened: |state| state.rigging = Rigging::default(),
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

/// What tags and rigging keep.
#[derive(Default)]
pub struct Rigging {
    /// What tags need to know of the mesh; there a moment after it was opened.
    pub probe: Option<Arc<Probe>>,
    /// A job looks through the mesh for the sake of tags.
    pub is_probing: bool,
    /// A job rigs the mesh.
    pub is_rigging: bool,
}
