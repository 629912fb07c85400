//! The strip under the menus: workspaces, tools with their options, what is shown, panes.

use egui::Ui;
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::*;

use super::menu;
use super::widgets::{icon_button, tooltip};
use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::app::tools::ToolKind;

/// The strip.
pub fn toolstrip_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        menu::workspaces_ui(ui, state, commands);
        ui.separator();
        let tools: Vec<(Action, MaterialIcon)> =
            ToolKind::all().map(|tool| (tool.action, tool.icon)).collect();
        actions_ui(ui, &tools, state, commands);
        ui.separator();
        (state.tool.kind.options_ui)(ui, state, commands);
        actions_ui(ui, &[(Action::ToggleSymmetry, ICON_FLIP)], state, commands);
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
