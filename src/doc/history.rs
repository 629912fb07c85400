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
            tally.add(size_of_val(*step));
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
mod tests {
    use std::sync::Arc;

    use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
    use proptest::prelude::*;

    use super::*;
    use crate::doc::Origin;
    use crate::kernel::geom::{Mesh, MeshData};
    use crate::kernel::rig::clip::Track;
    use crate::kernel::rig::{Character, Clip, Joint, Pose, Skeleton, Tag, TagName, Weights};
    use crate::kernel::skin::Params;
    use crate::kernel::skin::methods::curve::CURVE_PARAMS;

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

    /// Everything that a project keeps.
    fn state(document: &Document) -> String {
        let Document {
            origin,
            read_options,
            character,
            libraries: _,
            motion_files,
            own_rig,
            tags,
            pose,
            poses,
            method,
            settings,
            revisions: _,
            clock: _,
        } = document;
        let set: Vec<_> = settings.iter().filter(|(_, params)| **params != Params::default()).collect();
        let rig = (character, own_rig, motion_files);
        format!("{origin:?} {read_options:?} {rig:?} {tags:?} {pose:?} {poses:?} {method} {set:?}")
    }

    #[test]
    fn a_drag_is_one_step() {
        let (mut document, mut history) = (document(), History::new(usize::MAX));
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
        let (mut document, mut history) = (document(), History::new(usize::MAX));
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
        let (mut document, mut history) = (document(), History::new(usize::MAX));
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
        let (mut document, mut history) = (document(), History::new(usize::MAX));
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
        let (mut document, mut history) = (document(), History::new(usize::MAX));
        for k in 0..60 {
            let pose = turned(&document, f64::from(k));
            history.apply(&mut document, Edit::SetPose(pose)).expect("fits");
            if k == 0 {
                history.set_limit(40 * history.held(), &document);
            }
            if k == 30 {
                history.mark_saved(history.now());
            }
        }
        let mut undone = 0;
        while history.undo(&mut document) {
            let at_saved = *document.pose() == turned(&document, 30.0);
            assert_eq!(!history.is_unsaved(), at_saved);
            undone += 1;
        }
        assert_eq!(undone, 40, "the oldest are forgotten");
    }

    #[test]
    fn steps_weigh_what_only_they_hold_and_the_newest_stays_whatever_it_weighs() {
        let (mut document, mut history) = (document(), History::new(usize::MAX));
        let heavy = |k: usize| Arc::new(Weights::from_rows((0..3).map(|i| [(0, 1.0), (1, (k + i) as f64)])));
        let size = heavy(1).bytes();
        let mut paint = |history: &mut History, weights: &Arc<Weights>| {
            history.apply(&mut document, Edit::SetWeights(Arc::clone(weights), true)).expect("fits");
            history.held()
        };
        let (one, other) = (heavy(1), heavy(2));
        paint(&mut history, &one);
        let first = paint(&mut history, &other);
        let second = paint(&mut history, &one);
        assert!(second - first < size + first / 2, "one is the document's again, other is the step's alone");
        let third = paint(&mut history, &other);
        let fourth = paint(&mut history, &one);
        assert_eq!((third - second, fourth - third), (third - second, third - second));
        assert!(fourth - third < size + size_of::<Step>(), "what other steps hold counts once");
        for k in 3..20 {
            paint(&mut history, &heavy(k));
        }
        let limit = history.held() / 2;
        history.set_limit(limit, &document);
        assert!(history.held() <= limit && history.held() > limit / 2);
        history.set_limit(0, &document);
        assert!(history.held() > 0 && history.undo(&mut document) && !history.undo(&mut document));
        assert!(history.redo(&mut document), "nor is the step lost that was undone");
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

    /// An edit of the kind that comes after that of `edit`, round and round, which `document` can take; `k` makes it
    /// another one. A new kind of edit comes in between.
    fn of_next_kind(edit: &Edit, document: &Document, k: usize) -> Edit {
        let joints = document.character().skeleton.len();
        let weights = |joints: usize| {
            let rows = Weights::from_rows(vec![vec![(0, 0.25), (k % joints, 0.75)]; 3]);
            Arc::new(rows.known_by_hand([(k % 3, 0.5)]))
        };
        let clips = |joints: usize| vec![Arc::new(Clip::new(format!("{k}"), vec![Track::new(k % joints)]))];
        let tag = |name| Tag { name, position: Point3::new(k as f64, 0.0, 0.0), confidence: 1.0 };
        let pose = || turned(document, k as f64);
        match edit {
            Edit::SetTag(..) => {
                Edit::SetTags([TagName::Head, TagName::LeftElbow].map(tag).into_iter().collect())
            }
            Edit::SetTags(_) => {
                let (count, own) = (1 + k % 3, k.is_multiple_of(2));
                let (skeleton, clips) = (Arc::new(skeleton(count)), clips(count));
                Edit::SetRig { skeleton, weights: weights(count), pose: None, clips, own }
            }
            Edit::SetRig { .. } => Edit::SetWeights(weights(joints), k.is_multiple_of(2)),
            Edit::SetWeights(..) => {
                Edit::SetMotions { clips: clips(joints), files: vec![format!("{k}.bvh").into()] }
            }
            Edit::SetMotions { .. } => Edit::SetPose(pose()),
            Edit::SetPose(_) => Edit::StorePose(format!("kept {}", k % 3), (!k.is_multiple_of(4)).then(pose)),
            Edit::StorePose(..) => Edit::SetMethod(["rigid", "linear", "cage"][k % 3].into()),
            Edit::SetMethod(_) => {
                let mut params = document.settings("curve");
                let muscle = format!("muscles.{}=radius=0.0{k} A@0(0,0,0) B@1(0,0,0)", k % 3);
                for text in [format!("fat={k}"), format!("joints.j0=after=0.{k}"), muscle] {
                    params.set_text(CURVE_PARAMS, &text).expect("fits");
                }
                Edit::SetParams("curve".into(), if k.is_multiple_of(5) { Params::default() } else { params })
            }
            Edit::SetParams(..) => Edit::Batch(vec![
                Edit::SetPose(pose()),
                Edit::SetTag(TagName::LeftKnee, Some(tag(TagName::LeftKnee))),
            ]),
            Edit::Batch(_) => Edit::SetTag(TagName::Neck, Some(tag(TagName::Neck))).named("place the neck"),
            Edit::Named(..) => {
                Edit::SetTag(TagName::Head, (!k.is_multiple_of(3)).then(|| tag(TagName::Head)))
            }
        }
    }

    proptest! {
        #[test]
        fn any_run_of_edits_undoes_to_where_it_began(kinds in proptest::collection::vec(0_usize..22, 1..40)) {
            let (mut document, mut history) = (document(), History::new(usize::MAX));
            let mut states = vec![state(&document)];
            for (k, kind) in kinds.iter().enumerate() {
                let mut edit = Edit::SetTag(TagName::Head, None);
                for _ in 0..*kind {
                    edit = of_next_kind(&edit, &document, k + 1);
                }
                let label = edit.label(&document);
                history.apply(&mut document, edit).expect("each fits");
                prop_assert_eq!(history.undo_label(), Some(&*label));
                states.push(state(&document));
            }
            for expected in states.iter().rev().skip(1) {
                prop_assert!(history.undo(&mut document));
                prop_assert_eq!(&state(&document), expected);
            }
            prop_assert!(!history.undo(&mut document));
            for expected in &states[1..] {
                prop_assert!(history.redo(&mut document));
                prop_assert_eq!(&state(&document), expected);
            }
            prop_assert!(!history.redo(&mut document));
        }
    }

    #[test]
    fn an_edit_is_called_what_the_user_did() {
        let mut document = document();
        let mut label = |text: &str| {
            let mut params = document.settings("curve");
            params.set_text(CURVE_PARAMS, text).expect("fits");
            let edit = Edit::SetParams("curve".into(), params);
            let label = edit.label(&document);
            document.apply(edit).expect("fits");
            label
        };
        assert_eq!(label("fat=50"), "change Fat");
        assert_eq!(label("joints.j0=after=2"), "change Joints");
        assert_eq!(label("soften=50"), "change Soften branches");
        let mut both = document.settings("curve");
        both.set_text(CURVE_PARAMS, "fat=10").expect("fits");
        both.set_text(CURVE_PARAMS, "soften=10").expect("fits");
        let edit = Edit::SetParams("curve".into(), both);
        assert_eq!(edit.label(&document), "change settings");
        let named = edit.named("move muscle");
        assert_eq!(named.label(&document), "move muscle");
        assert_eq!(Edit::Batch(vec![named]).label(&document), "move muscle");
    }
}
