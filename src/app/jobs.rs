//! Long work as the window sees it: what runs, what it read, and what becomes of its result.
//!
//! Whoever starts a job says what it reads ([`Inputs`]) and what happens at its end, with a result of the job's own type
//! ([`End`]). Whether a result still stands is judged here and nowhere else: what was made of something that changed
//! meanwhile is never handed on.

use crate::app::log::Log;
use crate::app::session::Session;
use crate::app::studio::Studio;
use crate::doc::Part;
use crate::jobs::worker::Ticket;
use crate::jobs::{Job, JobId, Message, Worker};

/// What sort of work a job is: whether the status bar shows it, and how it is found among those that run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobKind {
    name: &'static str,
    of: &'static str,
    /// Whether the status bar shows it: what the user asked for, not what goes on by itself.
    pub is_shown: bool,
}

impl JobKind {
    /// Work that a user asked for.
    pub const fn shown(name: &'static str) -> Self {
        Self { name, of: "", is_shown: true }
    }

    /// Work that goes on by itself.
    pub const fn quiet(name: &'static str) -> Self {
        Self { name, of: "", is_shown: false }
    }

    /// The same for one of several things, such as one method.
    pub const fn of(self, what: &'static str) -> Self {
        Self { of: what, ..self }
    }
}

/// What a job read. Its result stands as long as that is as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    session: Option<u64>,
    parts: Vec<(Part, u64)>,
    /// What is told when it no longer stands.
    words: &'static str,
}

impl Inputs {
    /// Nothing that is open: the result always stands.
    pub fn none() -> Self {
        Self::default()
    }

    /// Some parts of what is open.
    pub fn of(session: &Session, parts: &[Part]) -> Self {
        let revisions = session.document().revisions();
        let parts = parts.iter().map(|part| (*part, revisions.of(*part))).collect();
        Self { session: Some(session.serial), parts, words: "" }
    }

    /// Tells the user `words` where the result no longer stands; otherwise whoever asked asks again.
    pub fn or_say(self, words: &'static str) -> Self {
        Self { words, ..self }
    }

    /// Whether all that was read is as it was.
    pub fn stand(&self, session: &Session) -> bool {
        let revisions = session.document().revisions();
        self.session.is_none_or(|serial| serial == session.serial)
            && self.parts.iter().all(|(part, revision)| revisions.of(*part) == *revision)
    }
}

/// How a job ended.
#[derive(Debug)]
pub enum Outcome<T> {
    /// With a result.
    Done(T),
    /// With a result of what is no longer so.
    Outdated,
    /// The user stopped it.
    Cancelled,
    /// It could not be done; one sentence says why.
    Failed(String),
}

/// The end of a job.
#[derive(Debug)]
pub struct End<T> {
    /// Which.
    pub id: JobId,
    /// How.
    pub outcome: Outcome<T>,
    /// What the user reads where there is no result, besides a failure's own words.
    told: String,
}

impl<T> End<T> {
    /// The result. Where there is none, the user reads why.
    pub fn done(self, log: &mut Log) -> Option<T> {
        match self.outcome {
            Outcome::Done(result) => return Some(result),
            Outcome::Outdated if !self.told.is_empty() => log.warn(self.told),
            Outcome::Cancelled if !self.told.is_empty() => log.info(self.told),
            Outcome::Outdated | Outcome::Cancelled => {}
            Outcome::Failed(why) => log.error(why),
        }
        None
    }

    /// The result, or nothing without a word.
    pub fn quietly(self) -> Option<T> {
        match self.outcome {
            Outcome::Done(result) => Some(result),
            Outcome::Outdated | Outcome::Cancelled | Outcome::Failed(_) => None,
        }
    }
}

/// A job that waits or runs.
#[derive(Debug, Clone)]
pub struct Running {
    /// Names it.
    pub id: JobId,
    /// What sort of work.
    pub kind: JobKind,
    /// What it is called.
    pub title: String,
    /// In 0..=1.
    pub fraction: f32,
    /// What it is doing; empty while it waits.
    pub words: String,
}

/// How a job ended, before its result is looked at.
enum Ending {
    Done,
    Cancelled,
    Failed(String),
}

/// Hands the result on, as what it is.
type Finish = Box<dyn FnOnce(&mut Studio, Ending, Running)>;

/// What the worker told.
pub enum Event {
    /// A job reports something odd.
    Warning {
        /// What sort of job; none where it has ended.
        kind: Option<JobKind>,
        /// A sentence.
        text: String,
    },
    /// A job ended.
    Ended(Ended),
}

/// A job that ended and whose end nobody has heard of yet.
pub struct Ended {
    job: Running,
    ending: Ending,
    finish: Finish,
}

impl Ended {
    /// Does what was to happen at the end.
    pub fn finish(self, studio: &mut Studio) {
        (self.finish)(studio, self.ending, self.job);
    }
}

/// The worker and what runs on it.
pub struct Jobs {
    worker: Worker,
    running: Vec<Running>,
    /// What is to happen at the end of each of those, in the same order.
    finishes: Vec<Finish>,
}

impl Jobs {
    /// Starts the worker; it asks for a new frame whenever it has something to tell.
    pub fn new(context: &egui::Context) -> std::io::Result<Self> {
        let context = context.clone();
        let worker = Worker::new(move || context.request_repaint())?;
        Ok(Self { worker, running: Vec::new(), finishes: Vec::new() })
    }

    /// Starts a job that reads `inputs`; `on_end` is called once, in the frame after it ended.
    pub fn start<J: Job + 'static>(
        &mut self,
        kind: JobKind,
        inputs: Inputs,
        job: J,
        on_end: impl FnOnce(&mut Studio, End<J::Output>) + 'static,
    ) -> JobId {
        let title = job.title();
        let ticket = self.worker.submit(job);
        let id = ticket.id;
        self.running.push(Running { id, kind, title, fraction: 0.0, words: String::new() });
        self.finishes.push(Box::new(move |studio, ending, job| {
            let stands = inputs.stand(&studio.state.session);
            on_end(studio, end(&inputs, stands, &ticket, ending, &job));
        }));
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

    /// Whether such a job waits or runs.
    pub fn is_running(&self, kind: JobKind) -> bool {
        self.running.iter().any(|job| job.kind == kind)
    }

    /// Asks a job to stop.
    pub fn cancel(&self, id: JobId) {
        self.worker.cancel(id);
    }

    /// Asks all jobs of a kind to stop.
    pub fn cancel_all(&self, kind: JobKind) {
        for job in self.running.iter().filter(|job| job.kind == kind) {
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
                Message::Warning { id, text } => {
                    let job = self.running.iter().find(|job| job.id == id);
                    events.push(Event::Warning { kind: job.map(|job| job.kind), text });
                }
                Message::Done { id } => events.extend(self.end(id, Ending::Done)),
                Message::Cancelled { id } => events.extend(self.end(id, Ending::Cancelled)),
                Message::Failed { id, reason } => events.extend(self.end(id, Ending::Failed(reason))),
            }
        }
        events
    }

    fn note(&mut self, id: JobId, fraction: f32, words: String) {
        if let Some(job) = self.running.iter_mut().find(|job| job.id == id) {
            (job.fraction, job.words) = (fraction, words);
        }
    }

    fn end(&mut self, id: JobId, ending: Ending) -> Option<Event> {
        let at = self.running.iter().position(|job| job.id == id)?;
        let (job, finish) = (self.running.remove(at), self.finishes.remove(at));
        Some(Event::Ended(Ended { job, ending, finish }))
    }
}

/// The end as whoever started the job hears it.
fn end<T>(inputs: &Inputs, stands: bool, ticket: &Ticket<T>, ending: Ending, job: &Running) -> End<T> {
    let (outcome, told) = match ending {
        Ending::Done if !stands => (Outcome::Outdated, inputs.words.to_owned()),
        // A job that is done has left its result.
        Ending::Done => (ticket.take().map_or(Outcome::Cancelled, Outcome::Done), String::new()),
        Ending::Cancelled => (
            Outcome::Cancelled,
            if job.kind.is_shown { format!("Cancelled: {}", job.title) } else { String::new() },
        ),
        Ending::Failed(why) => (Outcome::Failed(why), String::new()),
    };
    End { id: job.id, outcome, told }
}
