//! Drags, saving, memory, and runs of all kinds of edits.

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
    let first = paint(&mut history, &one);
    let step = size_of::<Edit>();
    let second = paint(&mut history, &other);
    assert_eq!(second - first, step + size, "it holds what the document had");
    let third = paint(&mut history, &one);
    assert_eq!(third - second, step, "one is the document's again, other is the step's");
    let fourth = paint(&mut history, &other);
    assert_eq!(fourth - third, step, "and what two steps hold counts once");
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
        Edit::SetTag(..) => Edit::SetTags([TagName::Head, TagName::LeftElbow].map(tag).into_iter().collect()),
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
        Edit::Named(..) => Edit::SetTag(TagName::Head, (!k.is_multiple_of(3)).then(|| tag(TagName::Head))),
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
