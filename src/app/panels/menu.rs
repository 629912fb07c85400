//! The menu bar, made from the list of actions, and the workspaces' tabs.

use egui::{Button, RichText, Ui};

use super::{keys_text, tooltip};
use crate::app::action::{Action, Group};
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::app::workspaces::Workspace;
use crate::doc::Origin;
use crate::kernel::forge;

/// The menu bar.
pub fn menu_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    egui::MenuBar::new().ui(ui, |ui| {
        for group in Group::ALL {
            ui.menu_button(group.label(), |ui| {
                ui.set_min_width(210.0);
                for action in Action::of(group) {
                    entry(ui, action, state, commands);
                    if group == Group::File && action == Action::Open {
                        recent_ui(ui, state, commands);
                        built_in_ui(ui, commands);
                        ui.separator();
                    }
                    if matches!(
                        action,
                        Action::Redo
                            | Action::PreviousTemplate
                            | Action::ViewTop
                            | Action::ToggleWireframe
                            | Action::Screenshot
                            | Action::ResetAll
                            | Action::ToggleWipe
                            | Action::NextShading
                    ) {
                        ui.separator();
                    }
                }
            });
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let hint = format!("Find a command  {}", keys_text(ui, Action::Palette, state));
            let button = Button::new(RichText::new(hint).color(ui.visuals().weak_text_color()));
            if ui.add(button).on_hover_text(Action::Palette.spec().tooltip).clicked() {
                commands.push(Action::Palette.into());
            }
            let name = state.session.name();
            if state.session.is_open() && ui.available_width() > 160.0 {
                let dot = if state.session.history().is_unsaved() { " •" } else { "" };
                ui.label(RichText::new(format!("{name}{dot}")).color(ui.visuals().weak_text_color()));
            }
        });
    });
}

fn entry(ui: &mut Ui, action: Action, state: &AppState, commands: &mut Vec<Command>) {
    let words = match action {
        Action::Undo => named("Undo", state.undo_label()),
        Action::Redo => named("Redo", state.redo_label()),
        other => other.label().to_owned(),
    };
    let mark = if state.is_on(action) { "✔ " } else { "" };
    let button = Button::new(format!("{mark}{words}")).shortcut_text(keys_text(ui, action, state));
    let response = ui.add_enabled(state.can(action), button);
    if response.on_hover_text(tooltip(ui, action, state)).clicked() {
        commands.push(action.into());
        ui.close();
    }
}

fn named(verb: &str, what: Option<&str>) -> String {
    what.map_or_else(|| verb.to_owned(), |what| format!("{verb} {what}"))
}

fn recent_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.menu_button("Open recent", |ui| {
        if state.settings.recent.is_empty() {
            ui.label("Nothing yet");
        }
        for path in &state.settings.recent {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Open(Origin::File(path.clone())));
                ui.close();
            }
        }
    });
}

fn built_in_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.menu_button("Open built-in", |ui| {
        egui::ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
            for entry in forge::CATALOG {
                if ui.button(entry.label).on_hover_text(entry.description).clicked() {
                    commands.push(Command::Open(Origin::BuiltIn { id: entry.id.to_owned(), vertices: None }));
                    ui.close();
                }
            }
        });
    });
}

/// The workspaces as tabs.
pub fn workspaces_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for workspace in Workspace::ALL {
        let on = state.workspace == workspace;
        let button = Button::new(RichText::new(workspace.label()).strong())
            .selected(on)
            .min_size(egui::vec2(64.0, 26.0));
        let response = ui.add(button);
        response.widget_info(|| {
            let name = format!("{} workspace", workspace.label());
            egui::WidgetInfo::selected(egui::Role::Button, true, on, name)
        });
        if response.on_hover_text(workspace.explanation()).clicked() {
            commands.push(Command::SetWorkspace(workspace));
        }
    }
}
