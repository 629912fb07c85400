//! Long work, off the window's thread: one named worker, typed messages, progress and cancel.
//!
//! A job works on a snapshot (cheap: heavy arrays are shared). Whoever starts one in the window says what it reads, and
//! takes its result only while that stands; the command line runs the same jobs in place with [`run_here`].

pub mod bind;
pub mod cage;
pub mod coords;
pub mod export;
pub mod import_motion;
pub mod measure;
pub mod measure_pose;
pub mod open;
pub mod open_project;
pub mod prepare_painting;
pub mod prepare_tags;
pub mod rig;
pub mod save;
pub mod templates;
pub mod user_folder;
pub mod worker;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use worker::{JobId, Message, Worker};

use crate::kernel::progress::{Cancelled, Progress};

/// A piece of long work.
pub trait Job: Send {
    /// What it gives back.
    type Output: Send + 'static;

    /// What the status bar says, such as "Rigging the mesh".
    fn title(&self) -> String;

    /// Does the work; asks `progress` often whether to stop.
    fn run(self, progress: &dyn Progress) -> Result<Self::Output, JobError>;
}

/// Why a job gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The work cannot be done; one sentence says why.
    #[error("{0}")]
    Failed(String),
}

impl JobError {
    /// A failure with the words of another error.
    pub fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<crate::kernel::skin::BindError> for JobError {
    fn from(error: crate::kernel::skin::BindError) -> Self {
        match error {
            crate::kernel::skin::BindError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::failed(other),
        }
    }
}

/// Runs a job on this thread; a panic inside becomes a failure.
pub fn run_here<J: Job>(job: J, progress: &dyn Progress) -> Result<J::Output, JobError> {
    catch_unwind(AssertUnwindSafe(|| job.run(progress)))
        .unwrap_or_else(|panic| Err(JobError::Failed(panic_words(&*panic))))
}

/// What a caught panic said.
fn panic_words(panic: &(dyn Any + Send)) -> String {
    let said = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    format!("an internal error stopped the work; nothing was changed ({said})")
}
