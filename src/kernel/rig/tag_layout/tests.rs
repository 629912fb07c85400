//! Guessed tags against the joints that built-in bipeds were made with.

use super::*;
use crate::kernel::forge::{self, Kind};
use crate::kernel::geom::MeshData;
use crate::kernel::rig::{Character, Humanoid, Role};

fn role_of(name: TagName) -> Role {
    match name {
        TagName::Head => Role::Head,
        TagName::Neck => Role::Neck,
        TagName::LeftShoulder => Role::LeftUpperArm,
        TagName::LeftElbow => Role::LeftLowerArm,
        TagName::LeftWrist => Role::LeftHand,
        TagName::LeftHip => Role::LeftUpperLeg,
        TagName::LeftKnee => Role::LeftLowerLeg,
        TagName::LeftAnkle => Role::LeftFoot,
        right => role_of(right.mirrored()).mirrored(),
    }
}

/// The distance of each tag from its joint, in heights of the body.
fn errors(character: &Character) -> Vec<(TagName, f64)> {
    let tags = lay_out(&character.mesh);
    assert!(tags.missing().is_empty());
    let [low, high] = character.bounds();
    let humanoid = Humanoid::detect(&character.skeleton).expect("a biped");
    tags.iter()
        .filter_map(|tag| {
            let joint = character.skeleton.position(humanoid.get(role_of(tag.name))?);
            Some((tag.name, (tag.position - joint).norm() / (high.y - low.y)))
        })
        .collect()
}

#[test]
fn tags_of_every_built_in_biped_are_within_an_eighth_of_its_height() {
    let mut worst: Vec<(f64, String)> = Vec::new();
    for entry in forge::CATALOG.iter().filter(|entry| entry.kind == Kind::Biped) {
        let character = forge::build(entry.id, Some(2_400)).expect("builds");
        let errors = errors(&character);
        let mean = errors.iter().map(|(_, e)| e).sum::<f64>() / errors.len() as f64;
        let (name, most) = *errors.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("some");
        let all: Vec<String> =
            errors.iter().map(|(name, e)| format!("{} {:.1}", name.id(), 100.0 * e)).collect();
        println!(
            "{:10} mean {:.1} % worst {} {:.1} %: {}",
            entry.id,
            100.0 * mean,
            name.id(),
            100.0 * most,
            all.join(", ")
        );
        worst.push((most, format!("{} {}", entry.id, name.id())));
    }
    let most = worst.iter().max_by(|a, b| a.0.total_cmp(&b.0)).expect("some");
    assert!(most.0 < 0.12, "{most:?}");
}

#[test]
fn a_body_that_faces_another_way_has_its_own_left() {
    let hero = forge::build("hero", Some(2_400)).expect("builds");
    for facing_deg in [90.0, 180.0, 270.0_f64] {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), facing_deg.to_radians());
        let data = MeshData {
            positions: hero.mesh.positions.iter().map(|p| (turn * p.cast::<f64>()).cast()).collect(),
            triangles: hero.mesh.triangles.clone(),
            ..MeshData::default()
        };
        let turned = lay_out(&Mesh::new(data).expect("valid"));
        for tag in lay_out(&hero.mesh).iter() {
            let there = turned.get(tag.name).expect("complete").position;
            let gap = (there - turn * tag.position).norm();
            assert!(gap < 0.12, "{facing_deg} {}: {gap}", tag.name.id());
        }
    }
}

#[test]
fn shapes_that_are_no_bodies_get_finite_tags_or_none() {
    assert!(lay_out(&Mesh::empty()).is_empty());
    let flat = MeshData {
        positions: vec![Point3::origin(), Point3::new(1.0, 0.0, 0.0), Point3::new(0.0, 0.0, 1.0)],
        triangles: vec![[0, 1, 2]],
        ..MeshData::default()
    };
    assert!(lay_out(&Mesh::new(flat).expect("valid")).is_empty());
    for id in ["tube", "hand", "bar"] {
        let tags = lay_out(&forge::build(id, None).expect("builds").mesh);
        assert!(tags.missing().is_empty());
        assert!(tags.iter().all(|tag| tag.position.iter().all(|x| x.is_finite()) && tag.confidence < 0.5));
    }
}
