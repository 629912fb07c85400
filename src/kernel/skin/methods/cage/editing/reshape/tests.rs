//! Editing templates where they stand, on the arm and the hero.

use crate::kernel::skin::methods::cage::{CageTemplates, build};
use nalgebra::UnitQuaternion;

use super::*;
use crate::kernel::forge;
use crate::kernel::progress::Silent;
use crate::kernel::rig::{Character, Pose, Posed, motions};
use crate::kernel::skin::methods::cage::BoundCage;
use crate::kernel::skin::{Bound, Libraries, Method, Params, Skin};

/// A body with named templates at places, and its cage.
fn rigged(body: &str, chosen: &[(&str, &str, &str)]) -> (Character, CageRig) {
    let character = forge::build(body, Some(1500)).expect("built in");
    let mut params = Params::default();
    for (table, place, name) in chosen {
        params.set_text(CageTemplates.params(), &format!("{table}.{place}={name}")).expect("a table");
    }
    let rig = build(&character, &Libraries::default(), &params, &Silent).expect("fits");
    (character, rig)
}

fn bent(character: &Character, joint: &str, degrees: f64) -> Posed {
    let j = character.skeleton.find(joint).expect("named");
    let clip = motions::bend_sweep(&character.skeleton, j, 0.0, degrees, 1.0);
    Posed::of(&character.skeleton, &clip.sample(&character.skeleton, 0.5))
}

fn spot_of(rig: &CageRig, character: &Character, joint: &str, bone: bool) -> Spot {
    let spots = rig.spots_of(&character.skeleton, character.skeleton.find(joint).expect("named"));
    if bone { spots.link.expect("a bone") } else { spots.site.expect("a site") }
}

#[test]
fn the_pose_at_a_key_is_where_it_counts_alone() {
    for (body, joint) in [("arm", "LowerArm"), ("hero", "LeftLowerArm"), ("hero", "LeftLowerLeg")] {
        let (character, rig) = rigged(body, &[("joints", joint, "Bulge")]);
        let spot = spot_of(&rig, &character, joint, false);
        let rest = Pose::rest(&character.skeleton);
        for key in [0, 1] {
            let pose = rig.pose_at_key(spot, key, &character.skeleton, &rest).expect("a hinge");
            let posed = Posed::of(&character.skeleton, &pose);
            let weights = rig.key_weights(spot, &posed.posed_from_rest);
            assert!((weights[key] - 1.0).abs() < 1e-4, "{body} {joint} {key}: {weights:?}");
        }
    }
    let (character, rig) = rigged("arm", &[("bones", "UpperArm", "Muscle bulge")]);
    let spot = spot_of(&rig, &character, "UpperArm", true);
    let pose = rig.pose_at_key(spot, 1, &character.skeleton, &Pose::rest(&character.skeleton));
    let posed = Posed::of(&character.skeleton, &pose.expect("the elbow bends"));
    assert_eq!(rig.key_here(spot, &posed.posed_from_rest), Some(1));
}

#[test]
fn a_key_for_the_pose_as_it_is_names_its_bend_and_changes_nothing_there() {
    for (table, place, name, bone) in
        [("joints", "LowerArm", "Bulge", false), ("bones", "UpperArm", "Muscle bulge", true)]
    {
        let (character, rig) = rigged("arm", &[(table, place, name)]);
        let spot = spot_of(&rig, &character, place, bone);
        let posed = bent(&character, "LowerArm", 140.0);
        assert!(rig.key_weights(spot, &posed.posed_from_rest)[1] > 0.99, "beyond the last key");
        assert_eq!(rig.key_here(spot, &posed.posed_from_rest), None);
        let added = rig.with_key_here(spot, &posed.posed_from_rest).expect("a new pose");
        let turns = &added.keys[2].turns;
        assert!(turns.len() == 1 && turns[0].bone == 1 && turns[0].twist == 0.0, "{turns:?}");
        let (after, moved) = rig.with_motion(spot, &Arc::new(added.clone())).expect("fits");
        assert!(moved < 1e-9, "{moved}");
        assert_eq!(after.key_here(spot, &posed.posed_from_rest), Some(2));
        let (a, b) =
            (rig.points_at(spot, &posed.posed_from_rest), after.points_at(spot, &posed.posed_from_rest));
        let apart = a.iter().zip(&b).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "{name}: {apart}");
        let again = after.with_key_here(spot, &posed.posed_from_rest);
        assert_eq!(again, Err(CannotEdit::SamePose(2)));
    }
}

/// A plain bend was called “Bone before: bend 180°, sway 83°, twist 180°; bend -7°, sway -4°”.
#[test]
fn a_key_is_called_by_the_turn_from_rest_whatever_the_template_measures_from() {
    for (body, joint, bone, expected) in [
        ("arm", "LowerArm", false, "Bend 90°"),
        ("arm", "LowerArm", true, "Bend 90° at start"),
        ("arm", "UpperArm", true, "Bend 90°"),
        ("hero", "LeftLowerArm", false, "Bend 90°"),
    ] {
        let (character, rig) = rigged(body, &[]);
        let spot = spot_of(&rig, &character, joint, bone);
        let elbow = if joint == "UpperArm" { "LowerArm" } else { joint };
        let j = character.skeleton.find(elbow).expect("named");
        // As the inspector turns it: X 90°.
        let mut pose = Pose::rest(&character.skeleton);
        let quarter = UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        pose.rotate_from_rest(&character.skeleton, j, quarter);
        let posed = Posed::of(&character.skeleton, &pose);
        let added = rig.with_key_here(spot, &posed.posed_from_rest).expect("a new pose");
        let key = added.keys.len() - 1;
        let (after, _) = rig.with_motion(spot, &Arc::new(added.clone())).expect("fits");
        assert_eq!(after.key_label(spot, key), expected, "{body} {joint}: {:?}", added.keys[key].turns);
        let straight = after.key_label(spot, 0);
        assert!(straight == "Straight" || body == "hero", "{straight}: the arm is bent a little at rest");
        assert_eq!(rig.key_label(spot, 0), "Rest", "a single key is as at rest");
        assert_eq!(after.key_here(spot, &posed.posed_from_rest), Some(key), "{body} {joint}");
    }
}

#[test]
fn a_dragged_vertex_lands_where_it_is_wanted_and_only_that_one() {
    for (table, place, name, bone) in
        [("joints", "LowerArm", "Bulge", false), ("bones", "UpperArm", "Muscle bulge", true)]
    {
        let (character, rig) = rigged("arm", &[(table, place, name)]);
        let spot = spot_of(&rig, &character, place, bone);
        for key in [0, 1] {
            let rest = Pose::rest(&character.skeleton);
            let pose = rig.pose_at_key(spot, key, &character.skeleton, &rest).expect("bends");
            let posed = Posed::of(&character.skeleton, &pose);
            let before = rig.points_at(spot, &posed.posed_from_rest);
            for vertex in 0..before.len() {
                let target = before[vertex] + Vector3::new(0.011, -0.007, 0.013);
                let edited =
                    rig.reached(spot, &posed.posed_from_rest, (key, vertex), target, false).expect("there");
                let (after, moved) = rig.with_motion(spot, &Arc::new(edited)).expect("fits");
                assert_eq!(moved < 1e-9, key == 1, "only the first key is that of rest: {moved}");
                let points = after.points_at(spot, &posed.posed_from_rest);
                let off = (points[vertex] - target).norm();
                assert!(off < 1e-4, "{name}, key {key}, vertex {vertex}: {off}");
                let others = (0..before.len()).filter(|v| *v != vertex);
                let strayed = others.map(|v| (points[v] - before[v]).norm()).fold(0.0, f64::max);
                assert!(strayed < 1e-12, "{strayed}");
            }
        }
    }
}

#[test]
fn another_motion_moves_the_posed_skin_and_leaves_the_rest() {
    let (character, _) = rigged("arm", &[]);
    let mut params = Params::default();
    params.set_text(CageTemplates.params(), "joints.LowerArm=Bulge").expect("a table");
    let bound = CageTemplates.bind(&character, &Libraries::default(), &params, &Silent).expect("binds");
    let cage = bound.find::<BoundCage>().expect("a cage");
    let spot = spot_of(cage.rig(), &character, "LowerArm", false);
    let rest = Pose::rest(&character.skeleton);
    let pose = cage.rig().pose_at_key(spot, 1, &character.skeleton, &rest).expect("bends");
    let posed = Posed::of(&character.skeleton, &pose);
    let at = cage.rig().points_at(spot, &posed.posed_from_rest)[12];
    // Outwards, where no skin keeps it from going.
    let middle = cage.rig().carrier(spot, &posed.posed_from_rest).center;
    let target = at + (at - middle).normalize() * 0.05;
    let edited =
        Arc::new(cage.rig().reached(spot, &posed.posed_from_rest, (1, 12), target, false).expect("there"));
    let (quick, moved) = cage.with_motion(spot, &edited).expect("fits");
    assert_eq!(moved, 0.0);
    let skin = |bound: &dyn Bound, posed: &Posed| {
        let mut skin = Skin::default();
        bound.deform(posed, &mut skin);
        skin.positions
    };
    let apart = |a: &[Point3<f32>], b: &[Point3<f32>]| {
        a.iter().zip(b).map(|(p, q)| (p - q).norm()).fold(0.0, f32::max)
    };
    let shifted = apart(&skin(&*bound, &posed), &skin(&quick, &posed));
    assert!(shifted > 5e-3, "{shifted}");
    let at_rest = Posed::rest(&character.skeleton);
    let off = apart(&skin(&*bound, &at_rest), &skin(&quick, &at_rest));
    assert!(off < 1e-6, "{off}");
    // The way around, which fits the template anew, gives the same.
    let slow = cage.with_template(&character, spot, &edited, &Silent).expect("binds").expect("fits");
    let off = apart(&skin(&slow, &posed), &skin(&quick, &posed));
    assert!(off < 1e-4, "{off}");
}
