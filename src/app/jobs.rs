//! Long work as the window sees it: what runs, why, and what becomes of the results.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

use super::bindings::BindKey;
use crate::doc::{Moment, Origin, Revisions};
use crate::io::ReadOptions;
use crate::jobs::{Job, JobId, Message, Worker};
use crate::kernel::skin::methods::cage::template::Template;

/// What a result is for.
#[derive(Debug, Clone)]
pub enum Purpose {
    /// Opens a character.
    Open {
        /// Which.
        origin: Origin,
        /// What the user says of it.
        options: ReadOptions,
    },
    /// Opens a project file.
    OpenProject {
        /// The file that it is saved to, if it has one.
        path: Option<PathBuf>,
        /// The copy that it is recovered from.
        copy: Option<PathBuf>,
    },
    /// Gives the open character a skeleton and weights.
    Rig {
        /// The session that asked.
        session: u64,
        /// What the job read.
        revisions: Revisions,
    },
    /// Looks through the mesh for the sake of tags, and lays them out where there is a job for that.
    Probe {
        /// The session that asked.
        session: u64,
        /// What the job read.
        revisions: Revisions,
        /// The layout belongs to opening: it is no step to undo.
        opening: bool,
    },
    /// Gets the character ready for the brush.
    Canvas,
    /// Binds a method.
    Bind {
        /// Which.
        method: &'static str,
        /// What for.
        key: BindKey,
    },
    /// Tries a bound method against linear blending.
    Guard {
        /// Which.
        method: &'static str,
        /// What for.
        key: BindKey,
    },
    /// Prepares a binding that the user may choose next.
    Template {
        /// What for.
        key: BindKey,
    },
    /// Computes the skin of a template that is being edited.
    Reshape {
        /// What for.
        template: Arc<Template>,
    },
    /// Writes a template into the user's folder.
    SaveTemplate,
    /// Reads the user's templates.
    ReadTemplates,
    /// Plays a file's motion on the open character.
    ImportMotion {
        /// The file.
        path: PathBuf,
        /// The session that asked.
        session: u64,
        /// Revision of the skeleton that the job read.
        rig: u64,
    },
    /// Reads a pose or tags for the open character.
    ReadNotation {
        /// The session that asked.
        session: u64,
        /// Revision of the skeleton that the job read.
        rig: u64,
    },
    /// Writes a project file.
    Save {
        /// Where to.
        path: PathBuf,
        /// The session that is saved.
        session: u64,
        /// The state of it that is saved.
        moment: Moment,
    },
    /// Writes a copy for the case of a crash.
    Autosave {
        /// Where to.
        file: PathBuf,
        /// The session that is kept.
        session: u64,
    },
    /// Writes a file; the words say what is told afterwards.
    Write(String),
    /// Prepares to measure the skin of this session, mesh and rig.
    Gauge([u64; 3]),
    /// Measures the skin that is shown.
    LiveNumbers,
    /// Measures methods over a motion, for the comparison.
    Compare {
        /// The session that asked.
        session: u64,
    },
}

impl Purpose {
    /// Whether the status bar shows it: what the user asked for, not what goes on by itself.
    pub fn is_shown(&self) -> bool {
        !matches!(
            self,
            Self::Canvas
                | Self::Bind { .. }
                | Self::Guard { .. }
                | Self::Reshape { .. }
                | Self::Autosave { .. }
                | Self::Gauge(_)
                | Self::LiveNumbers
        )
    }
}

/// A job that waits or runs.
#[derive(Debug, Clone)]
pub struct Running {
    /// Names it.
    pub id: JobId,
    /// What for.
    pub purpose: Purpose,
    /// What it is called.
    pub title: String,
    /// In 0..=1.
    pub fraction: f32,
    /// What it is doing; empty while it waits.
    pub words: String,
}

/// How a job ended.
pub enum Outcome {
    /// With a result.
    Done(Box<dyn Any + Send>),
    /// The user stopped it.
    Cancelled,
    /// It could not be done.
    Failed(String),
}

/// What the worker told.
pub enum Event {
    /// A job reports something odd.
    Warning(String),
    /// A job ended.
    Ended(Running, Outcome),
}

/// The worker and what runs on it.
pub struct Jobs {
    worker: Worker,
    running: Vec<Running>,
}

impl Jobs {
    /// Starts the worker; it asks for a new frame whenever it has something to tell.
    pub fn new(context: &egui::Context) -> std::io::Result<Self> {
        let context = context.clone();
        let worker = Worker::new(move || context.request_repaint())?;
        Ok(Self { worker, running: Vec::new() })
    }

    /// Starts a job.
    pub fn start<J: Job + 'static>(&mut self, purpose: Purpose, job: J) -> JobId {
        let title = job.title();
        let id = self.worker.submit(job);
        self.running.push(Running { id, purpose, title, fraction: 0.0, words: String::new() });
        id
    }

    /// What waits or runs.
    pub fn running(&self) -> &[Running] {
        &self.running
    }

    /// Whether anything waits or runs.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty()
    }

    /// Asks a job to stop.
    pub fn cancel(&self, id: JobId) {
        self.worker.cancel(id);
    }

    /// Asks all jobs of a kind to stop.
    pub fn cancel_where(&self, unwanted: impl Fn(&Purpose) -> bool) {
        for job in self.running.iter().filter(|job| unwanted(&job.purpose)) {
            self.worker.cancel(job.id);
        }
    }

    /// What happened since the last frame; never waits.
    pub fn drain(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for message in self.worker.drain() {
            match message {
                Message::Begun { id, title } => self.note(id, 0.0, title),
                Message::Progress { id, fraction, words } => self.note(id, fraction, words),
                Message::Warning { text, .. } => events.push(Event::Warning(text)),
                Message::Done { id, output } => events.extend(self.end(id, Outcome::Done(output))),
                Message::Cancelled { id } => events.extend(self.end(id, Outcome::Cancelled)),
                Message::Failed { id, reason } => events.extend(self.end(id, Outcome::Failed(reason))),
            }
        }
        events
    }

    fn note(&mut self, id: JobId, fraction: f32, words: String) {
        if let Some(job) = self.running.iter_mut().find(|job| job.id == id) {
            (job.fraction, job.words) = (fraction, words);
        }
    }

    fn end(&mut self, id: JobId, outcome: Outcome) -> Option<Event> {
        let at = self.running.iter().position(|job| job.id == id)?;
        Some(Event::Ended(self.running.remove(at), outcome))
    }
}
