//! Work that cannot be interrupted, made cancellable all the same.
//!
//! A sparse factorisation or the building of a search tree has no place to ask whether it is still
//! wanted. It runs on a thread of its own while the caller watches; when the user cancels, the
//! caller leaves at once, and the thread ends by itself with its result dropped.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::progress::{Cancelled, Progress};

/// How often the caller asks.
const POLL: Duration = Duration::from_millis(10);

/// Runs `work` to its end, or returns early when cancelled. A panic in it goes on in the caller.
pub fn unless_cancelled<T: Send + 'static>(
    progress: &dyn Progress,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Cancelled> {
    progress.check()?;
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || {
        // Nobody listens any more when the work was cancelled.
        let _ = sender.send(work());
    });
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => progress.check()?,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                // The thread sends before it ends, so this is out of reach; leaving is harmless.
                Ok(()) => return Err(Cancelled),
            },
        }
    }
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
    #[should_panic(expected = "in the work")]
    fn a_panic_is_not_swallowed() {
        let _ = unless_cancelled(&Silent, || panic!("in the work"));
    }
}
