//! Methods against each other: live numbers in the panes, and measures over a whole motion.

pub mod command;
mod compared;
pub mod comparison;
pub mod figures;
pub mod numbers;
pub mod panel;
mod perform;

use crate::app::areas::Area;
use crate::app::panes::PaneLayout;
use crate::app::shell::panels::{Panel, PanelRow};
use crate::app::shell::workspaces::{Column, Workspace, WorkspaceRow};

/// What it offers and hears of.
pub const AREA: Area = Area {
    opened: |state| {
        state.comparing.comparison = None;
        state.comparing.numbers.clear();
    }, // The templates before it say whose turn it is on the worker, with the pose as it is now.
    posed: |studio| studio.keep_measured(),
    panels: &[Panel::Measures],
    workspaces: &[Workspace::Compare],
    ..Area::NONE
};

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, and saved layouts call them so"
)]
impl Panel {
    /// Measures of the compared methods.
    pub const Measures: Self = Self(&PanelRow {
        id: "Measures",
        label: "Measures",
        has_margin: true,
        ui: |ui, docked| {
            let is_busy = docked.jobs.iter().any(|job| job.kind == comparison::COMPARE);
            panel::measures_ui(ui, docked.state, is_busy, docked.commands);
        },
    });
}

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, and saved layouts call them so"
)]
impl Workspace {
    /// Methods against each other.
    pub const Compare: Self = Self(&WorkspaceRow {
        id: "Compare",
        label: "Compare",
        explanation: "Skinning methods side by side, wiped or flicked, with their measures",
        columns: &[
            Column { width: 900.0, panels: &[Panel::Viewport] },
            Column { width: 380.0, panels: &[Panel::Measures] },
        ],
        // It starts with something to compare.
        entered: |state| {
            let panes = &mut state.panes;
            if panes.layout == PaneLayout::One && panes.wipe.is_none() {
                panes.layout = PaneLayout::Two;
            }
        },
    });
}

/// What comparing keeps.
#[derive(Default)]
pub struct Comparing {
    /// Methods measured over a motion.
    pub comparison: Option<comparison::Comparison>,
    /// Measures of the skins that are seen.
    pub numbers: numbers::Numbers,
}
