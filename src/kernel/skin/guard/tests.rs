use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::trials::trials;
use super::{Guard, Guarded, Prepared, guarded};
use crate::kernel::forge;
use crate::kernel::geom::measure::damage::{DamageGauge, Harm, Wounds};
use crate::kernel::progress::{Cancelled, Progress, Silent};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::methods::find;
use crate::kernel::skin::{BindError, Bound, Libraries, Params, Skin};

fn hero() -> Character {
    forge::build("hero", Some(2_400)).expect("built in")
}

fn guard(character: &Character, pure: &dyn Bound, progress: &dyn Progress) -> Result<Guard, BindError> {
    Prepared::new(character, progress)?.guard(pure, progress)
}

fn bind(id: &str, character: &Character) -> Arc<dyn Bound> {
    find(id)
        .expect("listed")
        .bind(character, &Libraries::default(), &Params::default(), &Silent)
        .expect("binds")
        .into()
}

/// Linear blending, but for the left hand: as soon as anything moves, it lags behind.
struct TornHand {
    linear: Arc<dyn Bound>,
    lag: Vec<(usize, Point3<f32>)>,
}

impl TornHand {
    fn of(character: &Character) -> Self {
        let hand = character.skeleton.find("LeftHand").expect("there");
        let is_hand = |i: &usize| character.weights.get(*i, hand) > 0.9;
        let lag = (0..character.mesh.vertex_count()).filter(is_hand);
        Self {
            linear: bind("linear", character),
            lag: lag.map(|i| (i, character.mesh.positions[i])).collect(),
        }
    }
}

impl Bound for TornHand {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        self.linear.deform(posed, skin);
        for (i, rest) in &self.lag {
            let p = &mut skin.positions[*i];
            if (*p - rest).norm() > 1e-3 {
                *p += Vector3::new(0.0, 0.6, 0.0);
            }
        }
    }
}

#[test]
fn what_tears_is_held_back_there_and_nowhere_else() {
    let character = hero();
    let torn = TornHand::of(&character);
    let lag: Vec<usize> = torn.lag.iter().map(|(i, _)| *i).collect();
    let found = guard(&character, &torn, &Silent).expect("tried");
    assert!(lag.iter().all(|i| found.held[*i] > 0.8), "the whole hand is held back");
    let painted = |name: &str| {
        let joint = character.skeleton.find(name).expect("there");
        let of_joint = (0..found.held.len()).filter(|i| character.weights.get(*i, joint) > 0.9);
        of_joint.map(|i| found.held[i]).collect::<Vec<f32>>()
    };
    assert!(painted("RightHand").iter().all(|held| *held > 0.8), "and the other one alike");
    for part in ["Head", "LeftFoot", "RightLowerLeg"] {
        assert!(painted(part).iter().all(|held| *held == 0.0), "{part} is as the method has it");
    }
    let most = found.places.iter().max_by(|a, b| a.most.total_cmp(&b.most).then(a.share.total_cmp(&b.share)));
    let place = most.expect("a place");
    let name = &character.skeleton.joints()[place.joint].name;
    assert!(name.contains("Hand"), "{name} is named; {:?}", found.places);
    assert!(found.tried > 50 && place.seen.is_some());
    assert!((0.0..0.35).contains(&found.share()), "{}", found.share());
}

#[test]
fn trials_are_for_both_sides_and_reach_the_limits_of_joints() {
    let character = hero();
    let skeleton = &character.skeleton;
    let all = trials(&character);
    let turned = |name: &str| -> f64 {
        let j = skeleton.find(name).expect("named");
        all.iter().map(|trial| trial.pose.rotation_from_rest(skeleton, j).angle()).fold(0.0, f64::max)
    };
    for joint in ["UpperLeg", "LowerLeg", "UpperArm", "LowerArm"] {
        let sides = ["Left", "Right"].map(|side| turned(&format!("{side}{joint}")));
        assert!((sides[0] - sides[1]).abs() < 0.02, "{joint}: {sides:?}");
    }
    // The range of motion takes elbows to 140 degrees, less what they are bent at rest; no moment misses that.
    let range = crate::kernel::rig::motions::range_of_motion(skeleton).expect("a biped");
    let j = skeleton.find("LeftLowerArm").expect("named");
    let at = |time: f64| range.sample(skeleton, time).rotation_from_rest(skeleton, j).angle();
    let most = (0..2000).map(|k| at(range.seconds * f64::from(k) / 2000.0)).fold(0.0, f64::max);
    let moments = crate::kernel::rig::motions::range_moments(skeleton, 10.0);
    let reached = moments.into_iter().map(at).fold(0.0, f64::max);
    assert!(most - reached < 0.01, "{reached} of {most}");
}

#[test]
fn what_is_held_back_does_not_jump_at_a_half_turn() {
    let character = hero();
    let torn: Arc<dyn Bound> = Arc::new(TornHand::of(&character));
    let guarded = guarded(&character, torn, None, &Silent).expect("tried");
    let j = character.skeleton.find("LeftHand").expect("there");
    let skin_at = |degrees: f64| {
        let pose = crate::kernel::rig::motions::pose_twisted(&character.skeleton, j, degrees.to_radians());
        let mut skin = Skin::default();
        guarded.deform(&Posed::of(&character.skeleton, &pose), &mut skin);
        skin.positions
    };
    for degrees in [172.0, 176.0, 180.0, 184.0] {
        let (before, after) = (skin_at(degrees), skin_at(degrees + 4.0));
        let most = before.iter().zip(&after).map(|(a, b)| (a - b).norm()).fold(0.0, f32::max);
        assert!(most < 0.02, "after {degrees}: {most}");
    }
}

#[test]
fn linear_blending_needs_no_guard() {
    let character = hero();
    let found = guard(&character, &*bind("linear", &character), &Silent).expect("tried");
    assert!(found.is_idle() && found.places.is_empty());
}

#[test]
fn a_guarded_skin_is_no_worse_than_linear_blending_in_any_pose_that_was_tried() {
    let character = hero();
    let linear = bind("linear", &character);
    let gauge = DamageGauge::new(&character.mesh);
    let torn: Arc<dyn Bound> = Arc::new(TornHand::of(&character));
    for pure in [torn, bind("curve", &character)] {
        let guarded = guarded(&character, pure, None, &Silent).expect("tried");
        let (mut skin, mut wounds) = (Skin::default(), Wounds::default());
        for trial in trials(&character) {
            let posed = Posed::of(&character.skeleton, &trial.pose);
            let mut points = |bound: &dyn Bound| -> Vec<Point3<f64>> {
                bound.deform(&posed, &mut skin);
                let of = &gauge.surface().vertex_of_point;
                of.iter().map(|v| skin.positions[*v as usize].cast()).collect()
            };
            let (still, now) = (points(&*linear), points(&guarded));
            let base = gauge.judge(&still, &still, &mut wounds);
            let worse: Vec<Harm> = gauge.judge(&now, &still, &mut wounds).worse_than(&base).collect();
            assert!(worse.is_empty(), "{}: {worse:?}", trial.name);
        }
    }
}

#[test]
fn the_guard_leaves_the_rest_pose_and_what_it_does_not_hold_back_to_the_bit() {
    let character = hero();
    let pure: Arc<dyn Bound> = Arc::new(TornHand::of(&character));
    let prepared = Arc::new(Prepared::new(&character, &Silent).expect("tried"));
    let found = Arc::new(prepared.guard(&*pure, &Silent).expect("tried"));
    let guarded = Guarded::new(&character, Arc::clone(&pure), Arc::clone(&found), prepared).expect("binds");
    let trial = &trials(&character)[1];
    let posed = Posed::of(&character.skeleton, &trial.pose);
    let (mut with, mut without) = (Skin::default(), Skin::default());
    guarded.deform(&posed, &mut with);
    pure.deform(&posed, &mut without);
    for (i, held) in found.held.iter().enumerate() {
        assert!(*held > 0.0 || with.positions[i] == without.positions[i]);
        assert!((with.normals[i].norm() - 1.0).abs() < 1e-3);
    }
    guarded.deform(&Posed::rest(&character.skeleton), &mut with);
    let off = with.positions.iter().zip(&character.mesh.positions).map(|(p, rest)| (p - rest).norm());
    assert!(off.fold(0.0, f32::max) < 1e-5);
}

#[test]
fn a_teaching_shape_keeps_the_bend_that_its_weights_end_in() {
    let tube = crate::kernel::forge::build("tube", Some(2_400)).expect("built in");
    let joint = (0..tube.skeleton.len()).find(|j| tube.skeleton.joints()[*j].parent.is_some());
    for id in ["cage", "curve"] {
        let pure = bind(id, &tube);
        let found = guard(&tube, &*pure, &Silent).expect("tried");
        let pose = crate::kernel::rig::motions::pose_bent(&tube.skeleton, joint.expect("two joints"), 1.5);
        let posed = Posed::of(&tube.skeleton, &pose);
        let (mut here, mut linear) = (Skin::default(), Skin::default());
        pure.deform(&posed, &mut here);
        bind("linear", &tube).deform(&posed, &mut linear);
        let off = |i: &usize| (here.positions[*i] - linear.positions[*i]).norm();
        let rounded = (0..found.held.len()).max_by(|a, b| off(a).total_cmp(&off(b))).expect("points");
        assert!(found.held[rounded] < 0.5, "{id} is linear blending where it bends: {}", found.held[rounded]);
    }
}

#[test]
fn what_was_prepared_for_one_method_serves_another() {
    let character = hero();
    let once = Prepared::new(&character, &Silent).expect("tried");
    for id in ["dual_quaternion", "curve"] {
        let pure = bind(id, &character);
        let (again, anew) = (once.guard(&*pure, &Silent), guard(&character, &*pure, &Silent));
        assert_eq!(again.expect("tried"), anew.expect("tried"), "{id}");
    }
}

#[test]
fn a_body_is_held_back_alike_on_both_sides() {
    let character = hero();
    let found = guard(&character, &*bind("cage", &character), &Silent).expect("tried");
    let middle = crate::kernel::rig::JointMirror::of(&character.skeleton).plane;
    let points: Vec<Point3<f64>> = character.mesh.positions.iter().map(|p| p.cast()).collect();
    let mut pairs = 0;
    for (i, p) in points.iter().enumerate().filter(|(_, p)| middle.distance(p) > 0.02) {
        let image = middle.reflect(p);
        let nearest = points.iter().enumerate().map(|(k, q)| ((q - image).norm(), k));
        let (away, k) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)).expect("points");
        if away < 1e-3 {
            pairs += 1;
            assert!((found.held[i] - found.held[k]).abs() < 0.1, "{p}: {} {}", found.held[i], found.held[k]);
        }
    }
    assert!(pairs > 500, "{pairs}");
}

/// Asks to stop at once.
struct Impatient;

impl Progress for Impatient {
    fn step(&self, _: f32, _: &str) {}
    fn warn(&self, _: &str) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn trying_can_be_cancelled() {
    let character = hero();
    let answer = guard(&character, &*bind("linear", &character), &Impatient);
    assert_eq!(answer.err(), Some(BindError::Cancelled(Cancelled)));
}
