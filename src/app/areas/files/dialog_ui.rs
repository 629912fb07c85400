//! The dialog for a path, as it looks.

use egui::{Key, RichText, Ui};

use super::FileCommand;
use super::dialog::{Ask, Dialog, LIMITS};
use super::listing::Listing;
use super::paths;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets;
use crate::app::state::AppState;
use crate::io::{ReadOptions, UpAxis};

/// Units that a file may be in: metres in one, and what it is called.
const UNITS: [(f64, &str); 5] =
    [(1.0, "Metres"), (0.1, "Decimetres"), (0.01, "Centimetres"), (0.001, "Millimetres"), (0.0254, "Inches")];

/// The list of a folder's content is as high whatever is in it.
const LIST_HEIGHT: f32 = 170.0;

/// Shows the dialog while it is open.
pub fn dialog_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(dialog) = &state.files.dialog else { return };
    let answer = egui::Modal::new(egui::Id::unique("file dialog")).show(ui.ctx(), |ui| {
        ui.set_width(520.0);
        ui.heading(dialog.ask.title());
        ui.add_space(6.0);
        field_ui(ui, dialog, commands);
        message_ui(ui, dialog, state);
        listing_ui(ui, dialog, commands);
        if dialog.ask == Ask::Open {
            recent_ui(ui, state, commands);
            reading_ui(ui, dialog, commands);
        }
        if dialog.ask == Ask::Export {
            limit_ui(ui, dialog, commands);
        }
        ui.add_space(8.0);
        buttons_ui(ui, dialog, commands);
    });
    if answer.should_close() {
        commands.push(FileCommand::CancelDialog.into());
    }
}

fn field_ui(ui: &mut Ui, dialog: &Dialog, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let browse = egui::Button::new("Browse…").min_size(egui::vec2(84.0, 26.0));
        let mut text = dialog.text.clone();
        let field = egui::TextEdit::singleline(&mut text)
            .hint_text("Path, such as ~/models/robot.glb")
            .desired_width(ui.available_width() - 100.0);
        let response = ui.add(field);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path");
            info.current_text_value = Some(text.clone());
            info
        });
        let entered = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        if is_new(ui, dialog) || entered {
            response.request_focus();
        }
        if text != dialog.text {
            commands.push(FileCommand::Type(text).into());
        }
        if entered {
            commands.push(FileCommand::Accept.into());
        }
        if ui.add(browse).on_hover_text("Choose with the system's own dialog").clicked() {
            commands.push(FileCommand::Browse.into());
        }
    });
}

/// Whether the dialog was opened in this frame.
fn is_new(ui: &Ui, dialog: &Dialog) -> bool {
    let last_seen = egui::Id::unique("last file dialog");
    ui.data_mut(|data| {
        let seen: &mut u64 = data.get_temp_mut_or_default(last_seen);
        std::mem::replace(seen, dialog.serial) != dialog.serial
    })
}

/// Always as high as a line, so that nothing moves under the pointer.
fn message_ui(ui: &mut Ui, dialog: &Dialog, state: &AppState) {
    let colors = theme::palette(state.settings.dark);
    let (words, color) = match (&dialog.error, &dialog.replaces) {
        (Some(why), _) => (why.clone(), colors.error),
        (None, Some(path)) => {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            (format!("{name} is already there. Replace it?"), colors.warning)
        }
        (None, None) => (String::new(), colors.weak),
    };
    ui.add(egui::Label::new(RichText::new(&words).color(color)).truncate()).on_hover_text(words);
}

fn listing_ui(ui: &mut Ui, dialog: &Dialog, commands: &mut Vec<Command>) {
    ui.add_space(4.0);
    let area = egui::ScrollArea::vertical().max_height(LIST_HEIGHT).min_scrolled_height(LIST_HEIGHT);
    area.auto_shrink(false).id_salt("files").show(ui, |ui| {
        if let Some(listing) = &dialog.listing {
            items_ui(ui, dialog, listing, commands);
        }
    });
}

fn items_ui(ui: &mut Ui, dialog: &Dialog, listing: &Listing, commands: &mut Vec<Command>) {
    let (_, start) = paths::folder_and_start(&dialog.text);
    let start = start.to_lowercase();
    // A name that is whole narrows nothing down: its neighbours stay in sight.
    let whole = dialog.ask.writes() || listing.items.iter().any(|item| item.name.to_lowercase() == start);
    let shown = listing.items.iter().filter(|item| {
        (item.is_folder || dialog.ask.takes(&item.name))
            && (whole || item.name.to_lowercase().starts_with(&start))
    });
    let folder = paths::as_folder(&listing.folder);
    if let Some(above) = listing.folder.parent()
        && row(ui, "..", true, false).on_hover_text(above.display().to_string()).clicked()
    {
        commands.push(FileCommand::Type(paths::as_folder(above)).into());
    }
    for item in shown {
        let path = format!("{folder}{}", item.name);
        let response = row(ui, &item.name, item.is_folder, item.name.to_lowercase() == start);
        if response.clicked() {
            let text = if item.is_folder { paths::as_folder(path.as_ref()) } else { path };
            commands.push(FileCommand::Type(text).into());
        }
        if response.double_clicked() && !item.is_folder && !dialog.ask.writes() {
            commands.push(FileCommand::Accept.into());
        }
    }
}

fn row(ui: &mut Ui, name: &str, is_folder: bool, chosen: bool) -> egui::Response {
    use egui_material_icons::icons::{ICON_DESCRIPTION, ICON_FOLDER};
    let icon = if is_folder { ICON_FOLDER } else { ICON_DESCRIPTION };
    let button = egui::Button::new((icon.rich_text().weak(), RichText::new(name)))
        .selected(chosen)
        .frame_when_inactive(false)
        .min_size(egui::vec2(ui.available_width(), 22.0));
    let response = ui.add(button);
    let words = if is_folder { format!("Folder {name}") } else { name.to_owned() };
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, &words));
    response
}

fn recent_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if state.settings.recent.is_empty() {
        return;
    }
    widgets::heading(ui, "Recent");
    ui.horizontal_wrapped(|ui| {
        for path in state.settings.recent.iter().take(6) {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                commands.push(FileCommand::Type(path.to_string_lossy().into_owned()).into());
                commands.push(FileCommand::Accept.into());
            }
        }
    });
}

fn reading_ui(ui: &mut Ui, dialog: &Dialog, commands: &mut Vec<Command>) {
    let mut options: ReadOptions = dialog.options;
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let up = options.up.map_or("Detect", UpAxis::name);
        egui::ComboBox::from_label("Up axis").selected_text(up).width(90.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut options.up, None, "Detect");
            for axis in [UpAxis::Y, UpAxis::Z] {
                ui.selectable_value(&mut options.up, Some(axis), axis.name());
            }
        });
        let unit = UNITS.iter().find(|(metres, _)| options.metres_per_unit == Some(*metres));
        let unit = unit.map_or("Detect", |(_, label)| label);
        egui::ComboBox::from_label("Unit").selected_text(unit).width(110.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut options.metres_per_unit, None, "Detect");
            for (metres, label) in UNITS {
                ui.selectable_value(&mut options.metres_per_unit, Some(metres), label);
            }
        });
    });
    if options != dialog.options {
        commands.push(FileCommand::SetReadOptions(options).into());
    }
}

fn limit_ui(ui: &mut Ui, dialog: &Dialog, commands: &mut Vec<Command>) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.label("Joints a vertex keeps").on_hover_text(
            "Most engines read four. Keeping fewer than there are moves the skin a little; how much is told afterwards.",
        );
        for limit in LIMITS {
            let words = limit.map_or_else(|| "All".to_owned(), |count| count.to_string());
            let response = ui.radio(dialog.limit == limit, words.clone());
            response.widget_info(|| {
                let name = format!("Keep {}", words.to_lowercase());
                egui::WidgetInfo::selected(egui::Role::RadioButton, true, dialog.limit == limit, name)
            });
            if response.clicked() {
                commands.push(FileCommand::SetLimit(limit).into());
            }
        }
    });
}

fn buttons_ui(ui: &mut Ui, dialog: &Dialog, commands: &mut Vec<Command>) {
    let size = egui::vec2(96.0, 28.0);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let replaces = dialog.replaces.is_some() && dialog.error.is_none();
        let verb = if replaces { "Replace" } else { dialog.ask.verb() };
        if ui.add(egui::Button::new(RichText::new(verb).strong()).min_size(size)).clicked() {
            commands.push(FileCommand::Accept.into());
        }
        if ui.add(egui::Button::new("Cancel").min_size(size)).clicked() {
            commands.push(FileCommand::CancelDialog.into());
        }
    });
}
