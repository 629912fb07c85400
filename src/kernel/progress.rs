//! All that the kernel knows of jobs: say how far, warn, and ask whether to stop.
//!
//! A loop that can pass 50 ms takes `&dyn Progress` and leaves when it is cancelled.

/// What a long computation reports to whoever started it.
pub trait Progress: Sync {
    /// `fraction` of the whole work that is done, in 0..=1, and what is being done now.
    fn step(&self, fraction: f32, words: &str);

    /// A partial failure that the user should see; the work goes on.
    fn warn(&self, warning: &str);

    /// Whether the user asked to stop.
    fn cancelled(&self) -> bool;

    /// `Err(Cancelled)` once the user asked to stop, to leave a loop with `?`.
    fn check(&self) -> Result<(), Cancelled> {
        if self.cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The user asked to stop before the work was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Progress for callers that do not watch: never cancelled, warnings dropped.
#[derive(Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _fraction: f32, _words: &str) {}
    fn warn(&self, _warning: &str) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// The part `from..to` of an outer progress, handed to an inner step as a whole 0..1.
pub struct Span<'a> {
    outer: &'a dyn Progress,
    from: f32,
    to: f32,
}

impl<'a> Span<'a> {
    /// Maps 0..1 of the inner work to `from..to` of `outer`.
    pub fn new(outer: &'a dyn Progress, from: f32, to: f32) -> Self {
        Self { outer, from, to }
    }
}

impl Progress for Span<'_> {
    fn step(&self, fraction: f32, words: &str) {
        self.outer.step(self.from + (self.to - self.from) * fraction, words);
    }
    fn warn(&self, warning: &str) {
        self.outer.warn(warning);
    }
    fn cancelled(&self) -> bool {
        self.outer.cancelled()
    }
}
