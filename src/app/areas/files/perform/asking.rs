//! Asking for a path: with the system's dialog where there is one, else in the window.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::areas::files::dialog::{Ask, Dialog};
use crate::app::areas::files::listing::Pending;
use crate::app::areas::files::native::{Native, Reply};
use crate::app::areas::files::work::Picture;
use crate::app::areas::files::{Arrival, paths};
use crate::app::studio::Studio;
use crate::doc::Origin;

/// A second press of the same key does not open a second dialog.
const SAME_PRESS: Duration = Duration::from_secs(2);

/// What Browse… says where there is nothing to browse with.
const NO_DIALOG: &str = "The system offers no file dialog here: type a path, or choose below.";

impl Studio {
    /// Asks for a path. An export has more to ask than that, so its dialog is the window's own.
    pub(in crate::app) fn ask_for_path(&mut self, ask: Ask) {
        if let Some(open) = &self.files.native
            && open.begun.elapsed() < SAME_PRESS
        {
            return;
        }
        self.files.dialogs += 1;
        let dialog = Dialog::new(ask, self.files.dialogs, &self.usual_folder(), &self.state.session.name());
        if self.files.native_dialogs && ask != Ask::Export && self.files.native.is_none() {
            self.files.native = Native::open(&dialog, &self.context);
            if self.files.native.is_some() {
                return;
            }
        }
        self.show_dialog(dialog);
    }

    fn show_dialog(&mut self, dialog: Dialog) {
        self.state.windows.palette = None;
        self.state.files.dialog = Some(dialog);
        self.list_folder();
    }

    /// Where the last file was, or the home folder.
    fn usual_folder(&self) -> PathBuf {
        let known = self.state.session.path.iter().chain(&self.state.settings.recent);
        known
            .filter_map(|path| path.parent())
            .find(|folder| folder.is_dir())
            .map(Path::to_owned)
            .or_else(std::env::home_dir)
            .unwrap_or_default()
    }

    pub(in crate::app) fn type_path(&mut self, text: String) {
        if let Some(dialog) = &mut self.state.files.dialog {
            (dialog.error, dialog.replaces) = (None, None);
            dialog.text = text;
            self.list_folder();
        }
    }

    fn list_folder(&mut self) {
        let Some(dialog) = &self.state.files.dialog else { return };
        let Some(folder) = dialog.folder() else { return };
        let listed = dialog.listing.as_ref().is_some_and(|listing| listing.folder == folder);
        let pending = self.files.listing.as_ref().is_some_and(|pending| pending.folder == folder);
        if !listed && !pending {
            self.files.listing = Pending::start(folder, &self.context);
        }
    }

    pub(in crate::app) fn accept_path(&mut self) {
        let own = self.state.session.path.clone();
        let Some(dialog) = &mut self.state.files.dialog else { return };
        if let Some(path) = dialog.accept(own.as_deref()) {
            let dialog = self.state.files.dialog.take();
            self.chosen(path, dialog);
        }
    }

    pub(in crate::app) fn browse(&mut self) {
        let Some(dialog) = &mut self.state.files.dialog else { return };
        if self.files.native.is_none() {
            self.files.native = Native::open(dialog, &self.context);
        }
        if self.files.native.is_none() {
            dialog.error = Some(NO_DIALOG.into());
        }
    }

    pub(in crate::app) fn cancel_dialog(&mut self) {
        self.state.files.dialog = None;
        self.not_chosen();
    }

    fn not_chosen(&mut self) {
        self.files.after_save = None;
        self.files.picture = Picture::None;
    }

    pub(in crate::app) fn poll_dialogs(&mut self) {
        if let Some(listing) = self.files.listing.as_ref().and_then(Pending::poll) {
            self.files.listing = None;
            if let Some(dialog) = &mut self.state.files.dialog {
                dialog.listing = Some(listing);
            }
        }
        let Some((ask, reply)) =
            self.files.native.as_ref().and_then(|native| Some((native.ask, native.poll()?)))
        else {
            return;
        };
        self.files.native = None;
        match reply {
            Reply::Chosen(path) => self.chosen_natively(ask, path),
            // The window's own dialog, from which the other was opened, stays.
            Reply::Cancelled if self.state.files.dialog.is_some() => {}
            Reply::Cancelled => self.not_chosen(),
            Reply::Absent => match &mut self.state.files.dialog {
                Some(dialog) => dialog.error = Some(NO_DIALOG.into()),
                None => {
                    self.files.native_dialogs = false;
                    self.ask_for_path(ask);
                }
            },
        }
    }

    fn chosen_natively(&mut self, ask: Ask, path: PathBuf) {
        let text = path.to_string_lossy().into_owned();
        if self.state.files.dialog.is_some() {
            return self.type_path(text);
        }
        if !ask.writes() {
            return self.chosen_for(ask, path);
        }
        // The system asked about the file that was named; where that gets an extension, it may be another.
        let whole = paths::with_extension(path.clone(), ask.extension());
        if whole == path || !whole.exists() {
            return self.chosen_for(ask, whole);
        }
        self.files.dialogs += 1;
        let mut dialog = Dialog::new(ask, self.files.dialogs, Path::new(""), "");
        dialog.text = text;
        dialog.replaces = Some(whole);
        self.show_dialog(dialog);
    }

    fn chosen(&mut self, path: PathBuf, dialog: Option<Dialog>) {
        match dialog {
            Some(dialog) if dialog.ask == Ask::Open => {
                let mut arrival = Arrival::sorted(vec![path.clone()], false);
                // Chosen to be opened, a motion is opened.
                arrival.options = dialog.options;
                arrival.main = arrival.main.map(|_| Origin::File(path));
                self.arrive(arrival);
            }
            Some(dialog) if dialog.ask == Ask::Export => self.export_to(path, dialog.limit),
            Some(dialog) => self.chosen_for(dialog.ask, path),
            None => {}
        }
    }

    fn chosen_for(&mut self, ask: Ask, path: PathBuf) {
        match ask {
            Ask::Open => {
                let mut arrival = Arrival::sorted(vec![path.clone()], false);
                arrival.main = arrival.main.map(|_| Origin::File(path));
                self.arrive(arrival);
            }
            Ask::ImportMotion => self.import_motion(path),
            Ask::Save => self.save_to(path),
            Ask::Export => self.export_to(path, None),
            Ask::Picture => self.write_picture(path),
        }
    }
}
