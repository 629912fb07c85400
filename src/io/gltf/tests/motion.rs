//! Clips of tiny files play as the glTF equations say.

use std::f64::consts::FRAC_1_SQRT_2;

use serde_json::json;

use super::{Tiny, near, skinned};
use crate::kernel::rig::{Character, Interpolation};

fn at(character: &Character, time: f64) -> Vec<nalgebra::Vector3<f64>> {
    skinned(character, &character.clips[0].sample(&character.skeleton, time))
}

#[test]
fn a_quarter_turn_of_a_joint_turns_its_vertices() {
    let mut tiny = Tiny::bar();
    let half = FRAC_1_SQRT_2 as f32;
    let turn = tiny.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half], "VEC4");
    tiny.animate(2, "rotation", &[0.0, 2.0], turn, "LINEAR");
    let character = tiny.read_clean();
    assert!((character.clips[0].seconds - 2.0).abs() < 1e-9);
    assert!(near(&at(&character, 0.0)[5], [0.5, 2.0, 0.0]));
    assert!(near(&at(&character, 2.0)[5], [-1.0, 1.5, 0.0]));
    let slant = std::f64::consts::FRAC_PI_4.sin();
    assert!(near(&at(&character, 1.0)[5], [0.5 * slant - slant, 1.0 + 1.5 * slant, 0.0]));
}

#[test]
fn rotations_stored_as_normalised_integers_are_the_same_turn() {
    let mut tiny = Tiny::bar();
    let half = (FRAC_1_SQRT_2 * 32767.0).round() as i16;
    let shorts: [i16; 8] = [0, 0, 0, 32767, 0, 0, half, half];
    let turn = tiny.accessor(bytemuck::cast_slice(&shorts), 5122, "VEC4", 2);
    tiny.json["accessors"][turn]["normalized"] = json!(true);
    tiny.animate(2, "rotation", &[0.0, 1.0], turn, "STEP");
    let character = tiny.read_clean();
    assert!((at(&character, 1.0)[5] - nalgebra::Vector3::new(-1.0, 1.5, 0.0)).norm() < 1e-4);
    assert!(near(&at(&character, 0.99)[5], [0.5, 2.0, 0.0]), "a step holds");
}

#[test]
fn a_scaled_and_turned_armature_changes_nothing_that_is_seen() {
    // Centimetres and Z up inside, as many exporters write: the armature node scales and turns.
    let mut tiny = Tiny::bar();
    let armature = json!({"children": [1], "scale": [0.01, 0.01, 0.01], "translation": [0, 3, 0],
        "rotation": [-FRAC_1_SQRT_2, 0, 0, FRAC_1_SQRT_2]});
    let index = tiny.push("nodes", armature);
    tiny.json["scenes"][0]["nodes"] = json!([0, index]);
    // Value and tangents of a cubic: from 1 to 3 with slope 0 at both ends.
    let keys: Vec<f32> =
        [[0.0; 3], [0.0, 1.0, 0.0], [0.0; 3], [0.0; 3], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]].concat();
    let keys = tiny.floats(&keys, "VEC3");
    tiny.animate(2, "translation", &[0.0, 1.0], keys, "CUBICSPLINE");
    let character = tiny.read_clean();
    for j in 0..2 {
        let position = character.skeleton.position(j);
        assert!(near(&position.coords, [0.0, 3.0, -0.01 * j as f64]), "joint {j} at {position}");
    }
    let track = &character.clips[0].tracks[0];
    let curve = track.translation.as_ref().expect("keys");
    assert_eq!(curve.interpolation, Interpolation::Cubic, "keys are converted, not sampled");
    for (time, height) in [(0.0, 1.0), (0.25, 1.0 + 2.0 * 0.15625), (0.5, 2.0), (1.0, 3.0)] {
        let top = at(&character, time)[5];
        assert!(near(&top, [0.005, 3.0, -0.01 * (height + 1.0)]), "{top} at {time}");
    }
}

#[test]
fn unequal_scales_above_a_joint_are_sampled_and_exact_where_nothing_shears() {
    let mut tiny = Tiny::bar();
    let index = tiny.push("nodes", json!({"children": [1], "scale": [1, 2, 1]}));
    tiny.json["scenes"][0]["nodes"] = json!([0, index]);
    let half = FRAC_1_SQRT_2 as f32;
    let turn = tiny.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half], "VEC4");
    tiny.animate(1, "rotation", &[0.0, 1.0], turn, "LINEAR");
    let character = tiny.read_clean();
    assert!(near(&character.mesh.positions[5].cast().coords, [0.5, 4.0, 0.0]));
    assert!(near(&at(&character, 1.0)[5], [0.0, 4.0, -0.5]));
}

#[test]
fn shear_is_named_where_it_is_lost() {
    let mut tiny = Tiny::bar();
    let index = tiny.push("nodes", json!({"children": [1], "scale": [1, 2, 1]}));
    tiny.json["scenes"][0]["nodes"] = json!([0, index]);
    let turn = tiny.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.75_f32.sqrt()], "VEC4");
    tiny.animate(1, "rotation", &[0.0, 1.0], turn, "LINEAR");
    let raw = tiny.read().expect("valid");
    assert!(raw.warnings.iter().any(|w| w.contains("shear")), "{:?}", raw.warnings);
    assert!(at(&raw.character, 0.7).iter().all(|p| p.iter().all(|x| x.is_finite())));
}

#[test]
fn joints_that_a_clip_leaves_alone_stay_where_the_file_stores_them() {
    let mut tiny = Tiny::bar();
    tiny.json["nodes"][2]["rotation"] = json!([0, 0, FRAC_1_SQRT_2, FRAC_1_SQRT_2]);
    let slide = tiny.floats(&[0.0, 0.0, 0.0, 0.0, 0.0, 7.0], "VEC3");
    tiny.animate(1, "translation", &[0.0, 1.0], slide, "LINEAR");
    let raw = tiny.read().expect("valid");
    assert!(near(&at(&raw.character, 1.0)[5], [-1.0, 1.5, 7.0]));
}

#[test]
fn an_animated_node_without_a_skin_becomes_a_joint() {
    let mut tiny = Tiny::new();
    tiny.triangle();
    tiny.show(json!({"name": "door", "mesh": 0, "scale": [2, 2, 2]}));
    let slide = tiny.floats(&[0.0, 0.0, 0.0, 0.0, 4.0, 0.0], "VEC3");
    tiny.animate(0, "translation", &[0.0, 1.0], slide, "LINEAR");
    let character = tiny.read_clean();
    assert_eq!(character.skeleton.joints()[0].name, "door");
    assert!(near(&at(&character, 0.5)[1], [2.0, 2.0, 0.0]));
}
