//! What a template does on the left it does on the right, as in a mirror.

use std::sync::Arc;

use nalgebra::{Point3, UnitQuaternion};

use super::super::build;
use super::super::template::{Key, Library, Part, Template, Turn};
use super::{character, with};
use crate::kernel::progress::Silent;
use crate::kernel::rig::{Character, JointMirror, Pose, Posed};
use crate::kernel::skin::Libraries;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;

/// A template that leans to one side and has a key pose that sways and twists.
fn lopsided(library: &Library, part: Part, name: &str) -> Template {
    let plain = library.find(part, name).expect("shipped");
    let first = &plain.keys[0];
    let aside = |(x, y, z): &(f64, f64, f64)| match part {
        Part::Bone => (*x, y + 30.0, z * (1.3 + 0.4 * y.to_radians().sin())),
        Part::Joint(_) => (*x + 0.1 * z, *y, z + 0.3),
    };
    let swayed = Key {
        turns: vec![Turn { bone: 1, bend: 60.0, sway: 25.0, twist: 40.0 }],
        vertices: first.vertices.iter().map(aside).collect(),
    };
    Template { name: "Lopsided".into(), keys: vec![first.clone(), swayed], ..plain.as_ref().clone() }
}

/// The built-in templates and two that are lopsided.
fn lopsided_ones() -> Libraries {
    let mut library = Library::default();
    for (part, name) in [(Part::Joint(2), "Bulge"), (Part::Bone, "Default")] {
        let template = lopsided(&library, part, name);
        library.add_own(template).expect("a free name");
    }
    Libraries { templates: Arc::new(library) }
}

fn spot(rig: &CageRig, body: &Character, joint: &str, bone: bool) -> Spot {
    let spots = rig.spots_of(&body.skeleton, body.skeleton.find(joint).expect("named"));
    if bone { spots.link.expect("a bone") } else { spots.site.expect("a site") }
}

/// How far the vertices at a spot on the right are from the mirror images of those on the left, in metres.
fn asymmetry(rig: &CageRig, body: &Character, bone: bool, pose: &Pose) -> f64 {
    let mirror = JointMirror::of(&body.skeleton);
    let posed = Posed::of(&body.skeleton, pose);
    let points = |joint| rig.points_at(spot(rig, body, joint, bone), &posed.posed_from_rest);
    let (left, right): (Vec<Point3<f64>>, Vec<Point3<f64>>) =
        (points("LeftLowerArm"), points("RightLowerArm"));
    assert!(!left.is_empty() && left.len() == right.len());
    left.iter().zip(&right).map(|(a, b)| (mirror.plane.reflect(a) - b).norm()).fold(0.0, f64::max)
}

/// Both arms bent, swayed and twisted alike.
fn both_arms(body: &Character) -> Pose {
    let mut pose = Pose::rest(&body.skeleton);
    let elbow = body.skeleton.find("LeftLowerArm").expect("named");
    pose.rotate_from_rest(&body.skeleton, elbow, UnitQuaternion::from_euler_angles(0.9, 0.5, -0.4));
    JointMirror::of(&body.skeleton).mirror_joints(&body.skeleton, &pose, &[elbow])
}

#[test]
fn a_lopsided_template_is_mirrored_on_the_right() {
    let (body, libraries) = (character("hero"), lopsided_ones());
    for (bone, table) in [(false, "joints"), (true, "bones")] {
        let settings = ["Left", "Right"].map(|side| format!("{table}.{side}LowerArm=Lopsided"));
        let rig = build(&body, &libraries, &with(&settings.each_ref().map(String::as_str)), &Silent)
            .expect("a cage");
        let pose = both_arms(&body);
        let posed = Posed::of(&body.skeleton, &pose);
        let weights = rig.key_weights(spot(&rig, &body, "LeftLowerArm", bone), &posed.posed_from_rest);
        assert!(weights[1] > 0.05, "the key pose counts: {weights:?}");
        let off = asymmetry(&rig, &body, bone, &pose);
        assert!(off < 1e-3, "{table}: {off}");
    }
}

/// A key that was made by hand on the left arm bulged forwards there and backwards on the right.
#[test]
fn a_key_made_by_hand_on_either_arm_is_seen_on_both_as_in_a_mirror() {
    let (body, lopsided) = (character("hero"), lopsided_ones());
    let mirror = JointMirror::of(&body.skeleton);
    let names = ["joints.LeftLowerArm=Lopsided", "joints.RightLowerArm=Lopsided"];
    for side in ["LeftLowerArm", "RightLowerArm"] {
        let rig = build(&body, &lopsided, &with(&names), &Silent).expect("a cage");
        let mut pose = both_arms(&body);
        let elbow = body.skeleton.find("LeftLowerArm").expect("named");
        pose.rotate_from_rest(&body.skeleton, elbow, UnitQuaternion::from_euler_angles(1.6, -0.3, 0.5));
        let pose = mirror.mirror_joints(&body.skeleton, &pose, &[elbow]);
        let posed = Posed::of(&body.skeleton, &pose);
        let at = spot(&rig, &body, side, false);
        let added = rig.with_key_here(at, &posed.posed_from_rest).expect("a new pose");
        let key = added.keys.len() - 1;
        let (with_key, _) = rig.with_motion(at, &Arc::new(added.clone())).expect("fits");
        let (label, before) = (with_key.key_label(at, key), with_key.points_at(at, &posed.posed_from_rest));
        let out = (before[10] - with_key.carrier(at, &posed.posed_from_rest).center).normalize() * 0.03;
        let target = before[10] + out;
        let dragged =
            with_key.reached(at, &posed.posed_from_rest, (key, 10), target, false).expect("reached");
        assert_ne!(dragged.keys[key], added.keys[key]);

        let mut library = Library::default();
        library.add_own(dragged).expect("free");
        let libraries = Libraries { templates: Arc::new(library) };
        let rig = build(&body, &libraries, &with(&names), &Silent).expect("a cage");
        let off = asymmetry(&rig, &body, false, &pose);
        assert!(off < 1e-3, "made at {side}: {off}");
        let landed = rig.points_at(at, &posed.posed_from_rest)[10];
        assert!((landed - target).norm() < 2e-3, "{side}: {}", (landed - target).norm());
        for side in ["LeftLowerArm", "RightLowerArm"] {
            assert_eq!(rig.key_label(spot(&rig, &body, side, false), key), label);
        }
    }
}

#[test]
fn a_cage_is_as_symmetric_as_the_body() {
    for id in ["hero", "child"] {
        let body = character(id);
        let rig = build(&body, &Libraries::default(), &with(&[]), &Silent).expect("a cage");
        let mirror = JointMirror::of(&body.skeleton);
        let mut pairs = 0;
        for piece in rig.pieces() {
            let Some(other) = rig.opposite(&mirror, piece.spot).and_then(|spot| rig.piece(spot)) else {
                continue;
            };
            pairs += 1;
            for (a, b) in piece.range().zip(other.range()) {
                let off = (mirror.plane.reflect(&rig.rest[a]) - rig.rest[b]).norm();
                assert!(off < 0.01, "{id}: vertex {a} is {off} m off");
            }
        }
        assert!(pairs >= 16, "{id}: {pairs}");
    }
}
