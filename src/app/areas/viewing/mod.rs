//! Camera, panes, shading and what is shown.

mod actions;
pub mod command;
mod perform;

use crate::app::areas::Area;
use crate::app::shell::panels::{Panel, PanelRow};
use crate::app::viewport::viewport_ui;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    opened: |state| {
        state.hidden.clear();
        let method = state.document().method().to_owned();
        state.panes.set_method(0, &method);
        state.camera.frame(state.character().bounds());
    },
    edited: |state| {
        let joints = state.session.document().character().skeleton.len();
        state.hidden.retain(|&j| j < joints);
    },
    panels: &[Panel::Viewport],
    ..Area::NONE
};

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
