//! Saving the project and exporting the character.

use std::path::PathBuf;

use crate::app::areas::files::Ask;
use crate::app::jobs::{Inputs, JobKind};
use crate::app::studio::Studio;
use crate::doc::{Document, Edit, Moment};
use crate::jobs::Job;
use crate::jobs::export::ExportGlb;
use crate::jobs::save::SaveProject;

impl Studio {
    /// Saves to the project's file, or asks for one.
    pub(in crate::app) fn save(&mut self) {
        match self.state.session.path.clone() {
            Some(path) => self.save_to(path),
            None => self.ask_for_path(Ask::Save),
        }
    }

    pub(in crate::app) fn save_to(&mut self, path: PathBuf) {
        let session = &self.state.session;
        let (serial, moment) = (session.serial, session.history().now());
        let job = SaveProject { document: self.document_to_keep(), path: path.clone() };
        self.jobs.start(JobKind::shown("save"), Inputs::none(), job, move |studio, end| {
            match end.done(&mut studio.state.log) {
                Some(()) => studio.saved(path, serial, moment),
                None => studio.files.after_save = None,
            }
        });
    }

    /// The document with the method that is looked at: choosing one is no step that could be undone.
    pub(in crate::app) fn document_to_keep(&self) -> Document {
        let mut document = self.state.document().clone();
        let shown = self.state.panes.active_pane().method.clone();
        if document.method() != shown {
            // A method that does not exist stays out; the document keeps its own.
            let _ = document.apply(Edit::SetMethod(shown));
        }
        document
    }

    fn saved(&mut self, path: PathBuf, session: u64, moment: Moment) {
        self.state.log.info(format!("Saved to {}", path.display()));
        let next = self.files.after_save.take();
        if session != self.state.session.serial {
            return;
        }
        self.state.settings.remember(path.clone());
        self.state.session.mark_saved(path, moment);
        if self.state.session.is_unsaved() {
            // It was changed while it was being written: the question stands.
            if next.is_some() {
                self.state.files.guard = next;
            }
            return;
        }
        self.drop_copies();
        if let Some(next) = next.or_else(|| self.state.files.guard.take()) {
            self.go_on(next);
        }
    }

    /// Writes a file and tells `words` once it is there.
    pub(in crate::app) fn write<J: Job + 'static>(&mut self, words: String, job: J) {
        self.jobs.start(JobKind::shown("write"), Inputs::none(), job, |studio, end| {
            if end.done(&mut studio.state.log).is_some() {
                studio.state.log.info(words);
            }
        });
    }

    pub(in crate::app) fn export_to(&mut self, path: PathBuf, max_influences: Option<usize>) {
        let words = format!("Exported to {}", path.display());
        let character = self.state.character().clone();
        self.write(words, ExportGlb { character, max_influences, path });
    }
}
