//! Saving the project and exporting the character.

use std::path::PathBuf;

use crate::app::files::Ask;
use crate::app::jobs::Purpose;
use crate::app::studio::Studio;
use crate::doc::{Document, Edit, Moment};
use crate::jobs::export::ExportGlb;
use crate::jobs::save::SaveProject;

impl Studio {
    /// Saves to the project's file, or asks for one.
    pub(super) fn save(&mut self) {
        match self.state.session.path.clone() {
            Some(path) => self.save_to(path),
            None => self.ask_for_path(Ask::Save),
        }
    }

    pub(super) fn save_to(&mut self, path: PathBuf) {
        let session = &self.state.session;
        let purpose =
            Purpose::Save { path: path.clone(), session: session.serial, moment: session.history().now() };
        let document = self.document_to_keep();
        self.jobs.start(purpose, SaveProject { document, path });
    }

    /// The document with the method that is looked at: choosing one is no step that could be undone.
    pub(super) fn document_to_keep(&self) -> Document {
        let mut document = self.state.document().clone();
        let shown = self.state.panes.active_pane().method.clone();
        if document.method() != shown {
            // A method that does not exist stays out; the document keeps its own.
            let _ = document.apply(Edit::SetMethod(shown));
        }
        document
    }

    pub(super) fn saved(&mut self, path: PathBuf, session: u64, moment: Moment) {
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

    pub(super) fn export_to(&mut self, path: PathBuf, max_influences: Option<usize>) {
        let words = format!("Exported to {}", path.display());
        let character = self.state.character().clone();
        self.jobs.start(Purpose::Write(words), ExportGlb { character, max_influences, path });
    }
}
