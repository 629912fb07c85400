//! Posing, the pose library, and edits of the document.

mod actions;
pub mod command;
mod library;
mod options;
pub mod panel;
pub mod perform;
mod state;
pub mod tool;

pub use self::state::{Orientation, Posing};

use egui_material_icons::icons::ICON_ACCESSIBILITY_NEW;

use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::shell::panels::{Panel, PanelRow};
use crate::app::shell::workspaces::{Column, Workspace, WorkspaceRow};
use crate::app::tools::{Between, ToolKind, ToolRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    opened: |state| state.posing.pins.clear(),
    edited: |state| {
        let joints = state.session.document().character().skeleton.len();
        state.posing.pins.retain(|&j| j < joints);
    },
    panels: &[Panel::Poses],
    tools: &[ToolKind::Pose],
    workspaces: &[Workspace::Rig],
    ..Area::NONE
};

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, and saved layouts call them so"
)]
impl Panel {
    /// The pose library.
    pub const Poses: Self = Self(&PanelRow {
        id: "Poses",
        label: "Poses",
        has_margin: true,
        ui: |ui, docked| panel::poses_ui(ui, docked.state, docked.commands),
    });
}

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, and saved layouts call them so"
)]
impl Workspace {
    /// Rigging, posing, painting.
    pub const Rig: Self = Self(&WorkspaceRow {
        id: "Rig",
        label: "Rig",
        explanation: "Place tags, rig, pose and paint",
        columns: &[
            Column { width: 220.0, panels: &[Panel::Outliner] },
            Column { width: 790.0, panels: &[Panel::Viewport] },
            Column { width: 270.0, panels: &[Panel::Inspector, Panel::Poses] },
        ],
        entered: |_| {},
    });
}

#[expect(non_upper_case_globals, reason = "they read like the variants of an enum")]
impl ToolKind {
    /// Selects and poses.
    pub const Pose: Self = Self(&ToolRow {
        id: "Pose",
        action: Action::PoseTool,
        icon: ICON_ACCESSIBILITY_NEW,
        is_at_rest: false,
        between: Between::Leaves,
        make: || Box::new(tool::PoseTool::default()),
        taken: |_, _| {},
        put_away: |_| {},
        options_ui: options::options_ui,
    });
}
