//! What the tool that poses can be told.

use egui::Ui;

use super::Orientation;
use super::command::PoseCommand;
use crate::app::command::Command;
use crate::app::state::AppState;

/// Axes of the gizmo.
pub fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for orientation in Orientation::ALL {
        let response = ui.selectable_label(state.posing.orientation == orientation, orientation.label());
        if response.on_hover_text("Axes of the rotation rings").clicked() {
            commands.push(PoseCommand::SetOrientation(orientation).into());
        }
    }
}
