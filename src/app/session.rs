//! The open document with its history and its file.

use std::path::PathBuf;
use std::sync::Arc;

use crate::doc::{Document, Edit, EditError, History, Moment, Origin};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage::template::Library;

/// What is open.
#[derive(Debug)]
pub struct Session {
    document: Document,
    history: History,
    /// The project file, once there is one.
    pub path: Option<PathBuf>,
    /// Rises with every document that is opened: results of jobs on an earlier one are not for this.
    pub serial: u64,
}

impl Session {
    /// Nothing open yet: an empty character.
    pub fn empty() -> Self {
        let nothing = Character::bare("", Mesh::empty());
        Self {
            document: Document::new(Origin::parse("@hero"), nothing),
            history: History::new(usize::MAX),
            path: None,
            serial: 0,
        }
    }

    /// Replaces what is open.
    pub fn replace(&mut self, document: Document, path: Option<PathBuf>) {
        let history = History::new(self.history.limit());
        *self = Self { document, history, path, serial: self.serial + 1 };
    }

    /// The document, to read.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What can be undone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Lets what can be undone hold so many bytes.
    pub fn limit_undo(&mut self, bytes: usize) {
        self.history.set_limit(bytes, &self.document);
    }

    /// Whether a character is open.
    pub fn is_open(&self) -> bool {
        self.document.character().mesh.vertex_count() > 0 || !self.document.character().skeleton.is_empty()
    }

    /// Applies an edit as one step; `drag` joins the edits of one drag.
    pub fn apply(&mut self, edit: Edit, drag: Option<u64>) -> Result<(), EditError> {
        match drag {
            Some(drag) => self.history.apply_in_drag(&mut self.document, edit, drag),
            None => self.history.apply(&mut self.document, edit),
        }
    }

    /// Changes the document as a part of opening it: no step to undo, nothing to save.
    pub fn amend(&mut self, edit: Edit) -> Result<(), EditError> {
        self.document.apply(edit).map(|_| ())
    }

    /// Works with other skinning templates; no step to undo, since they are the user's.
    pub fn set_templates(&mut self, templates: Arc<Library>) {
        self.document.set_templates(templates);
    }

    /// Puts things back as they were before a drag, if it is the newest step. It cannot be done again.
    pub fn cancel_drag(&mut self, drag: u64) -> bool {
        self.history.cancel_drag(&mut self.document, drag)
    }

    /// Takes the newest step back.
    pub fn undo(&mut self) -> bool {
        self.history.undo(&mut self.document)
    }

    /// Does the undone step again.
    pub fn redo(&mut self) -> bool {
        self.history.redo(&mut self.document)
    }

    /// Notes that the document was saved to `path` as it was at `moment`.
    pub fn mark_saved(&mut self, path: PathBuf, moment: Moment) {
        self.path = Some(path);
        self.history.mark_saved(moment);
    }

    /// Notes that no file holds the document, as after a crash.
    pub fn mark_unsaved(&mut self) {
        self.history.mark_unsaved();
    }

    /// Whether a character is open with changes that no file holds.
    pub fn is_unsaved(&self) -> bool {
        self.is_open() && self.history.is_unsaved()
    }

    /// What the window's title and messages call it.
    pub fn name(&self) -> String {
        let stem = self.path.as_ref().and_then(|path| path.file_stem());
        stem.map_or_else(
            || self.document.character().name.clone(),
            |stem| stem.to_string_lossy().into_owned(),
        )
    }
}
