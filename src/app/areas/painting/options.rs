//! What the brush can be told.

use egui::Ui;

use super::command::BrushCommand;
use super::{Brush, Stroke};
use crate::app::command::Command;
use crate::app::state::AppState;

/// Kind, radius and strength of the brush.
pub fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let mut brush = state.painting.brush;
    brush_ui(ui, &mut brush);
    if brush != state.painting.brush {
        commands.push(BrushCommand::Set(brush).into());
    }
}

fn brush_ui(ui: &mut Ui, brush: &mut Brush) {
    for (stroke, label, help) in [
        (Stroke::Add, "Add", "Raise the joint's weight; hold Ctrl to subtract"),
        (Stroke::Subtract, "Subtract", "Lower the joint's weight"),
        (Stroke::Smooth, "Smooth", "Even the weights out; hold Shift with any brush"),
    ] {
        if ui.selectable_label(brush.stroke == stroke, label).on_hover_text(help).clicked() {
            brush.stroke = stroke;
        }
    }
    let mut centimetres = brush.radius * 100.0;
    let radius =
        egui::DragValue::new(&mut centimetres).range(0.5..=100.0).speed(0.1).suffix(" cm").max_decimals(1);
    let response = named(ui.add(radius), "Brush radius");
    response.on_hover_text("Radius of the brush; [ and ] change it");
    brush.radius = centimetres / 100.0;
    let mut percent = brush.strength * 100.0;
    let strength = egui::DragValue::new(&mut percent).range(1.0..=100.0).suffix(" %").max_decimals(0);
    named(ui.add(strength), "Brush strength").on_hover_text("How much one dab changes");
    brush.strength = percent / 100.0;
}

/// Gives a number field its accessible name.
fn named(response: egui::Response, name: &str) -> egui::Response {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, name));
    response
}
