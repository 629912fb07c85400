//! Skeletons from tags: complete, upright, with frames that bend the right way.

use std::sync::Mutex;

use nalgebra::UnitQuaternion;

use super::*;
use crate::kernel::geom::MeshData;
use crate::kernel::progress::Silent;
use crate::kernel::rig::test_bodies::Body;
use crate::kernel::rig::{Humanoid, Pose, Posed, Tag};

#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Progress for Warnings {
    fn step(&self, _fraction: f32, _words: &str) {}
    fn warn(&self, warning: &str) {
        self.0.lock().expect("unpoisoned").push(warning.into());
    }
    fn cancelled(&self) -> bool {
        false
    }
}

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

fn tags_of(body: &Body) -> Tags {
    TagName::REQUIRED
        .into_iter()
        .map(|name| Tag { name, position: body.position(role_of(name)), confidence: 1.0 })
        .collect()
}

/// A cloud of points where the body's skin would be: crown, fingertips, feet with toes.
fn skin(body: &Body) -> Mesh {
    let mut positions = Vec::new();
    let forward = (body.position(Role::LeftToes) - body.position(Role::LeftFoot)).normalize();
    for role in [Role::LeftFoot, Role::RightFoot] {
        let ankle = body.position(role);
        for k in 0..10 {
            let along = Vector3::new(forward.x, 0.0, forward.z).normalize() * (-0.05 + 0.028 * k as f64);
            positions.push((ankle + along - Vector3::y() * 0.09).cast::<f32>());
        }
    }
    for (elbow, wrist) in [(Role::LeftLowerArm, Role::LeftHand), (Role::RightLowerArm, Role::RightHand)] {
        let (elbow, wrist) = (body.position(elbow), body.position(wrist));
        positions.push((wrist + (wrist - elbow).normalize() * 0.18).cast());
    }
    positions.push((body.position(Role::Head) + Vector3::y() * 0.2).cast());
    Mesh::new(MeshData { positions, ..MeshData::default() }).expect("valid")
}

#[test]
fn tagged_joints_stay_and_all_roles_are_found_again() {
    for arms_down_deg in [0.0, 40.0] {
        let body = Body { arms_down_deg, ..Body::default() };
        for mesh in [None, Some(skin(&body))] {
            let skeleton = skeleton_from_tags(&tags_of(&body), mesh.as_ref(), &Silent).expect("complete");
            let humanoid = Humanoid::detect(&skeleton).expect("a biped");
            assert!(!humanoid.doubtful);
            assert!(humanoid.forward.z > 0.99);
            for name in TagName::REQUIRED {
                let j = humanoid.get(role_of(name)).expect("found");
                assert!((skeleton.position(j) - body.position(role_of(name))).norm() < 1e-9, "{name:?}");
            }
            assert_eq!(skeleton.len(), 21);
            assert!(skeleton.bones().iter().all(|bone| bone.length() > 0.02));
        }
    }
}

#[test]
fn the_mesh_says_how_far_head_hands_and_feet_reach() {
    let body = Body::default();
    let skeleton = skeleton_from_tags(&tags_of(&body), Some(&skin(&body)), &Silent).expect("complete");
    let tip = |role: Role| skeleton.tip(skeleton.find(role.name()).expect("there"));
    assert!((tip(Role::Head).y - 1.75).abs() < 1e-5);
    assert!((tip(Role::LeftHand).x - (0.18 + 0.53 + 0.18)).abs() < 1e-5);
    let ankle = body.position(Role::RightFoot);
    assert!((tip(Role::RightToes).z - ankle.z - 0.202).abs() < 1e-3);
}

#[test]
fn the_y_axis_runs_along_the_bone_and_the_x_axis_flexes() {
    for arms_down_deg in [0.0, 50.0] {
        let body = Body { arms_down_deg, ..Body::default() };
        let skeleton = skeleton_from_tags(&tags_of(&body), None, &Silent).expect("complete");
        for j in 0..skeleton.len() {
            let bone = (skeleton.tip(j) - skeleton.position(j)).normalize();
            let y = skeleton.world_from_joint(j).rotation * Vector3::y();
            if skeleton.children(j).len() <= 1 {
                assert!((y - bone).norm() < 1e-6, "{}", skeleton.joints()[j].name);
            }
        }
        let bent = |role: Role, watched: Role| {
            let mut pose = Pose::rest(&skeleton);
            let j = skeleton.find(role.name()).expect("there");
            pose.rotate_from_rest(&skeleton, j, UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.8));
            let watched = skeleton.find(watched.name()).expect("there");
            Posed::of(&skeleton, &pose).world_from_joint[watched].translation
                - skeleton.position(watched).coords
        };
        for (lower, hand) in [(Role::LeftLowerArm, Role::LeftHand), (Role::RightLowerArm, Role::RightHand)] {
            assert!(bent(lower, hand).z > 0.1, "elbows bring hands forward");
        }
        assert!(bent(Role::LeftLowerLeg, Role::LeftFoot).z < -0.1, "knees bring heels back");
        assert!(bent(Role::RightLowerLeg, Role::RightFoot).z < -0.1);
        assert!(bent(Role::Spine, Role::Head).z > 0.1, "the trunk bends forward");
    }
}

#[test]
fn missing_and_coinciding_tags_are_named() {
    let body = Body::default();
    let some: Tags = tags_of(&body).iter().copied().filter(|tag| tag.name != TagName::LeftKnee).collect();
    let error = skeleton_from_tags(&some, None, &Silent).expect_err("incomplete");
    assert_eq!(error.to_string(), "these tags are missing: left_knee");
    let mut same = tags_of(&body);
    same.set(Tag {
        name: TagName::RightWrist,
        position: body.position(Role::RightLowerArm),
        confidence: 1.0,
    });
    let error = skeleton_from_tags(&same, None, &Silent).expect_err("no forearm");
    assert_eq!(error, TagsError::SamePlace(TagName::RightElbow, TagName::RightWrist));
    let mut wild = tags_of(&body);
    wild.set(Tag { name: TagName::Head, position: Point3::new(f64::NAN, 0.0, 0.0), confidence: 1.0 });
    assert_eq!(skeleton_from_tags(&wild, None, &Silent), Err(TagsError::NotFinite(TagName::Head)));
}

#[test]
fn exchanged_sides_are_put_right_with_a_warning() {
    let body = Body::default();
    let right = skeleton_from_tags(&tags_of(&body), None, &Silent).expect("complete");
    let swap = |tags: Tags, which: fn(TagName) -> bool| -> Tags {
        tags.iter()
            .map(|tag| Tag { name: if which(tag.name) { tag.name.mirrored() } else { tag.name }, ..*tag })
            .collect()
    };
    for which in
        [(|_| true) as fn(TagName) -> bool, |name| matches!(name, TagName::LeftKnee | TagName::RightKnee)]
    {
        let warnings = Warnings::default();
        let swapped = swap(tags_of(&body), which);
        assert_eq!(skeleton_from_tags(&swapped, None, &warnings).expect("complete"), right);
        assert_eq!(warnings.0.lock().expect("unpoisoned").len(), 1);
    }
}

#[test]
fn feet_tell_a_body_that_faces_away_from_exchanged_sides() {
    let body = Body { facing_deg: 180.0, ..Body::default() };
    let warnings = Warnings::default();
    let skeleton = skeleton_from_tags(&tags_of(&body), Some(&skin(&body)), &warnings).expect("complete");
    assert!(warnings.0.lock().expect("unpoisoned").is_empty());
    assert!(Humanoid::detect(&skeleton).expect("a biped").forward.z < -0.99);
}
