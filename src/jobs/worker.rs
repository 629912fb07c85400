//! The worker thread and its messages.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::{Job, JobError, panic_words};
use crate::kernel::progress::Progress;

/// Names one submitted job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(u64);

/// What the worker says of a job. Every job ends with exactly one of the last three.
#[derive(Debug)]
pub enum Message {
    /// It waits its turn no longer.
    Begun {
        /// Which job.
        id: JobId,
        /// Its title.
        title: String,
    },
    /// How far it is.
    Progress {
        /// Which job.
        id: JobId,
        /// In 0..=1.
        fraction: f32,
        /// What it is doing.
        words: String,
    },
    /// A partial failure that the user should see.
    Warning {
        /// Which job.
        id: JobId,
        /// One sentence.
        text: String,
    },
    /// It finished; its ticket has the result.
    Done {
        /// Which job.
        id: JobId,
    },
    /// It was cancelled; nothing came of it.
    Cancelled {
        /// Which job.
        id: JobId,
    },
    /// It failed; nothing came of it.
    Failed {
        /// Which job.
        id: JobId,
        /// One sentence.
        reason: String,
    },
}

/// Leaves its result where the ticket finds it.
type Task = Box<dyn FnOnce(&Reporter) -> Result<(), JobError> + Send>;

/// A submitted job: its name, and its result once it is done.
#[derive(Debug)]
pub struct Ticket<T> {
    /// Names it.
    pub id: JobId,
    result: Receiver<T>,
}

impl<T> Ticket<T> {
    /// The result of a job that is done, once.
    pub fn take(&self) -> Option<T> {
        self.result.try_recv().ok()
    }
}

struct Queued {
    id: JobId,
    title: String,
    stop: Arc<AtomicBool>,
    task: Task,
}

/// One background thread that runs submitted jobs in order.
pub struct Worker {
    queue: Option<Sender<Queued>>,
    messages: Receiver<Message>,
    stops: HashMap<JobId, Arc<AtomicBool>>,
    next: u64,
    thread: Option<JoinHandle<()>>,
}

/// Called after each message, so that a sleeping window draws again.
type Wake = dyn Fn() + Send + Sync;

impl Worker {
    /// Starts the thread; `wake` is called from it after each message.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> std::io::Result<Self> {
        let (queue, waiting) = channel::<Queued>();
        let (sender, messages) = channel();
        let wake: Arc<Wake> = Arc::new(wake);
        let thread = std::thread::Builder::new().name("sinew-worker".into()).spawn(move || {
            let pool = pool();
            for queued in waiting {
                run(queued, pool.as_ref(), &sender, &wake);
            }
        })?;
        Ok(Self { queue: Some(queue), messages, stops: HashMap::new(), next: 0, thread: Some(thread) })
    }

    /// Puts a job in the queue.
    pub fn submit<J: Job + 'static>(&mut self, job: J) -> Ticket<J::Output> {
        let id = JobId(self.next);
        self.next += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.stops.insert(id, Arc::clone(&stop));
        let title = job.title();
        let (leave, result) = channel();
        let task: Task = Box::new(move |reporter| {
            // Whoever gave the ticket up does not want the result.
            let _ = leave.send(job.run(reporter)?);
            Ok(())
        });
        if let Some(queue) = &self.queue {
            // The thread catches every panic, so it is there to receive as long as we are.
            let _ = queue.send(Queued { id, title, stop, task });
        }
        Ticket { id, result }
    }

    /// Asks a waiting or running job to stop; its `Cancelled` message follows.
    pub fn cancel(&self, id: JobId) {
        if let Some(stop) = self.stops.get(&id) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// All messages since the last call; never waits.
    pub fn drain(&mut self) -> Vec<Message> {
        let messages: Vec<Message> = self.messages.try_iter().collect();
        for message in &messages {
            if let Message::Done { id } | Message::Cancelled { id } | Message::Failed { id, .. } = message {
                self.stops.remove(id);
            }
        }
        messages
    }

    /// Whether a job waits or runs.
    pub fn is_busy(&self) -> bool {
        !self.stops.is_empty()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        for stop in self.stops.values() {
            stop.store(true, Ordering::Relaxed);
        }
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Threads of the worker's own. In rayon's common pool a frame that deforms a skin would wait until the
/// threads there have finished all that a job has laid out for them. There is one more than the machine can run at once:
/// one waits for what the others do where that cannot be interrupted. Without any, jobs share the common pool.
fn pool() -> Option<rayon::ThreadPool> {
    let count = std::thread::available_parallelism().map_or(1, |count| count.get()) + 1;
    let name = |k| format!("sinew-job-{k}");
    rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(name).build().ok()
}

fn run(queued: Queued, pool: Option<&rayon::ThreadPool>, sender: &Sender<Message>, wake: &Arc<Wake>) {
    let Queued { id, title, stop, task } = queued;
    let reporter = Reporter { id, stop, sender: Mutex::new(sender.clone()), wake: Arc::clone(wake) };
    let result = if reporter.cancelled() {
        Err(JobError::Cancelled(crate::kernel::progress::Cancelled))
    } else {
        reporter.send(Message::Begun { id, title });
        let work = || match pool {
            Some(pool) => pool.install(|| task(&reporter)),
            None => task(&reporter),
        };
        catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(JobError::Failed(panic_words(&*panic))))
    };
    reporter.send(match result {
        Ok(()) => Message::Done { id },
        Err(JobError::Cancelled(_)) => Message::Cancelled { id },
        Err(JobError::Failed(reason)) => Message::Failed { id, reason },
    });
}

/// Progress that travels as messages.
struct Reporter {
    id: JobId,
    stop: Arc<AtomicBool>,
    sender: Mutex<Sender<Message>>,
    wake: Arc<Wake>,
}

impl Reporter {
    fn send(&self, message: Message) {
        if let Ok(sender) = self.sender.lock() {
            // Nobody receives while the window closes.
            let _ = sender.send(message);
        }
        (self.wake)();
    }
}

impl Progress for Reporter {
    fn step(&self, fraction: f32, words: &str) {
        self.send(Message::Progress { id: self.id, fraction, words: words.to_owned() });
    }
    fn warn(&self, warning: &str) {
        self.send(Message::Warning { id: self.id, text: warning.to_owned() });
    }
    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// Waits on `gate` until it is let go or cancelled.
    struct Held(Receiver<()>);

    impl Job for Held {
        type Output = &'static str;
        fn title(&self) -> String {
            "Waiting".into()
        }
        fn run(self, progress: &dyn Progress) -> Result<&'static str, JobError> {
            progress.step(0.5, "half way");
            while self.0.try_recv().is_err() {
                progress.check()?;
                std::thread::yield_now();
            }
            Ok("let go")
        }
    }

    struct Panics;

    impl Job for Panics {
        type Output = ();
        fn title(&self) -> String {
            "Panicking".into()
        }
        fn run(self, _: &dyn Progress) -> Result<(), JobError> {
            std::panic::resume_unwind(Box::new("a bug"))
        }
    }

    fn until_end(worker: &mut Worker, wanted: JobId) -> Vec<Message> {
        let mut all = Vec::new();
        loop {
            for message in worker.drain() {
                let end = matches!(&message, Message::Done { id } | Message::Cancelled { id } | Message::Failed { id, .. } if *id == wanted);
                all.push(message);
                if end {
                    return all;
                }
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_job_reports_begin_progress_and_result_in_order() {
        let mut worker = Worker::new(|| ()).expect("thread");
        let (let_go, gate) = sync_channel(1);
        let ticket = worker.submit(Held(gate));
        assert!(worker.is_busy());
        assert!(ticket.take().is_none());
        let_go.send(()).expect("the job holds the gate");
        let messages = until_end(&mut worker, ticket.id);
        assert!(matches!(messages[0], Message::Begun { .. }));
        assert!(matches!(&messages[1], Message::Progress { fraction, .. } if *fraction == 0.5));
        assert!(matches!(messages.last(), Some(Message::Done { .. })));
        assert_eq!(ticket.take(), Some("let go"));
        assert!(!worker.is_busy());
    }

    #[test]
    fn running_and_waiting_jobs_can_be_cancelled() {
        let mut worker = Worker::new(|| ()).expect("thread");
        let (_hold, gate) = sync_channel(1);
        let (_hold_too, second_gate) = sync_channel(1);
        let running = worker.submit(Held(gate)).id;
        let waiting = worker.submit(Held(second_gate)).id;
        worker.cancel(waiting);
        worker.cancel(running);
        let messages = until_end(&mut worker, waiting);
        let begun = messages.iter().filter(|m| matches!(m, Message::Begun { .. })).count();
        assert!(begun <= 1, "a job that was cancelled while waiting never begins");
        assert_eq!(messages.iter().filter(|m| matches!(m, Message::Cancelled { .. })).count(), 2);
    }

    #[test]
    fn a_panic_is_caught_and_the_worker_goes_on() {
        let mut worker = Worker::new(|| ()).expect("thread");
        let bad = worker.submit(Panics).id;
        let messages = until_end(&mut worker, bad);
        assert!(matches!(messages.last(), Some(Message::Failed { reason, .. }) if reason.contains("a bug")));
        let (let_go, gate) = sync_channel(1);
        let_go.send(()).expect("room");
        let good = worker.submit(Held(gate)).id;
        assert!(matches!(until_end(&mut worker, good).last(), Some(Message::Done { .. })));
    }
}
