//! Undo and redo: a stack of inverses. A drag is one step, however many edits it makes.

use super::{Document, Edit, EditError};

/// Names one state of the document: equal names mean equal content, also after undo and redo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment(u64);

/// A step that can be undone or redone.
#[derive(Debug)]
struct Step {
    label: &'static str,
    edit: Edit,
    /// The state that the step, done, leads to.
    after: Moment,
}

/// The past and the undone future of one document.
#[derive(Debug, Default)]
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
}

/// A drag that goes on, and what its first edit threw away, should it be cancelled.
#[derive(Debug)]
struct OpenDrag {
    number: u64,
    undone: Vec<Step>,
}

/// Steps that are kept; older ones are forgotten.
const LIMIT: usize = 500;

impl History {
    /// A history of a document as it was opened or saved.
    pub fn new() -> Self {
        Self { saved: Some(Moment::default()), ..Self::default() }
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
        document.apply(step.edit).is_ok()
    }

    fn push(&mut self, document: &mut Document, edit: Edit) -> Result<(), EditError> {
        let label = edit.label();
        let inverse = document.apply(edit)?;
        let after = self.fresh();
        self.undone.clear();
        self.done.push(Step { label, edit: inverse, after });
        if self.done.len() > LIMIT {
            self.base = self.done.remove(0).after;
        }
        Ok(())
    }

    fn fresh(&mut self) -> Moment {
        self.newest.0 += 1;
        self.newest
    }

    /// Takes the newest step back. False when there is none.
    pub fn undo(&mut self, document: &mut Document) -> bool {
        self.open_drag = None;
        Self::replay(document, &mut self.done, &mut self.undone)
    }

    /// Does the step again that was undone last. False when there is none.
    pub fn redo(&mut self, document: &mut Document) -> bool {
        self.open_drag = None;
        Self::replay(document, &mut self.undone, &mut self.done)
    }

    fn replay(document: &mut Document, from: &mut Vec<Step>, to: &mut Vec<Step>) -> bool {
        let Some(step) = from.pop() else { return false };
        let Step { label, edit, after } = step;
        let Ok(inverse) = document.apply(edit) else { return false };
        to.push(Step { label, edit: inverse, after });
        true
    }

    /// What undo would take back.
    pub fn undo_label(&self) -> Option<&'static str> {
        self.done.last().map(|step| step.label)
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&'static str> {
        self.undone.last().map(|step| step.label)
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
mod tests {
    use std::sync::Arc;

    use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
    use proptest::prelude::*;

    use super::*;
    use crate::doc::Origin;
    use crate::kernel::geom::{Mesh, MeshData};
    use crate::kernel::rig::{Character, Joint, Pose, Skeleton, Tag, TagName, Weights};

    fn skeleton(joints: usize) -> Skeleton {
        let joint = |j: usize| Joint {
            name: format!("j{j}"),
            parent: j.checked_sub(1),
            rest_local: Isometry3::translation(1.0, 0.0, 0.0),
            tip: None,
        };
        Skeleton::new((0..joints).map(joint).collect()).expect("valid")
    }

    fn document() -> Document {
        let mesh = Mesh::new(MeshData {
            positions: vec![Point3::origin(), Point3::new(1.0, 0.0, 0.0), Point3::new(0.0, 1.0, 0.0)],
            triangles: vec![[0, 1, 2]],
            ..MeshData::default()
        })
        .expect("valid");
        let weights = Weights::from_rows(vec![vec![(0, 1.0)]; 3]);
        Document::new(Origin::parse("@test"), Character::rigged("test", mesh, skeleton(2), weights))
    }

    fn turned(document: &Document, angle: f64) -> Pose {
        let mut pose = document.pose().clone();
        pose.local[0].rotation = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        pose
    }

    /// What a user would call the state of the document.
    fn state(document: &Document) -> String {
        let character = document.character();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            document.tags(),
            document.pose(),
            document.poses(),
            document.method(),
            document.all_settings().values().filter(|p| **p != Default::default()).collect::<Vec<_>>(),
            character.skeleton.len(),
            character.weights
        )
    }

    #[test]
    fn a_drag_is_one_step() {
        let (mut document, mut history) = (document(), History::new());
        let before = state(&document);
        for k in 1..20 {
            let pose = turned(&document, f64::from(k) * 0.1);
            history.apply_in_drag(&mut document, Edit::SetPose(pose), 1).expect("fits");
        }
        let dragged = state(&document);
        assert!(history.undo(&mut document));
        assert_eq!(state(&document), before);
        assert!(!history.undo(&mut document));
        assert!(history.redo(&mut document));
        assert_eq!(state(&document), dragged);
    }

    #[test]
    fn a_cancelled_drag_leaves_no_trace() {
        let (mut document, mut history) = (document(), History::new());
        let pose = turned(&document, 1.0);
        history.apply(&mut document, Edit::SetPose(pose)).expect("fits");
        history.mark_saved(history.now());
        history.undo(&mut document);
        let before = state(&document);
        for k in 1..5 {
            let pose = turned(&document, f64::from(k) * 0.1);
            history.apply_in_drag(&mut document, Edit::SetPose(pose), 7).expect("fits");
        }
        assert!(!history.cancel_drag(&mut document, 6), "another drag");
        assert!(history.cancel_drag(&mut document, 7));
        assert_eq!(state(&document), before);
        assert_eq!(history.undo_label(), None);
        assert!(history.redo(&mut document), "what was undone before the drag can still be redone");
        assert!(!history.is_unsaved());
        assert!(!history.cancel_drag(&mut document, 7), "it is over");
    }

    #[test]
    fn unsaved_follows_undo_back_to_the_saved_state() {
        let (mut document, mut history) = (document(), History::new());
        assert!(!history.is_unsaved());
        history.apply(&mut document, Edit::SetMethod("rigid".into())).expect("known");
        assert!(history.is_unsaved());
        history.mark_saved(history.now());
        history.undo(&mut document);
        assert!(history.is_unsaved());
        history.redo(&mut document);
        assert!(!history.is_unsaved());
        history.undo(&mut document);
        history.apply(&mut document, Edit::SetMethod("dual_quaternion".into())).expect("known");
        assert!(history.is_unsaved(), "the saved state is out of reach");
    }

    #[test]
    fn what_changes_while_a_save_runs_stays_unsaved() {
        let (mut document, mut history) = (document(), History::new());
        let pose = turned(&document, 0.1);
        history.apply_in_drag(&mut document, Edit::SetPose(pose), 1).expect("fits");
        let written = history.now();
        let pose = turned(&document, 0.2);
        history.apply_in_drag(&mut document, Edit::SetPose(pose), 1).expect("fits");
        history.mark_saved(written);
        assert!(history.is_unsaved(), "the drag went on while the file was written");
        history.undo(&mut document);
        assert!(history.is_unsaved(), "the file holds a moment of the drag, not what was before");
        history.apply(&mut document, Edit::SetMethod("rigid".into())).expect("known");
        let written = history.now();
        history.apply(&mut document, Edit::SetMethod("linear".into())).expect("known");
        history.mark_saved(written);
        assert!(history.is_unsaved());
        history.undo(&mut document);
        assert!(!history.is_unsaved(), "undone back to what the file holds");
    }

    #[test]
    fn forgetting_old_steps_keeps_saved_apart_from_unsaved() {
        let (mut document, mut history) = (document(), History::new());
        for k in 0..LIMIT + 20 {
            let pose = turned(&document, k as f64);
            history.apply(&mut document, Edit::SetPose(pose)).expect("fits");
            if k == 30 {
                history.mark_saved(history.now());
            }
        }
        while history.undo(&mut document) {
            let at_saved = *document.pose() == turned(&document, 30.0);
            assert_eq!(!history.is_unsaved(), at_saved);
        }
    }

    #[test]
    fn a_batch_that_fails_half_way_changes_nothing() {
        let mut document = document();
        let before = state(&document);
        let batch = Edit::Batch(vec![
            Edit::SetMethod("rigid".into()),
            Edit::SetWeights(Arc::new(Weights::none(99)), true),
        ]);
        assert!(matches!(document.apply(batch), Err(EditError::WeightRows { found: 99, expected: 3 })));
        assert_eq!(state(&document), before);
    }

    fn arbitrary_edit() -> impl Strategy<Value = u8> {
        0_u8..8
    }

    proptest! {
        #[test]
        fn any_run_of_edits_undoes_to_where_it_began(kinds in proptest::collection::vec(arbitrary_edit(), 1..30)) {
            let (mut document, mut history) = (document(), History::new());
            let mut states = vec![state(&document)];
            for (k, kind) in kinds.iter().enumerate() {
                let tag = Tag { name: TagName::Head, position: Point3::new(k as f64, 0.0, 0.0), confidence: 1.0 };
                let joints = 1 + k % 3;
                let edit = match kind {
                    0 => Edit::SetTag(TagName::Head, Some(tag)),
                    1 => Edit::SetTag(TagName::Head, None),
                    2 => Edit::SetPose(turned(&document, k as f64)),
                    3 => Edit::StorePose("kept".into(), Some(turned(&document, k as f64))),
                    4 => Edit::StorePose("kept".into(), None),
                    5 => Edit::SetMethod("rigid".into()),
                    6 => Edit::SetWeights(Arc::new(Weights::from_rows(vec![vec![(0, 1.0)]; 3])), true),
                    _ => Edit::SetRig {
                        skeleton: Arc::new(skeleton(joints)),
                        weights: Arc::new(Weights::from_rows(vec![vec![(joints - 1, 1.0)]; 3])),
                        pose: None,
                        clips: Vec::new(),
                        own: true,
                    },
                };
                history.apply(&mut document, edit).expect("each fits");
                states.push(state(&document));
            }
            for expected in states.iter().rev().skip(1) {
                prop_assert!(history.undo(&mut document));
                prop_assert_eq!(&state(&document), expected);
            }
            for expected in &states[1..] {
                prop_assert!(history.redo(&mut document));
                prop_assert_eq!(&state(&document), expected);
            }
        }
    }
}
