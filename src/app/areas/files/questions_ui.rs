//! Questions about files: save the changes, recover after a crash; and the sign that a drop is welcome.

use egui::{Align2, FontId, RichText, Ui};

use super::Answer;
use super::FileCommand;
use super::Next;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::state::AppState;

const BUTTON: egui::Vec2 = egui::vec2(96.0, 28.0);

/// Shows the question that is open, if any. One at a time: the copies of a crash come last.
pub fn questions_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if state.files.guard.is_some() {
        guard_ui(ui, state, commands);
    } else if state.files.dialog.is_none() {
        recovery_ui(ui, state, commands);
    }
    drop_ui(ui, state);
}

fn guard_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(next) = &state.files.guard else { return };
    let answer = egui::Modal::new(egui::Id::unique("unsaved changes")).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        ui.heading(format!("Save changes to {}?", state.session.name()));
        ui.add_space(4.0);
        ui.label(match next {
            Next::Quit => "Without saving, what you changed is lost when Sinew closes.",
            Next::Take(_) => "It was changed while the next one was opening, which would replace it.",
            Next::Open(_) | Next::Recover(_) => "Without saving, what you changed is lost.",
        });
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let save = ui.add(egui::Button::new(RichText::new("Save").strong()).min_size(BUTTON));
            if ui.memory(|memory| memory.focused()).is_none() {
                save.request_focus();
            }
            let discard = ui.add(egui::Button::new("Discard").min_size(BUTTON));
            let cancel = ui.add(egui::Button::new("Cancel").min_size(BUTTON));
            for (button, answer) in
                [(save, Answer::Save), (discard, Answer::Discard), (cancel, Answer::Cancel)]
            {
                if button.clicked() {
                    commands.push(FileCommand::Answer(answer).into());
                }
            }
        });
    });
    if answer.should_close() {
        commands.push(FileCommand::Answer(Answer::Cancel).into());
    }
}

fn recovery_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(leftover) = state.files.leftovers.first() else { return };
    let answer = egui::Modal::new(egui::Id::unique("recovery")).show(ui.ctx(), |ui| {
        ui.set_width(420.0);
        ui.heading("Sinew closed unexpectedly");
        ui.add_space(4.0);
        ui.label(format!("Recover {} as it was {}?", leftover.note.name, leftover.note.age()));
        if let Some(path) = &leftover.note.path {
            ui.label(RichText::new(path.display().to_string()).small().weak());
        }
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let recover = ui.add(egui::Button::new(RichText::new("Recover").strong()).min_size(BUTTON));
            if ui.memory(|memory| memory.focused()).is_none() {
                recover.request_focus();
            }
            let answer = |open: bool| FileCommand::Recover { path: leftover.file.clone(), open }.into();
            if recover.clicked() {
                commands.push(answer(true));
            }
            let discard = ui.add(egui::Button::new("Discard").min_size(BUTTON));
            if discard.on_hover_text("Delete the copy").clicked() {
                commands.push(answer(false));
            }
            let later = ui.add(egui::Button::new("Later").min_size(BUTTON));
            if later.on_hover_text("Ask again at the next start").clicked() {
                commands.push(FileCommand::RecoverLater.into());
            }
        });
    });
    if answer.should_close() {
        commands.push(FileCommand::RecoverLater.into());
    }
}

/// While files are held over the window: that they may be dropped, and what for.
fn drop_ui(ui: &Ui, state: &AppState) {
    let hovered: Vec<std::path::PathBuf> =
        ui.input(|i| i.raw.hovered_files.iter().filter_map(|file| file.path.clone()).collect());
    if hovered.is_empty() {
        return;
    }
    let arrival = super::Arrival::sorted(hovered, !state.character().skeleton.is_empty());
    let words = if arrival.main.is_some() { "Drop to open" } else { "Drop to take it on" };
    let colors = theme::palette(state.settings.dark);
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop"));
    let painter = ui.ctx().layer_painter(layer);
    let rect = ui.ctx().content_rect();
    painter.rect_filled(rect, 0.0, egui::Color32::from_black_alpha(150));
    let frame = rect.shrink(14.0);
    painter.rect_stroke(frame, 10.0, egui::Stroke::new(2.5, colors.accent), egui::StrokeKind::Inside);
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        words,
        FontId::proportional(30.0),
        egui::Color32::WHITE,
    );
}
