//! The template that is being edited: its name, its key poses, and what to do with it.

use egui::{RichText, TextEdit, Ui};
use egui_material_icons::icons::ICON_DELETE;

use super::edited::{EditorCommand, Leave, TemplateEditor};
use crate::app::areas::files::Answer;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::{heading, icon_button};
use crate::app::state::AppState;

const BUTTON: egui::Vec2 = egui::vec2(96.0, 28.0);
/// Size of the button that removes a key pose.
const BIN: f32 = 26.0;

/// The section of the inspector; nothing, and false, where nothing is edited.
pub fn template_editor_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) -> bool {
    let Some(editor) = &state.templates.editor else { return false };
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
    true
}

fn words_ui(ui: &mut Ui, editor: &TemplateEditor, commands: &mut Vec<Command>) {
    let field = |ui: &mut Ui, label: &str, text: &str, tip: &str, rows: usize| -> Option<String> {
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
    if let Some(name) = field(ui, "Template name", &editor.name, "What the template is called in the row", 1)
    {
        commands.push(EditorCommand::Name(name).into());
    }
    note_ui(ui, editor);
    if let Some(about) =
        field(ui, "Template sentence", &editor.about, "One sentence: the tooltip of its picture", 2)
    {
        commands.push(EditorCommand::About(about.replace('\n', " ")).into());
    }
}

/// What is wrong with the name; where nothing is, the line is there as well, so that no button moves from under
/// the pointer when a name is refused.
fn note_ui(ui: &mut Ui, editor: &TemplateEditor) {
    let (words, color) = match (&editor.error, &editor.own) {
        (Some(error), _) => (error.as_str(), ui.visuals().error_fg_color),
        (None, Some(_)) => ("A template of your own", ui.visuals().weak_text_color()),
        (None, None) => ("A copy: saving keeps it in your library", ui.visuals().weak_text_color()),
    };
    ui.add(egui::Label::new(RichText::new(words).small().color(color)).truncate());
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
    let Some(editor) = state.templates.editor.as_ref().filter(|editor| editor.leaving.is_some()) else {
        return;
    };
    // Who only leaves wants the changes gone; whoever is on the way to something else may have forgotten them.
    let name = editor.name.trim();
    let (heading, words) = match &editor.leaving {
        _ if editor.has_lost_cage => (
            format!("Save the template {name}?"),
            "The cage that it was edited on is gone. Without saving, what you changed is lost.",
        ),
        Some(Leave::Close) => (
            format!("Discard the changes to the template {name}?"),
            "What you changed in the template editor is lost; saving keeps it in your library.",
        ),
        _ => (
            format!("Save the template {name}?"),
            "Without saving, what you changed in the template editor is lost.",
        ),
    };
    let only_leaves = matches!(editor.leaving, Some(Leave::Close)) && !editor.has_lost_cage;
    // Above the middle: a double click on a button must not hit the one of the question that comes next.
    let id = egui::Id::unique("unsaved template");
    let area = egui::Modal::default_area(id).anchor(egui::Align2::CENTER_CENTER, [0.0, -140.0]);
    let answer = egui::Modal::new(id).area(area).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        ui.heading(heading);
        ui.add_space(4.0);
        ui.label(words);
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let mut button = |words: RichText| ui.add(egui::Button::new(words).min_size(BUTTON));
            let mut answers = match only_leaves {
                true => vec![
                    (button("Discard changes".into()), Answer::Discard),
                    (button("Save".into()), Answer::Save),
                ],
                false => vec![
                    (button(RichText::new("Save").strong()), Answer::Save),
                    (button("Discard changes".into()), Answer::Discard),
                ],
            };
            if !editor.has_lost_cage {
                answers.push((button("Cancel".into()), Answer::Cancel));
            }
            // Enter loses nothing.
            let harmless = if only_leaves { answers.last() } else { answers.first() };
            if let Some((button, _)) = harmless
                && ui.memory(|memory| memory.focused()).is_none()
            {
                button.request_focus();
            }
            for (button, answer) in answers {
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
