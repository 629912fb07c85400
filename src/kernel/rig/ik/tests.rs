//! Dragged joints arrive, pins stay, elbows and knees keep their side, and nothing jumps.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::*;
use crate::kernel::rig::motions::pose_bent;
use crate::kernel::rig::test_bodies::Body;

fn bodies() -> Vec<Skeleton> {
    [(0.0, false, 0.0), (45.0, true, 0.0), (70.0, false, 130.0)]
        .map(|(arms_down_deg, random_frames, facing_deg)| {
            Body { arms_down_deg, random_frames, facing_deg }.named()
        })
        .into()
}

fn joint(skeleton: &Skeleton, role: Role) -> usize {
    skeleton.find(role.name()).expect("named")
}

fn place(skeleton: &Skeleton, pose: &Pose, j: usize) -> Point3<f64> {
    Stance::new(skeleton, pose.clone()).position(j)
}

/// The largest turn of any joint between two poses, in radians.
fn change(a: &Pose, b: &Pose) -> f64 {
    a.local.iter().zip(&b.local).map(|(a, b)| a.rotation.angle_to(&b.rotation)).fold(0.0, f64::max)
}

fn assert_rigid(skeleton: &Skeleton, pose: &Pose) {
    for (joint, local) in
        skeleton.joints().iter().zip(&pose.local).filter(|(joint, _)| joint.parent.is_some())
    {
        assert!((local.translation - joint.rest_local.translation.vector).norm() < 1e-9, "{}", joint.name);
        assert!(local.rotation.coords.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn a_dragged_hand_or_foot_arrives_and_only_its_limb_moves() {
    for skeleton in bodies() {
        let rest = Pose::rest(&skeleton);
        let humanoid = Humanoid::detect(&skeleton).expect("a biped");
        let (up, forward) = (humanoid.up.into_inner(), humanoid.forward.into_inner());
        for (end, upper, lower, offset) in [
            (Role::LeftHand, Role::LeftUpperArm, Role::LeftLowerArm, forward * 0.3 + up * 0.1),
            (Role::RightFoot, Role::RightUpperLeg, Role::RightLowerLeg, forward * 0.2 + up * 0.3),
        ] {
            let j = joint(&skeleton, end);
            let root = skeleton.position(joint(&skeleton, upper));
            let target = root + (skeleton.position(j) + offset - root) * 0.8;
            let pose = reach(&skeleton, &rest, &[Goal::drag(j, target)], &IkOptions::default());
            assert!((place(&skeleton, &pose, j) - target).norm() < 1e-9);
            assert_rigid(&skeleton, &pose);
            for (k, (a, b)) in rest.local.iter().zip(&pose.local).enumerate() {
                let moves = k == joint(&skeleton, upper) || k == joint(&skeleton, lower);
                assert!(moves || a == b, "{} moved", skeleton.joints()[k].name);
            }
        }
    }
}

#[test]
fn knees_bend_forward_from_straight_legs_and_elbows_keep_their_side() {
    for skeleton in bodies() {
        let rest = Pose::rest(&skeleton);
        let humanoid = Humanoid::detect(&skeleton).expect("a biped");
        let [hip, knee, foot] =
            [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| joint(&skeleton, role));
        let target = skeleton.position(foot) + humanoid.up.into_inner() * 0.3;
        let pose = reach(&skeleton, &rest, &[Goal::drag(foot, target)], &IkOptions::default());
        let middle = nalgebra::center(&skeleton.position(hip), &target);
        assert!((place(&skeleton, &pose, knee) - middle).dot(&humanoid.forward) > 0.15);
        // Stretched out and back again: the knee still points forward.
        let down = target - humanoid.up.into_inner() * 2.0;
        let straight = reach(&skeleton, &pose, &[Goal::drag(foot, down)], &IkOptions::default());
        let again = reach(&skeleton, &straight, &[Goal::drag(foot, target)], &IkOptions::default());
        assert!((place(&skeleton, &again, knee) - middle).dot(&humanoid.forward) > 0.15);
        assert!(change(&pose, &again) < 0.05, "{}", change(&pose, &again));
    }
}

#[test]
fn what_is_out_of_reach_straightens_the_limb_towards_it() {
    for skeleton in bodies() {
        let bent = pose_bent(&skeleton, joint(&skeleton, Role::LeftLowerArm), 1.2);
        let [shoulder, elbow, hand] =
            [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| joint(&skeleton, role));
        for target in [Point3::new(9.0, 3.0, 2.0), Point3::new(0.1, 1e6, 0.0), Point3::new(-4.0, -4.0, -4.0)]
        {
            let pose = reach(&skeleton, &bent, &[Goal::drag(hand, target)], &IkOptions::default());
            let [a, b, c] = [shoulder, elbow, hand].map(|j| place(&skeleton, &pose, j));
            assert!((b - a).angle(&(target - a)) < 1e-6 && (c - b).angle(&(target - a)) < 1e-6);
            assert_rigid(&skeleton, &pose);
        }
        // On the shoulder itself, and at no place at all.
        let folded = [skeleton.position(shoulder), Point3::new(f64::NAN, 0.0, 0.0)];
        for target in folded {
            assert_rigid(
                &skeleton,
                &reach(&skeleton, &bent, &[Goal::drag(hand, target)], &IkOptions::default()),
            );
        }
    }
}

#[test]
fn a_small_move_of_the_target_is_a_small_change_of_the_pose() {
    for skeleton in bodies() {
        let humanoid = Humanoid::detect(&skeleton).expect("a biped");
        for (role, chain) in [
            (Role::LeftHand, Chain::Limb),
            (Role::RightFoot, Chain::Limb),
            (Role::Head, Chain::Limb),
            (Role::LeftHand, Chain::WholeBody),
            (Role::LeftHand, Chain::Joints(4)),
        ] {
            let j = joint(&skeleton, role);
            let home = skeleton.position(j);
            let options = IkOptions { chain };
            let feet = [Role::LeftFoot, Role::RightFoot].map(|foot| joint(&skeleton, foot));
            let pins: Vec<Goal> = feet
                .into_iter()
                .filter(|&foot| foot != j)
                .map(|foot| Goal::pin(&skeleton, &Pose::rest(&skeleton), foot))
                .collect();
            let solver = Solver::new(&skeleton);
            let mut pose = Pose::rest(&skeleton);
            let mut largest: f64 = 0.0;
            for k in 0..2000 {
                // A wide figure, in and out of reach, in steps of one or two millimetres.
                let t = k as f64 / 2000.0 * std::f64::consts::TAU;
                let out = humanoid.forward.into_inner() * (0.25 * (1.0 - t.cos()))
                    + humanoid.up.into_inner() * (0.3 * (2.0 * t).sin())
                    + humanoid.left().into_inner() * (0.15 * t.sin());
                let mut goals = vec![Goal::drag(j, home + out)];
                goals.extend(&pins);
                let next = solver.reach(&pose, &goals, &options);
                largest = largest.max(change(&pose, &next));
                pose = next;
            }
            // Near full stretch the bend goes with the root of the way: sqrt(2 · 2 mm / 0.1 m).
            assert!(largest < 0.2, "{role:?} {chain:?}: {largest}");
        }
    }
}

#[test]
fn pinned_feet_and_hands_stay_while_the_hips_are_dragged() {
    let ends = [Role::LeftFoot, Role::RightFoot, Role::LeftHand];
    for skeleton in bodies() {
        let start = pose_bent(&skeleton, joint(&skeleton, Role::LeftLowerArm), 0.8);
        let hips = joint(&skeleton, Role::Hips);
        let mut goals = vec![Goal::drag(hips, Point3::origin())];
        goals.extend(ends.map(|role| Goal::pin(&skeleton, &start, joint(&skeleton, role))));
        // The last is far too high: the hips stop where the legs are straight.
        for offset in [[0.0, -0.15, 0.05], [0.05, -0.1, -0.05], [0.1, -0.5, 0.1], [0.0, 2.0, 0.0]] {
            goals[0].target = skeleton.position(hips) + Vector3::from(offset);
            let pose = reach(&skeleton, &start, &goals, &IkOptions::default());
            for pin in &goals[1..] {
                let gap = (place(&skeleton, &pose, pin.joint) - pin.target).norm();
                assert!(gap < 1e-3, "{offset:?}: {} is {gap} off", skeleton.joints()[pin.joint].name);
                let turned = Stance::new(&skeleton, pose.clone()).rotation(pin.joint);
                let before = Stance::new(&skeleton, start.clone()).rotation(pin.joint);
                assert!(turned.angle_to(&before) < 1e-6, "pins keep their rotation");
            }
            // An arm of half a metre lets the hips down by a little, not by half a metre.
            if offset[1].abs() < 0.2 {
                assert!((place(&skeleton, &pose, hips) - goals[0].target).norm() < 1e-9);
            }
        }
    }
}

#[test]
fn dragging_an_elbow_whose_hand_is_pinned_swivels_the_arm() {
    for skeleton in bodies() {
        let [elbow, hand] = [Role::LeftLowerArm, Role::LeftHand].map(|role| joint(&skeleton, role));
        let start = pose_bent(&skeleton, elbow, 1.2);
        let target = place(&skeleton, &start, elbow) + Vector3::new(0.0, -0.2, 0.1);
        let pin = Goal::pin(&skeleton, &start, hand);
        let pose = reach(&skeleton, &start, &[Goal::drag(elbow, target), pin], &IkOptions::default());
        assert!((place(&skeleton, &pose, hand) - pin.target).norm() < 1e-9);
        let gap = |pose: &Pose| (place(&skeleton, pose, elbow) - target).norm();
        assert!(gap(&pose) < gap(&start));
    }
}

#[test]
fn the_whole_body_follows_only_where_the_arm_is_too_short() {
    let skeleton = Body { arms_down_deg: 40.0, ..Body::default() }.named();
    let rest = Pose::rest(&skeleton);
    let [hand, spine] = [Role::LeftHand, Role::Spine].map(|role| joint(&skeleton, role));
    let options = IkOptions { chain: Chain::WholeBody };
    let feet =
        [Role::LeftFoot, Role::RightFoot].map(|role| Goal::pin(&skeleton, &rest, joint(&skeleton, role)));
    let at = |offset: Vector3<f64>| {
        let mut goals = vec![Goal::drag(hand, skeleton.position(hand) + offset)];
        goals.extend(feet);
        (goals[0].target, reach(&skeleton, &rest, &goals, &options))
    };
    let (_, near) = at(Vector3::new(-0.1, 0.1, 0.1));
    assert_eq!(near.local[spine], rest.local[spine]);
    let (target, far) = at(Vector3::new(0.0, -0.3, 0.5));
    assert!(change(&far, &rest) > 0.1 && far.local[spine] != rest.local[spine]);
    assert!(
        (place(&skeleton, &far, hand) - target).norm() < 0.01,
        "{}",
        place(&skeleton, &far, hand) - target
    );
    for foot in feet {
        assert!((place(&skeleton, &far, foot.joint) - foot.target).norm() < 1e-3);
    }
}

#[test]
fn other_skeletons_and_feet_outside_of_the_leg_work_too() {
    let chain = Skeleton::from_world((0..6).map(|k| {
        (format!("b{k}"), usize::checked_sub(k, 1), Isometry3::translation(k as f64 * 0.3, 0.0, 0.0), None)
    }))
    .expect("valid");
    let rest = Pose::rest(&chain);
    for (count, target) in [(2, Point3::new(1.2, 0.3, 0.1)), (5, Point3::new(0.3, 0.8, -0.4))] {
        let options = IkOptions { chain: Chain::Joints(count) };
        let pose = reach(&chain, &rest, &[Goal::drag(5, target)], &options);
        assert!((place(&chain, &pose, 5) - target).norm() < 1e-3, "{count}: {}", place(&chain, &pose, 5));
        assert_rigid(&chain, &pose);
    }
    let moved = reach(&chain, &rest, &[Goal::drag(0, Point3::new(0.0, 1.0, 0.0))], &IkOptions::default());
    assert!((place(&chain, &moved, 0) - Point3::new(0.0, 1.0, 0.0)).norm() < 1e-12, "a root moves");

    let plain = Body::default().named();
    let loose = Skeleton::from_world((0..plain.len()).map(|j| {
        let joint = &plain.joints()[j];
        let parent = if joint.name.ends_with("Foot") { Some(0) } else { joint.parent };
        (joint.name.clone(), parent, *plain.world_from_joint(j), joint.tip)
    }))
    .expect("valid");
    let [knee, foot] = [Role::LeftLowerLeg, Role::LeftFoot].map(|role| joint(&loose, role));
    let target = loose.position(foot) + Vector3::new(0.0, 0.25, 0.1);
    let pose = reach(&loose, &Pose::rest(&loose), &[Goal::drag(foot, target)], &IkOptions::default());
    assert!((place(&loose, &pose, foot) - target).norm() < 1e-9);
    let shin = (place(&loose, &pose, foot) - place(&loose, &pose, knee)).norm();
    assert!((shin - (loose.position(foot) - loose.position(knee)).norm()).abs() < 1e-9);
}

#[test]
fn an_arm_with_a_given_answer_is_solved_exactly() {
    // Shoulder at the origin, bones of 3 and 4 along x; the target 5 away makes a right angle.
    let arm = Skeleton::from_world(
        [0.0, 3.0, 7.0]
            .iter()
            .enumerate()
            .map(|(k, &x)| (format!("b{k}"), k.checked_sub(1), Isometry3::translation(x, 0.0, 0.0), None)),
    )
    .expect("valid");
    let target = Point3::new(5.0, 0.0, 0.0);
    let pose = reach(&arm, &Pose::rest(&arm), &[Goal::drag(2, target)], &IkOptions::default());
    let elbow = place(&arm, &pose, 1);
    assert!(((elbow - target).dot(&elbow.coords)).abs() < 1e-9, "the law of cosines: {elbow}");
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2);
    assert!((pose.local[1].rotation.angle() - turn.angle()).abs() < 1e-9);
}
