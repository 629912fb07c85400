//! What a mesh without a skeleton says: what to do, and the button that does it.

use egui::{Align2, Button, Color32, Rect, RichText, Ui, Vec2};

use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::{keys_text, tooltip};
use crate::app::state::AppState;
use crate::app::viewport::chip;

/// The hint and the Rig button, in the lower middle of a pane.
pub fn prompt_ui(ui: &mut Ui, rect: Rect, state: &AppState, commands: &mut Vec<Command>) {
    if rect.width() < 320.0 || rect.height() < 240.0 {
        return;
    }
    let dark = state.settings.dark;
    let colors = theme::palette(dark);
    let tags = state.document().tags();
    let missing = tags.missing();
    let words = match (state.rigging.is_rigging, tags.is_empty(), missing.as_slice()) {
        (true, ..) => "Building skeleton and weights".to_owned(),
        (_, true, _) if state.rigging.is_probing => "Finding the joints".to_owned(),
        (_, true, _) => "Choose a tag in the outliner and click its joint".to_owned(),
        (_, _, []) => "Drag the tags to the joints, then press Rig".to_owned(),
        (_, _, [name]) => format!("Place the {}", name.label().to_lowercase()),
        (_, _, [name, ..]) => {
            format!("{} tags are missing: place the {}", missing.len(), name.label().to_lowercase())
        }
    };
    let size = Vec2::new(148.0, 40.0);
    let area = Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - Vec2::new(0.0, 18.0), size);
    chip(ui, area.center_top() - Vec2::new(0.0, 8.0), Align2::CENTER_BOTTOM, &words, colors.label, dark);
    let on_accent = if dark { Color32::from_gray(20) } else { Color32::WHITE };
    let label = format!("Rig   {}", keys_text(ui, Action::RigNow, state));
    let text = RichText::new(label.trim_end()).size(16.0).strong().color(on_accent);
    let ready = missing.is_empty() && !state.rigging.is_rigging;
    let fill = if ready { colors.accent } else { colors.accent.gamma_multiply(0.35) };
    let layout = egui::Layout::centered_and_justified(egui::Direction::LeftToRight);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area).layout(layout));
    let response = child.add_enabled(ready, Button::new(text).fill(fill).corner_radius(9.0));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, ready, "Rig the mesh"));
    if response.on_hover_text(tooltip(&child, Action::RigNow, state)).clicked() {
        commands.push(Action::RigNow.into());
    }
}
