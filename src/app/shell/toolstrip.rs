//! The strip under the menus: workspaces, tools with their options, what is shown, panes.

use egui::Ui;
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::*;

use super::menu;
use super::widgets::{icon_button, tooltip};
use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::state::{AppState, Orientation, Stroke, ToolKind, ToolOptions};

/// The strip.
pub fn toolstrip_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        menu::workspaces_ui(ui, state, commands);
        ui.separator();
        let tools = [
            (Action::PoseTool, ICON_ACCESSIBILITY_NEW),
            (Action::TagTool, ICON_LOCATION_ON),
            (Action::PaintTool, ICON_BRUSH),
            (Action::CageTool, ICON_ACTIVITY_ZONE),
            (Action::MuscleTool, ICON_FITNESS_CENTER),
            (Action::CurveTool, ICON_LINE_CURVE),
        ];
        actions_ui(ui, &tools, state, commands);
        ui.separator();
        options_ui(ui, state, commands);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let theme = if state.settings.dark { ICON_LIGHT_MODE } else { ICON_DARK_MODE };
            let panes = [
                (Action::ToggleTheme, theme),
                (Action::ToggleWipe, ICON_COMPARE),
                (Action::FourPanes, ICON_GRID_VIEW),
                (Action::TwoPanes, ICON_SPLITSCREEN_RIGHT),
                (Action::OnePane, ICON_CHECK_BOX_OUTLINE_BLANK),
            ];
            actions_ui(ui, &panes, state, commands);
            ui.separator();
            let shown = [
                (Action::ToggleNumbers, ICON_SPEED),
                (Action::ToggleGround, ICON_GRID_ON),
                (Action::ToggleOnion, ICON_ANIMATION),
                (Action::ToggleGhost, ICON_BLUR_ON),
                (Action::ToggleNames, ICON_LABEL),
                (Action::ToggleBones, ICON_SKELETON),
                (Action::ToggleXray, ICON_VISIBILITY),
                (Action::ToggleWireframe, ICON_DEPLOYED_CODE),
                (Action::ToggleHeatMap, ICON_GRADIENT),
            ];
            actions_ui(ui, &shown, state, commands);
        });
    });
}

fn actions_ui(
    ui: &mut Ui,
    actions: &[(Action, MaterialIcon)],
    state: &AppState,
    commands: &mut Vec<Command>,
) {
    for (action, icon) in actions {
        let response = icon_button(ui, *icon, action.label, state.is_on(*action));
        if response.on_hover_text(tooltip(ui, *action, state)).clicked() {
            commands.push((*action).into());
        }
    }
}

/// What the current tool can be told.
fn options_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let mut options = state.tool.clone();
    match options.kind {
        ToolKind::Pose => {
            for orientation in Orientation::ALL {
                let response = ui.selectable_label(options.orientation == orientation, orientation.label());
                if response.on_hover_text("Axes of the rotation rings").clicked() {
                    options.orientation = orientation;
                }
            }
        }
        ToolKind::Paint => brush_ui(ui, &mut options),
        ToolKind::Cage | ToolKind::Curve | ToolKind::Muscles => {}
        ToolKind::Tags => {
            for action in [Action::LayOutTags, Action::RigNow, Action::SkeletonFromShape] {
                let button = egui::Button::new(action.label);
                let response = ui.add_enabled(state.can(action), button);
                if response.on_hover_text(tooltip(ui, action, state)).clicked() {
                    commands.push(action.into());
                }
            }
        }
    }
    actions_ui(ui, &[(Action::ToggleSymmetry, ICON_FLIP)], state, commands);
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
