//! Opening, saving, exporting, importing: what is asked for and what becomes of it.

mod asking;
mod copies;
mod importing;
mod opening;
mod picture;
mod saving;

use super::Answer;
use super::Arrival;
use super::Ask;
use super::FileCommand;
use super::Next;
use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

impl AreaCommand for FileCommand {
    fn perform(&self, studio: &mut Studio) {
        studio.file_command(self.clone());
    }
}

impl Studio {
    fn file_command(&mut self, command: FileCommand) {
        match command {
            FileCommand::Open(origin) => self.ask_first(Next::Open(Arrival::of(origin))),
            FileCommand::OpenAnyway(origin) => self.open(Arrival::of(origin)),
            FileCommand::ImportMotion(path) => self.import_motion(path),
            FileCommand::SaveTo(path) => self.save_to(path),
            FileCommand::ExportTo { path, max_influences } => self.export_to(path, max_influences),
            FileCommand::QuitAnyway => self.go_on(Next::Quit),
            FileCommand::Recover { path, open } => self.answer_recovery(&path, open),
            FileCommand::Type(text) => self.type_path(text),
            FileCommand::Accept => self.accept_path(),
            FileCommand::Browse => self.browse(),
            FileCommand::CancelDialog => self.cancel_dialog(),
            FileCommand::SetLimit(limit) => {
                self.state.files.dialog.iter_mut().for_each(|dialog| dialog.limit = limit);
            }
            FileCommand::SetReadOptions(options) => {
                self.state.files.dialog.iter_mut().for_each(|dialog| dialog.options = options);
            }
            FileCommand::Answer(answer) => self.answer_guard(answer),
            FileCommand::RecoverLater => self.state.files.leftovers.clear(),
            FileCommand::Arrive(paths) => self.arrive(Arrival::sorted(paths, self.has_joints())),
        }
    }

    /// Asks for a path on the user's behalf.
    pub(in crate::app) fn ask_for_file(&mut self, ask: Ask) {
        self.forget_waiting();
        self.ask_for_path(ask);
    }

    /// Saves to the project's file, or asks for one.
    pub(in crate::app) fn save_or_ask(&mut self) {
        self.forget_waiting();
        self.save();
    }

    /// Something else is asked for instead of what waited for the dialog that is open.
    fn forget_waiting(&mut self) {
        if self.files.native.is_some() || self.state.files.dialog.is_some() {
            self.files.after_save = None;
        }
    }

    /// Goes on at once, or asks first whether changes are to be saved.
    pub(in crate::app) fn ask_first(&mut self, next: Next) {
        if self.waits_for_editor(&next) {
            return;
        }
        if self.state.session.is_unsaved() {
            self.state.files.guard = Some(next);
        } else {
            self.go_on(next);
        }
    }

    pub(in crate::app) fn go_on(&mut self, next: Next) {
        match next {
            Next::Open(arrival) => self.open(arrival),
            Next::Take(ready) => self.take(*ready),
            Next::Recover(leftover) => self.recover(&leftover),
            Next::Quit => {
                self.files.leaving = true;
                self.context.send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }

    fn answer_guard(&mut self, answer: Answer) {
        let Some(next) = self.state.files.guard.take() else { return };
        match answer {
            Answer::Save => {
                self.files.after_save = Some(next);
                self.save();
            }
            Answer::Discard => self.go_on(next),
            Answer::Cancel => {}
        }
    }

    fn has_joints(&self) -> bool {
        !self.state.character().skeleton.is_empty()
    }

    /// What files need in every frame, before the panels are laid out.
    pub(in crate::app) fn advance_files(&mut self) {
        self.poll_dialogs();
        self.poll_picture();
        self.keep_copy();
        self.take_drops();
        self.hold_close();
        self.write_title();
    }

    fn take_drops(&mut self) {
        let dropped: Vec<std::path::PathBuf> =
            self.context.input(|i| i.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
        if !dropped.is_empty() && !self.state.files.is_asking() {
            self.perform(FileCommand::Arrive(dropped).into());
        }
    }

    /// The window's close button asks like Quit.
    fn hold_close(&mut self) {
        let close = self.context.input(|i| i.viewport().close_requested());
        let unsaved = self.state.session.is_unsaved() || self.state.has_unsaved_template();
        if close && !self.files.leaving && unsaved {
            self.context.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.ask_first(Next::Quit);
        }
    }

    fn write_title(&mut self) {
        let session = &self.state.session;
        let dot = if session.is_unsaved() { " •" } else { "" };
        let title =
            if session.is_open() { format!("{}{dot} – Sinew", session.name()) } else { "Sinew".into() };
        if title != self.files.title {
            self.context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.files.title = title;
        }
    }
}
