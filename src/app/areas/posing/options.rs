//! What the tool that poses can be told.

use egui::Ui;

use crate::app::command::Command;
use crate::app::state::{AppState, Orientation};

/// Axes of the gizmo.
pub fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for orientation in Orientation::ALL {
        let response = ui.selectable_label(state.tool.orientation == orientation, orientation.label());
        if response.on_hover_text("Axes of the rotation rings").clicked() {
            let mut options = state.tool.clone();
            options.orientation = orientation;
            commands.push(Command::SetTool(options));
        }
    }
}
