//! Copies for the case of a crash.

use std::path::Path;

use crate::app::jobs::{Inputs, JobKind, Outcome};
use crate::app::studio::Studio;
use crate::io::recovery::{self, Note};
use crate::jobs::save::KeepCopy;

/// Writes a copy for the case of a crash.
const KEEP_COPY: JobKind = JobKind::quiet("keep a copy");

impl Studio {
    /// Keeps a copy when changes have been without one for long enough and no drag goes on.
    pub(in crate::app) fn keep_copy(&mut self) {
        let session = &self.state.session;
        let standing = (session.serial, session.history().now());
        let (time, pointer_down) = self.context.input(|i| (i.time, i.pointer.any_down()));
        let copies = &mut self.files.copies;
        let Some(folder) = &copies.folder else { return };
        if !session.is_unsaved() || copies.kept == Some(standing) {
            copies.since = time;
            return;
        }
        let due = copies.since + f64::from(self.state.settings.autosave_minutes) * 60.0;
        if time < due {
            let wait = std::time::Duration::try_from_secs_f64(due - time).unwrap_or_default();
            self.context.request_repaint_after(wait);
            return;
        }
        let dragging = pointer_down || self.tools.get(self.state.tool.kind).captures_keys();
        if dragging || self.jobs.is_running(KEEP_COPY) {
            return;
        }
        let file = recovery::file_in(folder, session.serial);
        let note = Note::new(session.name(), session.path.clone());
        (copies.kept, copies.since) = (Some(standing), time);
        if !copies.files.contains(&file) {
            copies.files.push(file.clone());
        }
        let job = KeepCopy { document: self.document_to_keep(), file: file.clone(), note };
        self.jobs.start(KEEP_COPY, Inputs::none(), job, move |studio, end| match end.outcome {
            Outcome::Done(()) => studio.copy_kept(&file, standing.0),
            Outcome::Outdated | Outcome::Cancelled => studio.copy_not_kept(&file, standing.0),
            Outcome::Failed(why) => {
                studio.copy_not_kept(&file, standing.0);
                studio.tell_copy_failed(&why);
            }
        });
    }

    /// The document is safe, or was given up: copies are not needed.
    pub(in crate::app) fn drop_copies(&mut self) {
        self.jobs.cancel_all(KEEP_COPY);
        self.files.copies.clear();
    }

    fn copy_kept(&mut self, file: &Path, session: u64) {
        let copies = &mut self.files.copies;
        copies.told = false;
        if copies.kept.is_some_and(|(serial, _)| serial == session) {
            // The copy that was recovered is not needed any more: this one holds it and more.
            copies.retain(|other| other == file);
        } else {
            // It came too late.
            copies.files.push(file.to_owned());
            copies.retain(|other| other != file);
        }
    }

    fn copy_not_kept(&mut self, file: &Path, session: u64) {
        let copies = &mut self.files.copies;
        if copies.kept.is_some_and(|(serial, _)| serial == session) {
            copies.kept = None;
        } else {
            copies.retain(|other| other != file);
        }
    }

    /// Tells once that copies cannot be kept.
    fn tell_copy_failed(&mut self, why: &str) {
        if !std::mem::replace(&mut self.files.copies.told, true) {
            self.state.log.warn(format!("No copy could be kept for the case of a crash: {why}"));
        }
    }
}
