//! Work that cannot be interrupted, made cancellable all the same.
//!
//! A sparse factorisation or the building of a search tree has no place to ask whether it is still
//! wanted. Another thread of the caller's pool runs it while the caller watches; when the user cancels, the
//! caller leaves at once, and the work ends by itself with its result dropped.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::progress::{Cancelled, Progress};

/// How often the caller asks.
const POLL: Duration = Duration::from_millis(10);
/// How often the caller asks before it takes for granted that no other thread of its pool is free.
const PATIENCE: usize = 20;

/// Runs `work` to its end, or returns early when cancelled. A panic in it goes on in the caller. Its parallel loops
/// are of the caller's pool too: in the common one, frames would wait for them.
pub fn unless_cancelled<T: Send + 'static>(
    progress: &dyn Progress,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Cancelled> {
    progress.check()?;
    let (sender, receiver) = channel();
    let begun = Arc::new(AtomicBool::new(false));
    let has_begun = Arc::clone(&begun);
    rayon::spawn(move || {
        if has_begun.swap(true, Ordering::Relaxed) {
            return;
        }
        // Nobody listens any more when the work was cancelled.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    });
    let patience = if rayon::current_num_threads() > 1 { PATIENCE } else { 1 };
    for asked in 1.. {
        match receiver.recv_timeout(POLL) {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(panic)) => resume_unwind(panic),
            // Work that did not begin yet never does.
            Err(RecvTimeoutError::Timeout) => {
                progress.check().inspect_err(|_| begun.store(true, Ordering::Relaxed))?;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if asked >= patience && !begun.load(Ordering::Relaxed) {
            // Where all threads wait as this one does, one of them has to do the work.
            rayon::yield_now();
        }
    }
    // The work sends before it ends, so this is out of reach; leaving is harmless.
    Err(Cancelled)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::kernel::progress::Silent;

    /// Cancelled at the second question.
    #[derive(Default)]
    struct Impatient(AtomicUsize);

    impl Progress for Impatient {
        fn step(&self, _fraction: f32, _words: &str) {}
        fn warn(&self, _warning: &str) {}
        fn cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) > 0
        }
    }

    #[test]
    fn the_result_comes_back_unless_the_user_leaves_first() {
        assert_eq!(unless_cancelled(&Silent, || 7), Ok(7));
        let (release, wait) = channel::<()>();
        let left = unless_cancelled(&Impatient::default(), move || wait.recv().is_ok());
        assert_eq!(left, Err(Cancelled));
        drop(release);
    }

    #[test]
    fn the_work_stays_in_the_pool_of_the_caller_even_where_that_has_no_other_thread() {
        for count in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(count)
                .thread_name(|_| "own".into())
                .build()
                .expect("threads");
            let name = || std::thread::current().name().map(str::to_owned);
            let names = pool.install(|| unless_cancelled(&Silent, move || rayon::join(name, name)));
            assert_eq!(names, Ok((Some("own".into()), Some("own".into()))), "of {count} threads");
        }
    }

    #[test]
    #[should_panic(expected = "in the work")]
    fn a_panic_is_not_swallowed() {
        let _ = unless_cancelled(&Silent, || panic!("in the work"));
    }
}
