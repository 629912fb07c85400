//! Long work never stops the window, can be cancelled, and then leaves no trace.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use sinew::app::action::Action;
use sinew::io::project;
use sinew::jobs::{Job, JobError};
use sinew::kernel::progress::Progress;

use crate::desk::Desk;

/// Works until it is cancelled.
struct Endless {
    running: Arc<AtomicBool>,
}

impl Job for Endless {
    type Output = ();

    fn title(&self) -> String {
        "Working without end".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        self.running.store(true, Ordering::Relaxed);
        for step in 0.. {
            progress.step(1.0 - 0.99_f32.powi(step), "Still at it");
            if let Err(cancelled) = progress.check() {
                self.running.store(false, Ordering::Relaxed);
                return Err(cancelled.into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

/// Lays out work for every thread, much more than a few frames take, until it is cancelled.
struct Crowded {
    running: Arc<AtomicBool>,
}

impl Job for Crowded {
    type Output = ();

    fn title(&self) -> String {
        "Crowding all threads".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        self.running.store(true, Ordering::Relaxed);
        let ended = (0..4000).into_par_iter().try_for_each(|_| {
            std::thread::sleep(Duration::from_millis(20));
            progress.check()
        });
        self.running.store(false, Ordering::Relaxed);
        ended?;
        Ok(())
    }
}

/// Binding a cage froze the window for half a minute: a frame's own parallel loops waited in the same pool.
#[test]
fn frames_do_not_queue_behind_the_tasks_of_a_job() {
    let mut desk = Desk::on("@arm");
    desk.until("a skin that moves", |state| state.playback.playing);
    let running = Arc::new(AtomicBool::new(false));
    desk.harness.state_mut().start_job(Crowded { running: Arc::clone(&running) });
    desk.until("the job", |_| running.load(Ordering::Relaxed));
    desk.harness.run_steps(12);
    assert!(running.load(Ordering::Relaxed), "the frames came before the end of the job");
    desk.press("Cancel: Crowding all threads");
}

#[test]
fn the_window_goes_on_drawing_while_a_job_is_held_and_cancelling_leaves_the_document_as_it_was() {
    let mut desk = Desk::on("@arm");
    desk.until("quiet", |_| true);
    let text = |desk: &Desk| project::to_text(desk.state().document(), Path::new("a.sinew")).expect("plain");
    let before = (text(&desk), desk.state().document().revisions());
    let running = Arc::new(AtomicBool::new(false));
    let job = Endless { running: Arc::clone(&running) };
    desk.harness.state_mut().start_job(job);
    desk.until("the job", |_| running.load(Ordering::Relaxed));

    let mut times: Vec<f64> = (0..60)
        .map(|_| {
            desk.harness.step();
            desk.state().playback.time()
        })
        .collect();
    assert!(running.load(Ordering::Relaxed), "the job is still at it");
    times.dedup();
    assert!(times.len() > 20, "{} moments of the motion", times.len());

    desk.ask(Action::TwoPanes);
    desk.press("Cancel: Working without end");
    desk.until("the end", |_| !running.load(Ordering::Relaxed));
    desk.harness.run_steps(4);
    assert!(!desk.sees("Cancel: Working without end"));
    assert!(desk.told("Cancelled"));
    assert_eq!((text(&desk), desk.state().document().revisions()), before);
}
