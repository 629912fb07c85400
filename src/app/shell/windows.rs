//! Windows over the panels: log, keys, settings, about.

use egui::{Align2, Grid, RichText, Ui};

use super::theme;
use super::widgets::{heading, keys_text, radio};
use crate::app::action::{Action, Group};
use crate::app::command::Command;
use crate::app::log::Level;
use crate::app::settings::{Device, Navigation, Settings};
use crate::app::shell::command::ShellCommand;
use crate::app::shell::command::WindowKind;
use crate::app::state::AppState;
use crate::kernel::skin::methods;
use crate::render::scene::BoneStyle;

/// What memory can be limited to, in MB.
const MEMORY: std::ops::RangeInclusive<f32> = 16.0..=16384.0;

/// Shows those that are open.
pub fn windows_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let open = &state.windows;
    let mut show = |window: WindowKind,
                    title: &str,
                    is_open: bool,
                    width: f32,
                    add: &mut dyn FnMut(&mut Ui, &mut Vec<Command>)| {
        let mut stays = is_open;
        if is_open {
            egui::Window::new(title)
                .open(&mut stays)
                .collapsible(false)
                .resizable(true)
                .default_width(width)
                .pivot(Align2::CENTER_CENTER)
                .default_pos(ui.ctx().content_rect().center())
                .show(ui.ctx(), |ui| add(ui, commands));
        }
        if is_open && !stays {
            commands.push(ShellCommand::ShowWindow { window, open: false }.into());
        }
    };
    show(WindowKind::Log, "Log", open.log, 560.0, &mut |ui, _| log_ui(ui, state));
    show(WindowKind::Keys, "Keys", open.keys, 620.0, &mut |ui, commands| keys_ui(ui, state, commands));
    show(WindowKind::Settings, "Settings", open.settings, 460.0, &mut |ui, commands| {
        settings_ui(ui, state, commands);
    });
    show(WindowKind::About, "About Sinew", open.about, 440.0, &mut |ui, _| about_ui(ui));
}

/// Escape closes the window that is open; the last in the list of them where there are several.
pub fn escape_ui(context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) {
    let open = &state.windows;
    let all = [
        (WindowKind::About, open.about),
        (WindowKind::Settings, open.settings),
        (WindowKind::Keys, open.keys && open.rebinding.is_none()),
        (WindowKind::Log, open.log),
    ];
    let Some((window, _)) = all.into_iter().find(|(_, is_open)| *is_open) else { return };
    if context.text_edit_focused() || egui::Popup::is_any_open(context) {
        return;
    }
    // Nobody else sees it: one press does one thing.
    if context.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape)) {
        commands.push(ShellCommand::ShowWindow { window, open: false }.into());
    }
}

fn log_ui(ui: &mut Ui, state: &AppState) {
    let colors = theme::palette(state.settings.dark);
    egui::ScrollArea::vertical().max_height(360.0).stick_to_bottom(true).auto_shrink(false).show(ui, |ui| {
        if state.log.entries().is_empty() {
            ui.weak("Nothing to report.");
        }
        for entry in state.log.entries() {
            let (mark, color) = match entry.level {
                Level::Info => ("Note", colors.weak),
                Level::Warning => ("Warning", colors.warning),
                Level::Error => ("Error", colors.error),
            };
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(mark).color(color).strong());
                ui.add(egui::Label::new(&entry.text).selectable(true));
            });
        }
    });
}

fn keys_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if let Some(action) = state.windows.rebinding {
        listen(ui, action, commands);
    }
    egui::ScrollArea::vertical().max_height(460.0).show(ui, |ui| {
        for group in Group::ALL {
            heading(ui, group.label());
            Grid::new(group.label()).num_columns(2).striped(true).min_col_width(150.0).show(ui, |ui| {
                for action in Action::of(group) {
                    let keys: Vec<String> = match state.settings.keys_of(action) {
                        [] => vec![keys_text(ui, action, state)],
                        keys => keys.iter().map(|key| ui.ctx().format_shortcut(key)).collect(),
                    };
                    let waiting = state.windows.rebinding == Some(action);
                    let words = if waiting { "Press a key…".to_owned() } else { keys.join("  or  ") };
                    let button = egui::Button::new(RichText::new(words).monospace()).selected(waiting);
                    let response =
                        ui.add(button.min_size(egui::vec2(140.0, 22.0)).frame_when_inactive(waiting));
                    let name = format!("Key of {}", action.label);
                    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
                    let help =
                        "Click, then press the new key; Backspace gives the first one back, Esc leaves it";
                    if response.on_hover_text(help).clicked() {
                        commands.push(ShellCommand::Rebind((!waiting).then_some(action)).into());
                    }
                    ui.label(action.label).on_hover_text(action.tooltip);
                    ui.end_row();
                }
            });
        }
        heading(ui, "Held");
        Grid::new("held").num_columns(2).striped(true).min_col_width(130.0).show(ui, |ui| {
            for (key, words) in [
                ("`", "The other method while it is held"),
                ("Q", "The rest pose while it is held"),
                ("[ and ]", "Size of the brush; in a tag's drag, another depth"),
                ("Ctrl in a drag", "Place freely, without snapping"),
                ("Esc", "Cancel the drag; leave a panel"),
            ] {
                ui.label(RichText::new(key).monospace());
                ui.label(words);
                ui.end_row();
            }
        });
    });
}

/// Waits for the new key of an action.
fn listen(ui: &Ui, action: Action, commands: &mut Vec<Command>) {
    let pressed = ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Key { key, pressed: true, modifiers, .. } => Some((*key, *modifiers)),
            _ => None,
        })
    });
    match pressed {
        Some((egui::Key::Escape, _)) => commands.push(ShellCommand::Rebind(None).into()),
        Some((egui::Key::Backspace, _)) => commands.push(ShellCommand::SetKeys(action, None).into()),
        Some((key, modifiers)) => {
            let plain = egui::Modifiers { ctrl: false, mac_cmd: false, ..modifiers };
            commands.push(
                ShellCommand::SetKeys(action, Some(vec![egui::KeyboardShortcut::new(plain, key)])).into(),
            );
        }
        None => {}
    }
}

fn settings_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let mut settings: Settings = state.settings.clone();
    heading(ui, "Look");
    ui.horizontal(|ui| {
        ui.selectable_value(&mut settings.dark, true, "Dark");
        ui.selectable_value(&mut settings.dark, false, "Light");
    });
    ui.horizontal(|ui| {
        let mut percent = settings.zoom * 100.0;
        let slider = egui::Slider::new(&mut percent, 60.0..=200.0)
            .step_by(10.0)
            .suffix(" %")
            .text("Size of the interface");
        // Applied when let go: resizing under the pointer makes a slider run away.
        let response = ui.add(slider);
        if let Some(percent) = let_go(ui, &response, percent) {
            settings.zoom = percent / 100.0;
        }
    });
    ui.horizontal(|ui| {
        ui.label("Bones");
        ui.selectable_value(&mut settings.bone_style, BoneStyle::Octahedra, "Octahedra");
        ui.selectable_value(&mut settings.bone_style, BoneStyle::Sticks, "Sticks");
    });
    heading(ui, "Navigation");
    for habits in Navigation::ALL {
        let button = radio(ui, settings.navigation == habits, habits.label());
        if button.on_hover_text(habits.explanation()).clicked() {
            settings.navigation = habits;
        }
    }
    ui.label(RichText::new(settings.navigation.explanation()).small().color(ui.visuals().weak_text_color()));
    heading(ui, "Skinning on");
    ui.horizontal(|ui| {
        for device in Device::ALL {
            ui.selectable_value(&mut settings.device, device, device.label());
        }
    });
    let words = if state.on_gpu() {
        "Skins are deformed by shaders."
    } else {
        "Skins are deformed by the processor."
    };
    ui.label(RichText::new(words).small().color(ui.visuals().weak_text_color()));
    heading(ui, "Autosave");
    let field = egui::Slider::new(&mut settings.autosave_minutes, 0.5..=30.0)
        .suffix(" min")
        .text("Between copies kept for a crash");
    ui.add(field);
    heading(ui, "Memory");
    let tip = "What undo and redo may hold; the oldest steps are forgotten beyond that, the newest never";
    memory_ui(ui, "Memory for undo", &mut settings.undo_memory, state.session.history().held(), tip);
    let tip =
        "What skins may hold that were shown or prepared, so that going back to one of them takes no time";
    memory_ui(ui, "Memory for skins", &mut settings.skin_memory, state.bindings.held(), tip);
    if settings != state.settings {
        commands.push(ShellCommand::SetSettings(Box::new(settings)).into());
    }
}

/// How much memory something may hold, and how much it holds now.
fn memory_ui(ui: &mut Ui, label: &str, megabytes: &mut u32, held: usize, tip: &str) {
    ui.horizontal(|ui| {
        let mut wanted = *megabytes as f32;
        let slider = egui::Slider::new(&mut wanted, MEMORY)
            .logarithmic(true)
            .max_decimals(0)
            .update_while_editing(false)
            .suffix(" MB")
            .text(label);
        let response = ui.add(slider).on_hover_text(tip);
        // What is forgotten on the way to a smaller number does not come back with a larger one.
        if let Some(wanted) = let_go(ui, &response, wanted) {
            *megabytes = wanted.round() as u32;
        }
        let words = format!("{:.1} MB used", held as f64 / f64::from(1 << 20));
        ui.label(RichText::new(words).small().color(ui.visuals().weak_text_color()));
    });
}

/// What a slider was set to, once it is let go.
fn let_go(ui: &Ui, response: &egui::Response, value: f32) -> Option<f32> {
    let memory = response.id.with("let go");
    if response.dragged() {
        ui.data_mut(|data| data.insert_temp(memory, value));
        return None;
    }
    let dragged = ui.data_mut(|data| data.remove_temp::<f32>(memory));
    dragged.or_else(|| response.changed().then_some(value))
}

fn about_ui(ui: &mut Ui) {
    ui.heading("Sinew");
    ui.label(format!("Version {}", env!("CARGO_PKG_VERSION")));
    ui.add_space(6.0);
    ui.label(
        "A studio for rigging and skinning: the same frame of the same motion, skinned one way and another.",
    );
    heading(ui, "Methods");
    for method in methods::METHODS {
        let info = method.info();
        ui.label(format!("{}: {}", info.label, info.paper));
    }
}
