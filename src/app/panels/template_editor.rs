//! The template that is being edited: its name, its key poses, and what to do with it.

use egui::{RichText, TextEdit, Ui};
use egui_material_icons::icons::ICON_DELETE;

use super::{heading, icon_button};
use crate::app::command::Command;
use crate::app::files::Answer;
use crate::app::state::AppState;
use crate::app::template_editor::{EditorCommand, TemplateEditor};
use crate::app::theme;

const BUTTON: egui::Vec2 = egui::vec2(96.0, 28.0);
/// Size of the button that removes a key pose.
const BIN: f32 = 26.0;

/// The section of the inspector; nothing where nothing is edited.
pub fn template_editor_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(editor) = &state.template_editor else { return };
    ui.separator();
    heading(ui, "Template editor");
    let where_it_is = format!("{} {}", editor.place.label(), editor.spot_name);
    ui.label(RichText::new(where_it_is).color(ui.visuals().weak_text_color()));
    words_ui(ui, editor, commands);
    ui.add_space(4.0);
    keys_ui(ui, editor, state, commands);
    let mut mirror = editor.mirror;
    let tip = "The vertex opposite follows: across the plane that the joint bends in, or on the other side of the bone";
    if ui.checkbox(&mut mirror, "Mirror").on_hover_text(tip).changed() {
        commands.push(EditorCommand::Mirror(mirror).into());
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let save = egui::Button::new(RichText::new("Save to library").strong());
        let tip = "Writes it into your template folder and puts it to use here; every place on this character that uses it follows";
        if ui.add_enabled(!editor.saving, save).on_hover_text(tip).clicked() {
            commands.push(EditorCommand::Save.into());
        }
        if ui.button("Discard").on_hover_text("Leave the editor; asks first where changes would be lost").clicked() {
            commands.push(EditorCommand::Leave.into());
        }
    });
}

fn words_ui(ui: &mut Ui, editor: &TemplateEditor, commands: &mut Vec<Command>) {
    let mut field = |label: &str, text: &str, tip: &str, rows: usize| -> Option<String> {
        let mut typed = text.to_owned();
        let edit = match rows {
            1 => TextEdit::singleline(&mut typed),
            rows => TextEdit::multiline(&mut typed).desired_rows(rows),
        };
        let response = ui.add(edit.desired_width(f32::INFINITY).hint_text(label));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, label));
        let changed = response.on_hover_text(tip).changed();
        changed.then_some(typed)
    };
    if let Some(name) = field("Template name", &editor.name, "What the template is called in the row", 1) {
        commands.push(EditorCommand::Name(name).into());
    }
    if let Some(about) =
        field("Template sentence", &editor.about, "One sentence: the tooltip of its picture", 2)
    {
        commands.push(EditorCommand::About(about.replace('\n', " ")).into());
    }
    if let Some(error) = &editor.error {
        ui.label(RichText::new(error).color(ui.visuals().error_fg_color));
    }
}

fn keys_ui(ui: &mut Ui, editor: &TemplateEditor, state: &AppState, commands: &mut Vec<Command>) {
    heading(ui, "Key poses");
    let colors = theme::palette(state.settings.dark);
    let here = editor.key_here(&state.posed.posed_from_rest);
    for key in 0..editor.template().keys.len() {
        let label = editor.rig().key_label(editor.spot, key);
        let on = here == Some(key);
        // From the right: the bin is always there, and the name takes what room is left.
        let row = egui::Layout::right_to_left(egui::Align::Center);
        ui.allocate_ui_with_layout(egui::vec2(ui.available_width(), BIN), row, |ui| {
            if key > 0 {
                let name = format!("Remove the key pose {label}");
                if icon_button(ui, ICON_DELETE, &name, false).clicked() {
                    commands.push(EditorCommand::RemoveKey(key).into());
                }
            } else {
                ui.add_space(BIN + ui.spacing().item_spacing.x);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let go = ui.add_enabled(!on, egui::Button::new("Go to pose"));
                let name = format!("Go to pose {label}");
                go.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, !on, &name));
                let tip = "Turns the bones here so that this key pose counts alone, to be seen and reshaped";
                if go.on_hover_text(tip).on_disabled_hover_text("The bones are as in this key pose").clicked()
                {
                    commands.push(EditorCommand::GoTo(key).into());
                }
                let words = RichText::new(&label);
                let words = if on { words.strong().color(colors.accent) } else { words };
                // What is left out of a long name is in its tooltip.
                ui.add(egui::Label::new(words).truncate());
            });
        });
    }
    let add = egui::Button::new("Add key pose from current pose");
    let tip = "The template keeps the shape that it has in this pose; drag its vertices from there";
    let already = "The bones are as in a key pose: turn them first";
    let add = ui.add_enabled(here.is_none(), add).on_hover_text(tip).on_disabled_hover_text(already);
    if add.clicked() {
        commands.push(EditorCommand::AddKey.into());
    }
    let weak = ui.visuals().weak_text_color();
    let (words, color) = match here {
        _ if state.playback.playing => ("Pause the motion to drag vertices.".to_owned(), weak),
        Some(key) => {
            let label = editor.rig().key_label(editor.spot, key);
            (format!("Drag a vertex of the cage to reshape “{label}”."), weak)
        }
        None => ("Between key poses: add one here, or go to one.".to_owned(), colors.warning),
    };
    ui.label(RichText::new(words).small().color(color));
}

/// The question whether changes are saved, where somebody leaves with some.
pub fn question_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(editor) = state.template_editor.as_ref().filter(|editor| editor.leaving.is_some()) else {
        return;
    };
    let answer = egui::Modal::new(egui::Id::unique("unsaved template")).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        ui.heading(format!("Save the template {}?", editor.name.trim()));
        ui.add_space(4.0);
        ui.label("Without saving, what you changed in the template editor is lost.");
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let save = ui.add(egui::Button::new(RichText::new("Save").strong()).min_size(BUTTON));
            if ui.memory(|memory| memory.focused()).is_none() {
                save.request_focus();
            }
            let discard = ui.add(egui::Button::new("Discard changes").min_size(BUTTON));
            let cancel = ui.add(egui::Button::new("Cancel").min_size(BUTTON));
            for (button, answer) in
                [(save, Answer::Save), (discard, Answer::Discard), (cancel, Answer::Cancel)]
            {
                if button.clicked() {
                    commands.push(EditorCommand::Answer(answer).into());
                }
            }
        });
    });
    if answer.should_close() {
        commands.push(EditorCommand::Answer(Answer::Cancel).into());
    }
}
