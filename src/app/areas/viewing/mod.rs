//! Camera, panes, shading and what is shown.

mod actions;
mod perform;

use crate::app::areas::Area;
use crate::app::shell::panels::{Panel, PanelRow};
use crate::app::viewport::viewport_ui;

/// What it offers and hears of.
pub const AREA: Area = Area { actions: actions::ACTIONS, panels: &[Panel::Viewport], ..Area::NONE };

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, and saved layouts call them so"
)]
impl Panel {
    /// The linked panes.
    pub const Viewport: Self = Self(&PanelRow {
        id: "Viewport",
        label: "Viewport",
        has_margin: false,
        ui: |ui, docked| viewport_ui(ui, docked.state, docked.tools, docked.commands),
    });
}
