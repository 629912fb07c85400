//! Files as the window sees them: what is asked, what waits for an answer, what is kept for a crash.
//!
//! Dialogs are the system's own where it has any; without them a path is typed into a dialog of the
//! window. Nothing here waits: answers arrive through channels that each frame looks into.

mod actions;
pub mod arrival;
pub mod dialog;
pub mod dialog_ui;
pub mod listing;
pub mod native;
pub mod paths;
mod perform;
pub mod questions_ui;
pub mod work;

use std::path::PathBuf;

pub use arrival::Arrival;
pub use dialog::{Ask, Dialog};
pub use work::FileWork;

use crate::app::areas::Area;
use crate::doc::{Document, Origin};
use crate::io::ReadOptions;
use crate::io::recovery::Leftover;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    frame: |studio| studio.advance_files(),
    is_asking: |state| state.files.is_asking(),
    ..Area::NONE
};

/// What panels may read of it.
#[derive(Debug, Default)]
pub struct Files {
    /// The dialog that asks for a path.
    pub dialog: Option<Dialog>,
    /// What was asked for while there were changes that no file holds.
    pub guard: Option<Next>,
    /// Copies that a crash left, of which the first is offered.
    pub leftovers: Vec<Leftover>,
}

impl Files {
    /// Whether a question is open over the panels, so that keys are its own.
    pub fn is_asking(&self) -> bool {
        self.dialog.is_some() || self.guard.is_some() || !self.leftovers.is_empty()
    }
}

/// What goes on once unsaved changes were saved or given up.
#[derive(Debug, Clone)]
pub enum Next {
    /// Opens what was asked for.
    Open(Arrival),
    /// Works on what was opened while the document that was there changed.
    Take(Box<Ready>),
    /// Opens the copy that a crash left.
    Recover(Leftover),
    /// Leaves.
    Quit,
}

/// A document that is ready to be worked on.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The document.
    pub document: Document,
    /// Its project file.
    pub path: Option<PathBuf>,
    /// The copy that it was recovered from.
    pub copy: Option<PathBuf>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
    /// Motions and poses to take on it.
    pub then: Vec<PathBuf>,
}

/// The answer to "save the changes?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Save, then go on.
    Save,
    /// Go on without.
    Discard,
    /// Stay.
    Cancel,
}

/// What the dialogs ask for.
#[derive(Debug, Clone)]
pub enum FileCommand {
    /// Opens a file or a built-in character; asks first where changes would be lost.
    Open(Origin),
    /// The same, without asking.
    OpenAnyway(Origin),
    /// Plays a file's motion on the open character.
    ImportMotion(PathBuf),
    /// Saves the project there.
    SaveTo(PathBuf),
    /// Writes a GLB there.
    ExportTo {
        /// Where.
        path: PathBuf,
        /// Joints that a vertex keeps; all when `None`.
        max_influences: Option<usize>,
    },
    /// Leaves without asking.
    QuitAnyway,
    /// Takes up the work that a crash left, or throws it away.
    Recover {
        /// The file that was left.
        path: PathBuf,
        /// Whether to open it.
        open: bool,
    },
    /// The path that is typed.
    Type(String),
    /// Takes the path that is typed.
    Accept,
    /// Shows the system's own dialog.
    Browse,
    /// Closes the dialog.
    CancelDialog,
    /// Chooses how many joints a vertex keeps in an export.
    SetLimit(Option<usize>),
    /// Says what is known of the file.
    SetReadOptions(ReadOptions),
    /// Answers whether changes are saved.
    Answer(Answer),
    /// Leaves the copies of a crash for the next start.
    RecoverLater,
    /// Takes files in, each by its kind.
    Arrive(Vec<PathBuf>),
}

/// How the studio starts.
#[derive(Debug, Clone)]
pub struct StudioOptions {
    /// What to open first.
    pub arrival: Arrival,
    /// Where copies for the case of a crash are kept; nowhere when `None`.
    pub data_dir: Option<PathBuf>,
    /// The folder of the user's own templates.
    pub templates: Option<PathBuf>,
    /// Whether the system's own dialogs are used.
    pub native_dialogs: bool,
}

impl StudioOptions {
    /// Opens the files given, or the built-in character, with nothing kept on disk.
    pub fn new(files: Vec<PathBuf>) -> Self {
        let mut arrival = Arrival::sorted(files, false);
        arrival.main.get_or_insert_with(|| crate::doc::Origin::parse("@hero"));
        Self { arrival, data_dir: None, templates: None, native_dialogs: false }
    }
}
