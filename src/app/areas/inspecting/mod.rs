//! What the document holds, and what is selected.

pub mod counts;
pub mod inspector;
pub mod outliner;

use egui::Ui;

use crate::app::areas::Area;
use crate::app::command::Command;
use crate::app::shell::panels::{Panel, PanelRow};
use crate::app::state::AppState;

/// What it offers and hears of.
pub const AREA: Area = Area { panels: &[Panel::Outliner, Panel::Inspector], ..Area::NONE };

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, and saved layouts call them so"
)]
impl Panel {
    /// What the document holds.
    pub const Outliner: Self = Self(&PanelRow {
        id: "Outliner",
        label: "Outliner",
        has_margin: true,
        ui: |ui, docked| outliner::outliner_ui(ui, docked.state, docked.commands),
    });
    /// What is selected.
    pub const Inspector: Self = Self(&PanelRow {
        id: "Inspector",
        label: "Inspector",
        has_margin: true,
        ui: |ui, docked| inspector::inspector_ui(ui, docked.state, docked.commands),
    });
}

/// A part of the inspector that an area lays out.
pub struct Section {
    /// Where it stands now.
    pub place: fn(&AppState) -> Place,
    /// Lays it out; whether there was anything.
    pub ui: fn(&mut Ui, &AppState, &mut Vec<Command>) -> bool,
}

/// Where a part of the inspector stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Above all: what is being worked on.
    First,
    /// Below what is selected, to which it belongs.
    OfSelection,
    /// Below that.
    Below,
}
