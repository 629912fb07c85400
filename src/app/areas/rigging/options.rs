//! What can be done with tags at hand.

use egui::Ui;

use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::shell::widgets::tooltip;
use crate::app::state::AppState;

/// Laying tags out, and rigging.
pub fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for action in [Action::LayOutTags, Action::RigNow, Action::SkeletonFromShape] {
        let response = ui.add_enabled(state.can(action), egui::Button::new(action.label));
        if response.on_hover_text(tooltip(ui, action, state)).clicked() {
            commands.push(action.into());
        }
    }
}
