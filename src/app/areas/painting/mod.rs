//! Painting weights in any pose.

mod actions;
pub mod command;
mod options;
mod perform;
mod state;
pub mod tool;

pub use self::state::{Brush, Painting, Stroke};

use egui_material_icons::icons::ICON_BRUSH;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::tools::{Between, ToolKind, ToolRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    opened: |state| state.painting.canvas = None,
    frame: |studio| studio.keep_canvas(),
    tools: &[ToolKind::Paint],
    ..Area::NONE
};

#[expect(non_upper_case_globals, reason = "they read like the variants of an enum")]
impl ToolKind {
    /// Paints weights.
    pub const Paint: Self = Self(&ToolRow {
        id: "Paint",
        action: Action::PaintTool,
        icon: ICON_BRUSH,
        is_at_rest: false,
        between: Between::Stays,
        make: || Box::new(tool::PaintTool::default()),
        taken: |studio, _| studio.take_brush(),
        put_away: |studio| studio.put_brush_away(),
        options_ui: options::options_ui,
    });
}
