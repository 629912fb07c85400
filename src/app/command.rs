//! What panels and tools ask for. They push commands; the studio carries them out after the frame's
//! interface is laid out, so that every panel of one frame sees one state.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::action::Action;
use super::studio::Studio;
use crate::doc::Edit;
use crate::jobs::JobId;
use crate::kernel::rig::TagName;
use crate::kernel::skin::methods::cage::editing::corrections::CageVertex;

/// Something to be done.
#[derive(Debug, Clone)]
pub enum Command {
    /// An action by name.
    Do(Action),
    /// Changes the document; edits of one drag share a number and undo together.
    Edit {
        /// The change.
        edit: Edit,
        /// The drag that it belongs to.
        drag: Option<u64>,
    },
    /// Takes a drag back as if it had never been, and goes on with the motion that it stopped.
    CancelDrag(u64),
    /// Chooses a joint; `add` keeps the others.
    SelectJoint {
        /// Which.
        joint: usize,
        /// Keep the others, and take it out if it is chosen.
        add: bool,
    },
    /// Chooses a tag.
    SelectTag(Option<TagName>),
    /// Chooses a vertex.
    SelectVertex(Option<usize>),
    /// Chooses vertices of the fitted cage, instead of those that were chosen.
    SelectCageVertices(BTreeSet<CageVertex>),
    /// Chooses a muscle by name.
    SelectMuscle(Option<String>),
    /// Chooses nothing.
    SelectNothing,
    /// Asks a job to stop.
    CancelJob(JobId),
    /// Lets tags, brush, cage, curves and muscles act on both sides, or on one.
    SetSymmetry(bool),
    /// Tells the user why something was not done.
    Say(String),
    /// What an area has to do.
    Area(Arc<dyn AreaCommand>),
}

/// Something that an area carries out by itself.
pub trait AreaCommand: std::fmt::Debug + Send + Sync {
    /// Carries it out.
    fn perform(&self, studio: &mut Studio);
}

impl<C: AreaCommand + 'static> From<C> for Command {
    fn from(command: C) -> Self {
        Self::Area(Arc::new(command))
    }
}

/// A number that no other drag has.
pub fn new_drag() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl From<Action> for Command {
    fn from(action: Action) -> Self {
        Self::Do(action)
    }
}

impl Command {
    /// An edit that is a step of its own.
    pub fn edit(edit: Edit) -> Self {
        Self::Edit { edit, drag: None }
    }
}
