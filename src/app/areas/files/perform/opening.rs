//! Opening characters and projects. What is open stays and can be worked on until the next is there.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::areas::AREAS;
use crate::app::areas::files::arrival::is_project;
use crate::app::areas::files::work::Opening;
use crate::app::areas::files::{Arrival, Next, Ready};
use crate::app::jobs::{End, Inputs, JobKind};
use crate::app::studio::Studio;
use crate::doc::{Document, Origin};
use crate::io::project::Opened;
use crate::io::recovery::Leftover;
use crate::io::{Loaded, ReadOptions};
use crate::jobs::JobId;
use crate::jobs::open::OpenOrigin;
use crate::jobs::open_project::OpenProject;

/// Opens a character or a project.
const OPEN: JobKind = JobKind::shown("open");

impl Studio {
    /// Takes files in: opens one, and takes the others on it.
    pub(in crate::app) fn arrive(&mut self, arrival: Arrival) {
        if arrival.main.is_some() {
            self.ask_first(Next::Open(arrival));
        } else {
            self.open(arrival);
        }
    }

    /// Opens what arrived, without asking.
    pub(in crate::app) fn open(&mut self, arrival: Arrival) {
        let Arrival { main, options, then, left_out } = arrival;
        for path in left_out {
            self.state.log.warn(format!("Only one is open at a time, so {} was left out", path.display()));
        }
        match main {
            None => then.into_iter().for_each(|path| self.take_on(path)),
            Some(origin) if self.is_gone(&origin) => {}
            Some(Origin::File(path)) if is_project(&path) => {
                self.open_project(path.clone(), Some(path), None, then);
            }
            Some(origin) => {
                let job = OpenOrigin { origin: origin.clone(), options };
                self.jobs.cancel_all(OPEN);
                let job = self.jobs.start(OPEN, Inputs::none(), job, move |studio, end| {
                    studio.opened(origin, options, end);
                });
                self.note_opening(job, then);
            }
        }
    }

    /// Whether a recent file is no longer there; it is told, and the list forgets it.
    fn is_gone(&mut self, origin: &Origin) -> bool {
        let Origin::File(path) = origin else { return false };
        let recent = &mut self.state.settings.recent;
        if !recent.contains(path) || path.exists() {
            return false;
        }
        recent.retain(|other| other != path);
        let words = format!("{} is no longer there, so the recent files forget it", path.display());
        self.state.log.error(words);
        true
    }

    /// Opens the project in `file`, which is saved to `path` and may be a `copy` that is recovered.
    fn open_project(
        &mut self,
        file: PathBuf,
        path: Option<PathBuf>,
        copy: Option<PathBuf>,
        then: Vec<PathBuf>,
    ) {
        self.jobs.cancel_all(OPEN);
        let job = self.jobs.start(OPEN, Inputs::none(), OpenProject { path: file }, |studio, end| {
            studio.opened_project(path, copy, end);
        });
        self.note_opening(job, then);
    }

    fn note_opening(&mut self, job: JobId, then: Vec<PathBuf>) {
        self.files.opening = Some(Opening { job, asked_at: self.standing(), then });
    }

    /// The session and the state that it is in.
    fn standing(&self) -> (u64, crate::doc::Moment) {
        (self.state.session.serial, self.state.session.history().now())
    }

    /// Whether a later opening took this one's place.
    fn is_superseded(&self, job: JobId) -> bool {
        self.files.opening.as_ref().is_none_or(|opening| opening.job != job)
    }

    fn opened(&mut self, origin: Origin, options: ReadOptions, end: End<Loaded>) {
        if self.is_superseded(end.id) {
            return;
        }
        let Some(loaded) = end.done(&mut self.state.log) else {
            return self.not_opened(Some(&origin));
        };
        let mut document = Document::new(origin, loaded.character);
        document.read_options = options;
        self.arrived(Ready { document, path: None, copy: None, warnings: loaded.warnings, then: Vec::new() });
    }

    fn opened_project(&mut self, path: Option<PathBuf>, copy: Option<PathBuf>, end: End<Opened>) {
        if self.is_superseded(end.id) {
            return;
        }
        match end.done(&mut self.state.log) {
            Some(Opened { document, warnings }) => {
                self.arrived(Ready { document, path, copy, warnings, then: Vec::new() });
            }
            None => self.not_opened(None),
        }
    }

    /// Takes what was opened, unless the document that is there was changed meanwhile.
    fn arrived(&mut self, mut ready: Ready) {
        let Some(opening) = self.files.opening.take() else { return };
        ready.then = opening.then;
        if opening.asked_at != self.standing() && self.state.session.is_unsaved() {
            self.state.files.guard = Some(Next::Take(Box::new(ready)));
        } else if self.state.has_unsaved_template() {
            self.ask_first(Next::Take(Box::new(ready)));
        } else {
            self.take(ready);
        }
    }

    /// Works on it from now on.
    pub(in crate::app) fn take(&mut self, ready: Ready) {
        let Ready { document, path, copy, warnings, then } = ready;
        self.files.copies.clear();
        self.take_document(document, path, warnings);
        if let Some(copy) = copy {
            self.state.session.mark_unsaved();
            self.files.copies.files.push(copy);
            self.state.log.info(format!("Recovered {}; save it to keep it", self.state.session.name()));
        }
        then.into_iter().for_each(|path| self.take_on(path));
    }

    /// Works on another document from now on.
    pub(in crate::app) fn take_document(
        &mut self,
        mut document: Document,
        path: Option<std::path::PathBuf>,
        warnings: Vec<String>,
    ) {
        let warnings = self.give_templates(&mut document, warnings);
        let state = &mut self.state;
        state.session.replace(document, path);
        state.bindings.clear();
        state.selection.clear();
        state.posed = Arc::default();
        AREAS.iter().for_each(|area| (area.opened)(state));
        for warning in warnings {
            state.log.warn(warning);
        }
        self.bring_tags();
        self.after_open();
    }

    /// Notes in the settings what was opened.
    pub(in crate::app) fn after_open(&mut self) {
        let path = match (&self.state.session.path, &self.state.document().origin) {
            (Some(path), _) | (None, Origin::File(path)) => path.clone(),
            _ => return,
        };
        if let Ok(path) = std::path::absolute(path) {
            self.state.settings.remember(path);
        }
    }

    fn not_opened(&mut self, origin: Option<&Origin>) {
        self.files.opening = None;
        // A window without anything in it helps nobody.
        let hero = Origin::parse("@hero");
        if !self.state.session.is_open() && origin != Some(&hero) {
            self.open(Arrival::of(hero));
        }
    }

    pub(in crate::app) fn answer_recovery(&mut self, file: &std::path::Path, open: bool) {
        let leftovers = &mut self.state.files.leftovers;
        let Some(at) = leftovers.iter().position(|leftover| leftover.file == file) else { return };
        let leftover = leftovers.remove(at);
        if open {
            self.ask_first(Next::Recover(leftover));
        } else if let Err(error) = crate::io::recovery::remove(file) {
            self.state.log.warn(format!("{} cannot be deleted: {error}", file.display()));
        }
    }

    pub(in crate::app) fn recover(&mut self, leftover: &Leftover) {
        let file = leftover.file.clone();
        self.open_project(file.clone(), leftover.note.path.clone(), Some(file), Vec::new());
    }
}
