//! Motions mean the same on any rest pose and any joint frames, and stay within limits.

use nalgebra::{Isometry3, Point3, Vector3};

use super::range::{About, MOVES, rest_angle_deg};
use super::*;
use crate::kernel::rig::test_bodies::Body;
use crate::kernel::rig::{Clip, Humanoid, Pose, Posed, Role, Skeleton};

fn bodies() -> Vec<Body> {
    let mut all = Vec::new();
    for arms_down_deg in [0.0, 45.0, 75.0] {
        for facing_deg in [0.0, 130.0] {
            all.push(Body { arms_down_deg, facing_deg, random_frames: false });
        }
    }
    all
}

fn joint(skeleton: &Skeleton, role: Role) -> usize {
    skeleton.find(role.name()).expect("named")
}

/// Where the joint of a role is in a pose.
fn place(skeleton: &Skeleton, pose: &Pose, role: Role) -> Point3<f64> {
    let posed = Posed::of(skeleton, pose);
    Point3::from(posed.world_from_joint[joint(skeleton, role)].translation)
}

fn clips(skeleton: &Skeleton) -> Vec<Clip> {
    vec![range_of_motion(skeleton).expect("a biped"), walk(skeleton).expect("a biped")]
}

#[test]
fn a_flexed_elbow_brings_the_hand_to_the_shoulder_and_forward() {
    for body in bodies() {
        let skeleton = body.named();
        let forward = Humanoid::detect(&skeleton).expect("a biped").forward;
        for (lower, hand, upper) in [
            (Role::LeftLowerArm, Role::LeftHand, Role::LeftUpperArm),
            (Role::RightLowerArm, Role::RightHand, Role::RightUpperArm),
        ] {
            let bent = pose_bent(&skeleton, joint(&skeleton, lower), 1.5);
            let moved = place(&skeleton, &bent, hand);
            let shoulder = body.position(upper);
            assert!((moved - shoulder).norm() < 0.8 * (body.position(hand) - shoulder).norm());
            assert!((moved - body.position(hand)).dot(&forward) > 0.1);
        }
    }
}

#[test]
fn a_flexed_knee_brings_the_heel_back_and_a_flexed_hip_the_knee_forward() {
    for body in bodies() {
        let skeleton = body.named();
        let forward = Humanoid::detect(&skeleton).expect("a biped").forward;
        let step = |bent: Role, watched: Role| {
            let pose = pose_bent(&skeleton, joint(&skeleton, bent), 1.0);
            (place(&skeleton, &pose, watched) - body.position(watched)).dot(&forward)
        };
        assert!(step(Role::LeftLowerLeg, Role::LeftFoot) < -0.2);
        assert!(step(Role::RightLowerLeg, Role::RightFoot) < -0.2);
        assert!(step(Role::LeftUpperLeg, Role::LeftLowerLeg) > 0.2);
        assert!(step(Role::Spine, Role::Head) > 0.2);
        assert!(step(Role::RightFoot, Role::RightToes).abs() < 0.1);
    }
}

#[test]
fn a_twist_turns_what_is_below_about_the_bone() {
    let body = Body { random_frames: true, arms_down_deg: 30.0, ..Body::default() };
    let skeleton = body.named();
    let j = joint(&skeleton, Role::LeftUpperArm);
    let posed = Posed::of(&skeleton, &pose_twisted(&skeleton, j, 0.7));
    for k in skeleton.subtree(j) {
        let turn = posed.posed_from_rest[k].nearest_rotation();
        let (axis, angle) = turn.axis_angle().expect("turned");
        assert!((angle - 0.7).abs() < 1e-6 && axis.dot(&twist_axis(&skeleton, j)) > 1.0 - 1e-9);
    }
    let still = posed.posed_from_rest[joint(&skeleton, Role::Chest)];
    assert!((still.to_matrix4() - nalgebra::Matrix4::identity()).norm() < 1e-9);
}

#[test]
fn joint_frames_do_not_change_the_motion() {
    for body in bodies() {
        let (plain, random) = (body.named(), Body { random_frames: true, ..body }.named());
        for (a, b) in clips(&plain).iter().zip(&clips(&random)) {
            assert_eq!(a.seconds, b.seconds);
            for k in 0..40 {
                let time = a.seconds * k as f64 / 39.0;
                let (pose_a, pose_b) = (a.sample(&plain, time), b.sample(&random, time));
                for role in Role::ALL {
                    let gap = place(&plain, &pose_a, role) - place(&random, &pose_b, role);
                    assert!(gap.norm() < 1e-6, "{} {role:?} at {time}", a.name);
                }
            }
        }
    }
}

#[test]
fn clips_are_unbroken_and_close_exactly() {
    for body in bodies() {
        let skeleton = body.named();
        for clip in clips(&skeleton) {
            let (first, last) = (clip.sample(&skeleton, 0.0), clip.sample(&skeleton, clip.seconds));
            for (a, b) in first.local.iter().zip(&last.local) {
                assert!(a.rotation.angle_to(&b.rotation) < 1e-7);
                assert!((a.translation - b.translation).norm() < 1e-12);
            }
            let mut before = first;
            let steps = (clip.seconds * 60.0) as usize;
            for k in 1..=steps {
                let pose = clip.sample(&skeleton, clip.seconds * k as f64 / steps as f64);
                for (a, b) in before.local.iter().zip(&pose.local) {
                    assert!(a.rotation.angle_to(&b.rotation) < 0.2, "{} jumps", clip.name);
                }
                before = pose;
            }
        }
    }
}

#[test]
fn the_range_of_motion_reaches_its_limits_and_does_not_pass_them() {
    for body in bodies() {
        let skeleton = body.named();
        let humanoid = Humanoid::detect(&skeleton).expect("a biped");
        let clip = range_of_motion(&skeleton).expect("a biped");
        assert!((15.0..=27.0).contains(&clip.seconds), "{}", clip.seconds);
        for (role, j) in humanoid.iter().filter(|(role, _)| *role != Role::Hips) {
            let left = if role.is_right() { role.mirrored() } else { role };
            let allowed = MOVES
                .iter()
                .filter_map(|m| {
                    let share = m.roles.iter().find(|(r, _)| *r == left)?.1;
                    let zero = rest_angle_deg(&skeleton, &humanoid, role, m.about);
                    Some(m.limits_deg.iter().map(|l| (l - zero).abs() * share).fold(0.0, f64::max))
                })
                .fold(0.0, f64::max);
            let most = (0..=(clip.seconds * 30.0) as usize)
                .map(|k| {
                    let pose = clip.sample(&skeleton, k as f64 / 30.0);
                    pose.rotation_from_rest(&skeleton, j).angle().to_degrees()
                })
                .fold(0.0, f64::max);
            assert!(most <= allowed + 0.01, "{role:?}: {most} of {allowed}");
            assert!(most >= 0.9 * allowed, "{role:?}: {most} of {allowed}");
        }
    }
}

#[test]
fn t_pose_and_a_pose_raise_the_arm_equally_high() {
    let highest = |arms_down_deg| {
        let skeleton = Body { arms_down_deg, ..Body::default() }.named();
        let clip = range_of_motion(&skeleton).expect("a biped");
        (0..=600)
            .map(|k| {
                place(&skeleton, &clip.sample(&skeleton, clip.seconds * k as f64 / 600.0), Role::LeftHand).y
            })
            .fold(f64::NEG_INFINITY, f64::max)
    };
    assert!((highest(0.0) - highest(45.0)).abs() < 0.01);
    let skeleton = Body::default().named();
    let humanoid = Humanoid::detect(&skeleton).expect("a biped");
    assert!((rest_angle_deg(&skeleton, &humanoid, Role::RightUpperArm, About::Bend) - 90.0).abs() < 1e-6);
}

#[test]
fn left_and_right_are_mirror_images() {
    let skeleton = Body { arms_down_deg: 20.0, ..Body::default() }.named();
    let mirror = |p: Point3<f64>| Point3::new(-p.x, p.y, p.z);
    let limbs = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand, Role::LeftLowerLeg, Role::LeftToes];
    let range = range_of_motion(&skeleton).expect("a biped");
    // Until the trunk moves, the sides move together; the walk mirrors half a cycle later.
    let until: f64 = MOVES.iter().take_while(|m| m.roles[0].0 != Role::Spine).map(|m| m.seconds).sum();
    let walk = walk(&skeleton).expect("a biped");
    for k in 0..60 {
        let time = until * k as f64 / 60.0;
        let pose = range.sample(&skeleton, time);
        let (now, later) = (k as f64 / 120.0, k as f64 / 120.0 + 0.5);
        let steps = [now, later].map(|phase| walk.sample(&skeleton, phase * walk.seconds));
        for role in limbs {
            let other = mirror(place(&skeleton, &pose, role.mirrored()));
            assert!((place(&skeleton, &pose, role) - other).norm() < 1e-6, "{role:?} at {time}");
            let other = mirror(place(&skeleton, &steps[1], role.mirrored()));
            assert!((place(&skeleton, &steps[0], role) - other).norm() < 2e-3, "{role:?} of the walk");
        }
    }
}

#[test]
fn a_walker_stands_on_the_ground_and_swings_arms_against_legs() {
    for body in bodies() {
        let skeleton = body.named();
        let forward = Humanoid::detect(&skeleton).expect("a biped").forward;
        let clip = walk(&skeleton).expect("a biped");
        let mut products = 0.0;
        for k in 0..40 {
            let pose = clip.sample(&skeleton, clip.seconds * k as f64 / 40.0);
            let lift = |role: Role| place(&skeleton, &pose, role).y - body.position(role).y;
            let lowest = [Role::LeftFoot, Role::RightFoot, Role::LeftToes, Role::RightToes]
                .map(lift)
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            assert!((-0.02..0.06).contains(&lowest), "the lower foot is {lowest} above the ground");
            let ahead = |role| (place(&skeleton, &pose, role) - body.position(Role::Hips)).dot(&forward);
            let arms = ahead(Role::LeftHand) - ahead(Role::RightHand);
            products += arms * (ahead(Role::LeftFoot) - ahead(Role::RightFoot));
            assert!(place(&skeleton, &pose, Role::LeftHand).y < 1.2, "arms hang");
        }
        assert!(products < -0.5, "{products}");
    }
}

#[test]
fn feet_kept_outside_of_the_leg_are_carried_along() {
    let body = Body::default();
    let plain = body.named();
    // The same body with its feet hanging on the hips, as rigs with inverse kinematics have them.
    let loose = Skeleton::from_world((0..plain.len()).map(|j| {
        let joint = &plain.joints()[j];
        let is_foot = joint.name.ends_with("Foot");
        (
            joint.name.clone(),
            if is_foot { Some(0) } else { joint.parent },
            *plain.world_from_joint(j),
            joint.tip,
        )
    }))
    .expect("valid");
    for (a, b) in clips(&plain).iter().zip(&clips(&loose)) {
        for k in 0..30 {
            let time = a.seconds * k as f64 / 30.0;
            let (pose_a, pose_b) = (a.sample(&plain, time), b.sample(&loose, time));
            for role in [Role::LeftFoot, Role::RightToes] {
                // Without a child the shin's direction is a guess, a few degrees off.
                let gap = place(&plain, &pose_a, role) - place(&loose, &pose_b, role);
                assert!(gap.norm() < 0.15, "{role:?} {gap:?}");
            }
            let shin = |knee, foot| place(&loose, &pose_b, knee) - place(&loose, &pose_b, foot);
            let rest = body.position(Role::LeftLowerLeg) - body.position(Role::LeftFoot);
            let posed = shin(Role::LeftLowerLeg, Role::LeftFoot);
            assert!((posed.norm() - rest.norm()).abs() < 0.005, "the shin keeps its length");
        }
    }
}

#[test]
fn other_skeletons_bend_about_their_plane_or_a_perpendicular() {
    let chain = |points: &[[f64; 3]]| {
        Skeleton::from_world(points.iter().enumerate().map(|(k, &[x, y, z])| {
            (format!("b{k}"), k.checked_sub(1), Isometry3::translation(x, y, z), None)
        }))
        .expect("valid")
    };
    let straight = chain(&[[0.0; 3], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    assert!((bend_axis(&straight, 1).into_inner() - Vector3::z()).norm() < 1e-9);
    let bent = chain(&[[0.0; 3], [2.0, 0.0, 0.0], [2.0, 0.0, 2.0]]);
    assert!((bend_axis(&bent, 1).into_inner() + Vector3::y()).norm() < 1e-9);
    let at_one_point = chain(&[[0.0; 3], [0.0; 3]]);
    assert!(bend_axis(&at_one_point, 1).iter().all(|x| x.is_finite()));
    assert!(range_of_motion(&straight).is_none() && walk(&straight).is_none());
    let sweep = bend_sweep(&straight, 1, 0.0, 90.0, 2.0);
    let half = sweep.sample(&straight, 1.0);
    assert!((half.rotation_from_rest(&straight, 1).angle().to_degrees() - 90.0).abs() < 1e-6);
    assert_eq!((sweep.name.as_str(), sweep.seconds), ("Bend b1", 2.0));
    assert_eq!(twist_sweep(&straight, 0, -90.0, 90.0, 1.0).tracks.len(), 1);
}

#[test]
fn sweeps_bend_and_twist_one_joint_each_to_their_ends() {
    let biped = Body { random_frames: true, ..Body::default() }.named();
    let pair = Skeleton::from_world(
        [0.0, 1.0]
            .into_iter()
            .enumerate()
            .map(|(k, x)| (format!("b{k}"), k.checked_sub(1), Isometry3::translation(x, 0.0, 0.0), None)),
    )
    .expect("valid");
    for (skeleton, count) in [(&biped, 22), (&pair, 2)] {
        let clips = sweeps(skeleton);
        assert_eq!(clips.len(), count);
        for clip in &clips {
            let [track] = clip.tracks.as_slice() else { panic!("{} moves one joint", clip.name) };
            let turn = clip.sample(skeleton, 0.5 * clip.seconds).rotation_from_rest(skeleton, track.joint);
            let end = if clip.name.starts_with("Bend") { 150.0 } else { 180.0 };
            assert!((turn.angle().to_degrees() - end).abs() < 1e-3, "{}", clip.name);
        }
    }
    assert!(sweeps(&biped).iter().any(|clip| clip.name == "Bend LeftLowerArm"));
}
