//! What the brush can be told.

use egui::Ui;

use crate::app::command::Command;
use crate::app::state::{AppState, Stroke, ToolOptions};

/// Kind, radius and strength of the brush.
pub fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let mut options = state.tool.clone();
    brush_ui(ui, &mut options);
    if options != state.tool {
        commands.push(Command::SetTool(options));
    }
}

fn brush_ui(ui: &mut Ui, options: &mut ToolOptions) {
    for (stroke, label, help) in [
        (Stroke::Add, "Add", "Raise the joint's weight; hold Ctrl to subtract"),
        (Stroke::Subtract, "Subtract", "Lower the joint's weight"),
        (Stroke::Smooth, "Smooth", "Even the weights out; hold Shift with any brush"),
    ] {
        if ui.selectable_label(options.stroke == stroke, label).on_hover_text(help).clicked() {
            options.stroke = stroke;
        }
    }
    let mut centimetres = options.brush_radius * 100.0;
    let radius =
        egui::DragValue::new(&mut centimetres).range(0.5..=100.0).speed(0.1).suffix(" cm").max_decimals(1);
    let response = named(ui.add(radius), "Brush radius");
    response.on_hover_text("Radius of the brush; [ and ] change it");
    options.brush_radius = centimetres / 100.0;
    let mut percent = options.brush_strength * 100.0;
    let strength = egui::DragValue::new(&mut percent).range(1.0..=100.0).suffix(" %").max_decimals(0);
    named(ui.add(strength), "Brush strength").on_hover_text("How much one dab changes");
    options.brush_strength = percent / 100.0;
}

/// Gives a number field its accessible name.
fn named(response: egui::Response, name: &str) -> egui::Response {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, name));
    response
}
