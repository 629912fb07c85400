//! Undo and redo: a stack of inverses. A drag is one step, however many edits it makes.

use std::borrow::Cow;

use super::{Document, Edit, EditError};
use crate::kernel::memory::Tally;

/// Names one state of the document: equal names mean equal content, also after undo and redo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment(u64);

/// A step that can be undone or redone.
#[derive(Debug)]
struct Step {
    label: Cow<'static, str>,
    edit: Edit,
    /// The state that the step, done, leads to.
    after: Moment,
}

/// The past and the undone future of one document.
#[derive(Debug)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// The drag that the newest step belongs to, while it lasts.
    open_drag: Option<OpenDrag>,
    /// The state before the first step that is kept.
    base: Moment,
    /// The newest name that was given.
    newest: Moment,
    /// The state that was saved; `None` where no file has any.
    saved: Option<Moment>,
    /// What the steps hold besides what the document holds as well, and how much that may be, in bytes.
    held: usize,
    limit: usize,
}

/// A drag that goes on, and what its first edit threw away, should it be cancelled.
#[derive(Debug)]
struct OpenDrag {
    number: u64,
    undone: Vec<Step>,
}

impl History {
    /// A history of a document as it was opened or saved, whose steps may hold so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            done: Vec::new(),
            undone: Vec::new(),
            open_drag: None,
            base: Moment::default(),
            newest: Moment::default(),
            saved: Some(Moment::default()),
            held: 0,
            limit,
        }
    }

    /// Lets the steps hold so many bytes.
    pub fn set_limit(&mut self, limit: usize, document: &Document) {
        self.limit = limit;
        self.settle(document);
    }

    /// How many bytes the steps may hold.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// How many bytes the steps hold; what they share with each other or with the document counts once.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Finds out what the steps hold, and forgets those farthest from now where it is too much. The newest
    /// step stays, whatever it holds, and so does the one that would be redone next.
    fn settle(&mut self, document: &Document) {
        let mut tally = Tally::default();
        document.weigh(&mut tally);
        let of_document = tally.bytes();
        let (mut held, limit) = (0, self.limit);
        let mut fits = |(k, step): &(usize, &Step)| {
            step.edit.weigh(&mut tally);
            let now = tally.bytes() - of_document;
            let stays = *k == 0 || now <= limit;
            held = if stays { now } else { held };
            stays
        };
        let newest_first = |steps: &[Step], fits: &mut dyn FnMut(&(usize, &Step)) -> bool| {
            let kept = steps.iter().rev().enumerate().take_while(fits).count();
            steps.len() - kept
        };
        let (past, future) = (newest_first(&self.done, &mut fits), newest_first(&self.undone, &mut fits));
        if let Some(forgotten) = self.done.drain(..past).next_back() {
            self.base = forgotten.after;
        }
        self.undone.drain(..future);
        self.held = held;
    }

    /// Applies `edit` as a step of its own.
    pub fn apply(&mut self, document: &mut Document, edit: Edit) -> Result<(), EditError> {
        self.open_drag = None;
        self.push(document, edit)
    }

    /// Applies `edit` as part of drag number `drag`: edits of one drag undo together.
    /// Each edit of a drag must change the same thing as its first.
    pub fn apply_in_drag(&mut self, document: &mut Document, edit: Edit, drag: u64) -> Result<(), EditError> {
        if self.open_drag.as_ref().is_some_and(|open| open.number == drag) {
            // The inverse of the drag's first edit still undoes all of it.
            document.apply(edit)?;
            let after = self.fresh();
            if let Some(step) = self.done.last_mut() {
                step.after = after;
            }
            return Ok(());
        }
        self.open_drag = None;
        let undone = std::mem::take(&mut self.undone);
        match self.push(document, edit) {
            Ok(()) => {
                self.open_drag = Some(OpenDrag { number: drag, undone });
                Ok(())
            }
            Err(error) => {
                self.undone = undone;
                Err(error)
            }
        }
    }

    /// Takes drag number `drag` back as if it had never been: no step is left to redo, and what could
    /// be redone before it still can. False where that drag is over.
    pub fn cancel_drag(&mut self, document: &mut Document, drag: u64) -> bool {
        let Some(open) = self.open_drag.take_if(|open| open.number == drag) else { return false };
        let Some(step) = self.done.pop() else { return false };
        self.undone = open.undone;
        let taken_back = document.apply(step.edit).is_ok();
        self.settle(document);
        taken_back
    }

    fn push(&mut self, document: &mut Document, edit: Edit) -> Result<(), EditError> {
        let label = edit.label(document);
        let inverse = document.apply(edit)?;
        let after = self.fresh();
        self.undone.clear();
        self.done.push(Step { label, edit: inverse, after });
        self.settle(document);
        Ok(())
    }

    fn fresh(&mut self) -> Moment {
        self.newest.0 += 1;
        self.newest
    }

    /// Takes the newest step back. False when there is none.
    pub fn undo(&mut self, document: &mut Document) -> bool {
        self.open_drag = None;
        let undid = Self::replay(document, &mut self.done, &mut self.undone);
        self.settle(document);
        undid
    }

    /// Does the step again that was undone last. False when there is none.
    pub fn redo(&mut self, document: &mut Document) -> bool {
        self.open_drag = None;
        let redid = Self::replay(document, &mut self.undone, &mut self.done);
        self.settle(document);
        redid
    }

    fn replay(document: &mut Document, from: &mut Vec<Step>, to: &mut Vec<Step>) -> bool {
        let Some(step) = from.pop() else { return false };
        let Step { label, edit, after } = step;
        let Ok(inverse) = document.apply(edit) else { return false };
        to.push(Step { label, edit: inverse, after });
        true
    }

    /// What undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.done.last().map(|step| &*step.label)
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.undone.last().map(|step| &*step.label)
    }

    /// The state that the document is in.
    pub fn now(&self) -> Moment {
        self.done.last().map_or(self.base, |step| step.after)
    }

    /// Notes that a file holds the document as it was at `moment`; it may have changed meanwhile.
    pub fn mark_saved(&mut self, moment: Moment) {
        self.saved = Some(moment);
    }

    /// Notes that no file holds the document, as after a crash.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Whether the document differs from what was saved.
    pub fn is_unsaved(&self) -> bool {
        self.saved != Some(self.now())
    }
}

#[cfg(test)]
mod tests;
