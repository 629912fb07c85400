//! One joint bent or twisted: single poses for measuring, and sweeps from one angle to another.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::axes::{bend_axis, twist_axis};
use super::stage::{Stage, sample};
use crate::kernel::rig::{Clip, Humanoid, Pose, Role, Skeleton};

/// The rest pose with joint `j` bent about [`bend_axis`].
pub fn pose_bent(skeleton: &Skeleton, j: usize, angle_rad: f64) -> Pose {
    pose_about(skeleton, j, &bend_axis(skeleton, j), angle_rad)
}

/// The rest pose with joint `j` and all below it turned about `j`'s bone.
pub fn pose_twisted(skeleton: &Skeleton, j: usize, angle_rad: f64) -> Pose {
    pose_about(skeleton, j, &twist_axis(skeleton, j), angle_rad)
}

/// A clip that bends joint `j` from one angle to another and back, with a smooth start and end.
pub fn bend_sweep(skeleton: &Skeleton, j: usize, from_deg: f64, to_deg: f64, seconds: f64) -> Clip {
    sweep(skeleton, j, "Bend", &bend_axis(skeleton, j), [from_deg, to_deg], seconds)
}

/// A clip that twists joint `j` from one angle to another and back, with a smooth start and end.
pub fn twist_sweep(skeleton: &Skeleton, j: usize, from_deg: f64, to_deg: f64, seconds: f64) -> Clip {
    sweep(skeleton, j, "Twist", &twist_axis(skeleton, j), [from_deg, to_deg], seconds)
}

/// Sweeps of the joints where skins fail first: bends to 150°, twists to 180° and back. Those of a
/// biped's limbs and neck; of any other skeleton all joints that have a parent, the first dozen.
pub fn sweeps(skeleton: &Skeleton) -> Vec<Clip> {
    let joints: Vec<usize> = match Humanoid::detect(skeleton) {
        Some(humanoid) => SWEPT.into_iter().filter_map(|role| humanoid.get(role)).collect(),
        None => (0..skeleton.len()).filter(|&j| skeleton.joints()[j].parent.is_some()).take(12).collect(),
    };
    let bends = joints.iter().map(|&j| bend_sweep(skeleton, j, 0.0, 150.0, SWEEP_SECS));
    let twists = joints.iter().map(|&j| twist_sweep(skeleton, j, 0.0, 180.0, SWEEP_SECS));
    bends.zip(twists).flat_map(|(bend, twist)| [bend, twist]).collect()
}

/// Roles that are swept, from the hand to the neck.
const SWEPT: [Role; 11] = [
    Role::LeftLowerArm,
    Role::RightLowerArm,
    Role::LeftUpperArm,
    Role::RightUpperArm,
    Role::LeftHand,
    Role::RightHand,
    Role::LeftLowerLeg,
    Role::RightLowerLeg,
    Role::LeftUpperLeg,
    Role::RightUpperLeg,
    Role::Neck,
];
/// There and back, in seconds.
const SWEEP_SECS: f64 = 3.0;

fn pose_about(skeleton: &Skeleton, j: usize, axis: &Unit<Vector3<f64>>, angle_rad: f64) -> Pose {
    let mut stage = Stage::new(skeleton);
    stage.turn(j, UnitQuaternion::from_axis_angle(axis, angle_rad));
    stage.pose()
}

fn sweep(
    skeleton: &Skeleton,
    j: usize,
    verb: &str,
    axis: &Unit<Vector3<f64>>,
    [from_deg, to_deg]: [f64; 2],
    seconds: f64,
) -> Clip {
    let name = format!("{verb} {}", skeleton.joints()[j].name);
    let seconds = seconds.max(1e-3);
    sample(skeleton, &name, seconds, |time| {
        let there = 0.5 - 0.5 * (std::f64::consts::TAU * time / seconds).cos();
        pose_about(skeleton, j, axis, (from_deg + (to_deg - from_deg) * there).to_radians())
    })
}
