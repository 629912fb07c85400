//! Retargeted limbs point where the source's do, on any rest pose and any frames; feet stay on the ground.

use nalgebra::Isometry3;

use super::*;
use crate::kernel::forge;
use crate::kernel::rig::motions::{bend_sweep, range_of_motion, walk};
use crate::kernel::rig::test_bodies::Body;

const BONES: [(Role, Role); 8] = [
    (Role::LeftUpperArm, Role::LeftLowerArm),
    (Role::LeftLowerArm, Role::LeftHand),
    (Role::RightUpperArm, Role::RightLowerArm),
    (Role::RightLowerArm, Role::RightHand),
    (Role::LeftUpperLeg, Role::LeftLowerLeg),
    (Role::LeftLowerLeg, Role::LeftFoot),
    (Role::RightUpperLeg, Role::RightLowerLeg),
    (Role::RightLowerLeg, Role::RightFoot),
];

fn direction(skeleton: &Skeleton, posed: &Posed, (from, to): (Role, Role)) -> Vector3<f64> {
    let humanoid = Humanoid::detect(skeleton).expect("a biped");
    let at = |role| posed.world_from_joint[humanoid.get(role).expect("played")].translation;
    at(to) - at(from)
}

/// The largest angle between bones of the source's and of the target's motion.
fn worst_angle(source: &Skeleton, clip: &Clip, target: &Skeleton, made: &Clip) -> f64 {
    let mut worst: f64 = 0.0;
    for track in clip.tracks.iter().take(1) {
        let times = &track.rotation.as_ref().expect("turns").times;
        for &time in times.iter().step_by(7) {
            let a = Posed::of(source, &clip.sample(source, time));
            let b = Posed::of(target, &made.sample(target, time));
            for bone in BONES {
                worst = worst.max(direction(source, &a, bone).angle(&direction(target, &b, bone)));
            }
        }
    }
    worst
}

fn hero() -> Skeleton {
    forge::build("hero", Some(2_400)).expect("built in").skeleton.as_ref().clone()
}

#[test]
fn bones_point_where_the_sources_do_on_any_rest_frames_and_facing() {
    let sources = [
        Body::default(),
        Body { arms_down_deg: 45.0, random_frames: true, facing_deg: 0.0 },
        Body { arms_down_deg: 80.0, random_frames: true, facing_deg: 120.0 },
    ];
    for body in sources {
        let source = body.named();
        for clip in [walk(&source).expect("a biped"), range_of_motion(&source).expect("a biped")] {
            for target in
                [hero(), Body { arms_down_deg: 30.0, random_frames: true, facing_deg: 40.0 }.named()]
            {
                let made = retarget(&source, &clip, &target).expect("both are bipeds");
                assert!(made.matched >= 19 && made.left_out.is_empty(), "{made:?}");
                let worst = worst_angle(&source, &clip, &target, &made.clip);
                assert!(worst < 1e-6, "{}: {worst}", clip.name);
                assert_eq!((made.clip.seconds, &made.clip.name), (clip.seconds, &clip.name));
            }
        }
    }
}

#[test]
fn the_same_skeleton_plays_the_same_motion() {
    let source = Body { random_frames: true, arms_down_deg: 20.0, ..Body::default() }.named();
    let clip = walk(&source).expect("a biped");
    let made = retarget(&source, &clip, &source).expect("the same").clip;
    for k in 0..20 {
        let time = clip.seconds * k as f64 / 19.0;
        let (a, b) = (
            Posed::of(&source, &clip.sample(&source, time)),
            Posed::of(&source, &made.sample(&source, time)),
        );
        let offset = b.world_from_joint[0].translation - a.world_from_joint[0].translation;
        for (x, y) in a.world_from_joint.iter().zip(&b.world_from_joint) {
            assert!((x.translation + offset - y.translation).norm() < 1e-4, "at {time}");
        }
    }
}

#[test]
fn feet_of_a_giant_and_a_child_stay_on_the_ground() {
    let source = Body::default().named();
    let clip = walk(&source).expect("a biped");
    for id in ["giant", "child", "hero"] {
        let target = forge::build(id, Some(2_400)).expect("built in").skeleton;
        let made = retarget(&source, &clip, &target).expect("both are bipeds").clip;
        let humanoid = Humanoid::detect(&target).expect("a biped");
        let feet = [Role::LeftFoot, Role::RightFoot].map(|role| humanoid.get(role).expect("played"));
        let leg = leg_length(&target, &humanoid).expect("legs");
        let mut lowest = f64::INFINITY;
        for k in 0..40 {
            let posed = Posed::of(&target, &made.sample(&target, clip.seconds * k as f64 / 40.0));
            let lift = |j: usize| posed.world_from_joint[j].translation.y - target.position(j).y;
            let lower = lift(feet[0]).min(lift(feet[1]));
            assert!((-0.04 * leg..0.12 * leg).contains(&lower), "{id}: {lower} of a leg of {leg}");
            lowest = lowest.min(lower);
        }
        assert!(lowest.abs() < 0.03 * leg, "{id} touches the ground: {lowest}");
    }
}

#[test]
fn names_pair_what_is_no_biped_and_strangers_are_refused() {
    let chain = |prefix: &str, scale: f64, bent: f64| {
        let at = [[0.0, 0.0], [1.0, 0.0], [2.0, bent], [3.0, bent]];
        Skeleton::from_world(at.into_iter().enumerate().map(|(k, [x, y])| {
            let frame = UnitQuaternion::from_euler_angles(k as f64, scale, 0.3);
            let world = Isometry3::from_parts(Vector3::new(x * scale, y * scale, 0.0).into(), frame);
            (format!("{prefix}b{k}"), k.checked_sub(1), world, None)
        }))
        .expect("valid")
    };
    let (source, target) = (chain("", 1.0, 0.0), chain("rig:", 2.0, 0.7));
    let clip = bend_sweep(&source, 1, 0.0, 90.0, 1.0);
    let made = retarget(&source, &clip, &target).expect("equal names");
    assert_eq!((made.matched, made.left_out.len()), (4, 0));
    let (a, b) =
        (Posed::of(&source, &clip.sample(&source, 0.5)), Posed::of(&target, &made.clip.sample(&target, 0.5)));
    for k in 0..3 {
        let along =
            |posed: &Posed| posed.world_from_joint[k + 1].translation - posed.world_from_joint[k].translation;
        assert!(along(&a).angle(&along(&b)) < 1e-6);
    }
    let stranger = chain("x", 1.0, 0.0);
    assert_eq!(retarget(&source, &clip, &stranger), Err(RetargetError::NothingInCommon));
    assert_eq!(retarget(&source, &clip, &Skeleton::default()), Err(RetargetError::NoSkeleton));
    let still = Clip::new("still", Vec::new());
    assert_eq!(retarget(&source, &still, &target), Err(RetargetError::NoKeys("still".into())));
}
