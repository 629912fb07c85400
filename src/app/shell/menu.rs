//! The menu bar, made from the list of actions, and the workspaces' tabs.

use egui::{Button, RichText, Ui};

use super::widgets::{disabled_tooltip, keys_text, tooltip};
use super::workspaces::Workspace;
use crate::app::action::{Action, Group};
use crate::app::areas::files::FileCommand;
use crate::app::command::Command;
use crate::app::shell::command::ShellCommand;
use crate::app::state::AppState;
use crate::doc::Origin;
use crate::kernel::forge;

/// The menu bar.
pub fn menu_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    egui::MenuBar::new().ui(ui, |ui| {
        for group in Group::ALL {
            let add = |ui: &mut Ui| group_ui(ui, group, state, commands);
            ui.menu_button(group.label(), |ui| scrolled(ui, add));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let hint = format!("Find a command  {}", keys_text(ui, Action::Palette, state));
            let button = Button::new(RichText::new(hint).color(ui.visuals().weak_text_color()));
            if ui.add(button).on_hover_text(Action::Palette.tooltip).clicked() {
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

/// The entries of a menu.
fn group_ui(ui: &mut Ui, group: Group, state: &AppState, commands: &mut Vec<Command>) {
    ui.set_min_width(210.0);
    let mut section = None;
    for action in Action::of(group) {
        if section.replace(action.section).is_some_and(|before| before != action.section) {
            ui.separator();
        }
        entry(ui, action, state, commands);
        if action == Action::Open {
            recent_ui(ui, state, commands);
            built_in_ui(ui, commands);
        }
    }
}

fn entry(ui: &mut Ui, action: Action, state: &AppState, commands: &mut Vec<Command>) {
    let words = words(action, state);
    let (on, enabled) = (state.is_on(action), state.can(action));
    let keys = shown_keys(ui, action, state);
    // Where some entries have ticks, all leave room for one.
    let button = match has_switches(action.group) {
        true => Button::new((tick(on), words.as_str())),
        false => Button::new(words.as_str()),
    };
    let response = ui.add_enabled(enabled, button.shortcut_text(keys));
    if on {
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, enabled, on, &words));
    }
    let response = response.on_hover_text(tooltip(ui, action, state));
    if response.on_disabled_hover_text(disabled_tooltip(ui, action, state)).clicked() {
        commands.push(action.into());
        ui.close();
    }
}

/// A menu that is higher than the window scrolls.
fn scrolled(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let height = ui.ctx().content_rect().bottom() - ui.max_rect().top() - 16.0;
    ui.set_max_height(height.max(120.0));
    egui::ScrollArea::vertical().max_height(height.max(120.0)).show(ui, add);
}

/// Whether a menu has entries that are on or off.
fn has_switches(group: Group) -> bool {
    Action::of(group).iter().any(|action| action.is_on.is_some())
}

/// A tick, or room for one.
fn tick(on: bool) -> egui::Atom<'static> {
    egui::Atom::paint(egui::Vec2::splat(12.0), move |ui, args| {
        if on {
            let at = |x: f32, y: f32| args.rect.min + args.rect.size() * egui::vec2(x, y);
            let stroke = egui::Stroke::new(1.8, args.fallback_text_color);
            ui.painter().line(vec![at(0.1, 0.55), at(0.4, 0.85), at(0.95, 0.2)], stroke);
        }
    })
}

/// The keys of an action where it is what they do now: Tab walks along methods or along templates.
fn shown_keys(ui: &Ui, action: Action, state: &AppState) -> String {
    let flicks = [Action::NextMethod, Action::PreviousMethod].contains(&action);
    let walks = [Action::NextTemplate, Action::PreviousTemplate].contains(&action);
    let swaps = state.tab_swaps_templates();
    if flicks && swaps || walks && !swaps { String::new() } else { keys_text(ui, action, state) }
}

/// What an action is called here: undo and redo say what they would undo and redo.
pub(super) fn words(action: Action, state: &AppState) -> String {
    let what = match action {
        action if action == Action::Undo => state.undo_label(),
        action if action == Action::Redo => state.redo_label(),
        _ => None,
    };
    what.map_or_else(|| action.label.to_owned(), |what| format!("{} {what}", action.label))
}

fn recent_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.menu_button("Open recent", |ui| {
        if state.settings.recent.is_empty() {
            ui.label("Nothing yet");
        }
        for path in &state.settings.recent {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                commands.push(FileCommand::Open(Origin::File(path.clone())).into());
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
                    commands.push(
                        FileCommand::Open(Origin::BuiltIn { id: entry.id.to_owned(), vertices: None }).into(),
                    );
                    ui.close();
                }
            }
        });
    });
}

/// The workspaces as tabs.
pub fn workspaces_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for workspace in Workspace::all() {
        let on = state.workspace == workspace;
        let button = Button::new(RichText::new(workspace.label).strong())
            .selected(on)
            .min_size(egui::vec2(64.0, 26.0));
        let response = ui.add(button);
        response.widget_info(|| {
            let name = format!("{} workspace", workspace.label);
            egui::WidgetInfo::selected(egui::Role::Button, true, on, name)
        });
        if response.on_hover_text(workspace.explanation).clicked() {
            commands.push(ShellCommand::SetWorkspace(workspace).into());
        }
    }
}
