//! What goes on with files behind the panels: dialogs of the system, openings, copies, pictures.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::Next;
use super::StudioOptions;
use super::listing::Pending;
use super::native::Native;
use crate::app::areas::templates::editor::edited::Leave;
use crate::doc::Moment;
use crate::io::recovery;
use crate::jobs::JobId;

/// Everything of it.
pub struct FileWork {
    /// Whether the system's dialogs are worth a try.
    pub native_dialogs: bool,
    /// The system's dialog that is open.
    pub native: Option<Native>,
    /// The folder that is being listed for the window's own dialog.
    pub listing: Option<Pending>,
    /// Counts dialogs.
    pub dialogs: u64,
    /// What is being opened.
    pub opening: Option<Opening>,
    /// What goes on once the save that runs, or the dialog for it, succeeded.
    pub after_save: Option<Next>,
    /// What goes on once the template that is being written is.
    pub after_template: Option<Leave>,
    /// Nothing is asked any more: the window closes.
    pub leaving: bool,
    /// What the window's title bar says.
    pub title: String,
    /// Copies for the case of a crash.
    pub copies: Copies,
    /// The picture that is being taken.
    pub picture: Picture,
}

impl FileWork {
    /// Nothing goes on yet.
    pub fn new(options: &StudioOptions) -> Self {
        Self {
            native_dialogs: options.native_dialogs,
            native: None,
            listing: None,
            dialogs: 0,
            opening: None,
            after_save: None,
            after_template: None,
            leaving: false,
            title: String::new(),
            copies: Copies::new(options.data_dir.as_ref().map(|folder| folder.join("recovery"))),
            picture: Picture::None,
        }
    }
}

/// A character or project that is being opened.
#[derive(Debug)]
pub struct Opening {
    /// The job; results of others were asked for earlier and are no longer wanted.
    pub job: JobId,
    /// The session and its state when it was asked for.
    pub asked_at: (u64, Moment),
    /// Motions and poses to take on it.
    pub then: Vec<PathBuf>,
}

/// A picture of the viewport on its way.
#[derive(Debug)]
pub enum Picture {
    /// None was asked for.
    None,
    /// Frames to wait, so that menus and toasts are gone.
    Wait(u32),
    /// The next frame is being read back; given up at that time.
    Asked(Receiver<Arc<egui::ColorImage>>, f64),
    /// Taken; a path is asked for.
    Taken(egui::ColorImage),
}

/// Copies for the case of a crash, which a clean end takes away.
#[derive(Debug)]
pub struct Copies {
    /// Where they are kept.
    pub folder: Option<PathBuf>,
    /// The session and state that the newest copy holds or will hold.
    pub kept: Option<(u64, Moment)>,
    /// When the document was last in order, in the window's time.
    pub since: f64,
    /// Files to take away once the document is saved or given up.
    pub files: Vec<PathBuf>,
    /// Whether a failure was told; once is enough.
    pub told: bool,
    /// The program ends as it should.
    pub clean: bool,
}

impl Copies {
    fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, kept: None, since: 0.0, files: Vec::new(), told: false, clean: false }
    }

    /// Takes all copies away: what they hold is safe, or was given up.
    pub fn clear(&mut self) {
        self.kept = None;
        self.retain(|_| false);
    }

    /// Takes copies away that are not worth keeping.
    pub fn retain(&mut self, keep: impl Fn(&PathBuf) -> bool) {
        self.files.retain(|file| {
            // What cannot be taken away now is offered at the next start; nothing is lost by that.
            keep(file) || recovery::remove(file).is_err()
        });
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        // The worker is gone by now, so that no copy comes after. A panic is no clean end.
        if self.clean && !std::thread::panicking() {
            self.clear();
        }
    }
}
