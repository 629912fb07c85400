//! Joints turned by hand: about their own axes, or about axes of the world.
//!
//! Several chosen joints turn by one rule. About own axes each turns by the same angle, so that chosen
//! finger joints curl; about axes of the world (global, view) the topmost ones turn, each in its own
//! place, and those below are carried along.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use crate::kernel::rig::{JointMirror, Pose, Posed, Skeleton};

/// What joints turn about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TurnAxis {
    /// The first, second or third of each joint's own axes.
    Own(usize),
    /// A direction of the world.
    World(Unit<Vector3<f64>>),
}

/// Rotation of the joint's own axes in the world; scales that a motion carries play no part.
pub fn world_rotation(skeleton: &Skeleton, posed: &Posed, pose: &Pose, j: usize) -> UnitQuaternion<f64> {
    parent_rotation(skeleton, posed, j) * pose.local[j].rotation
}

fn parent_rotation(skeleton: &Skeleton, posed: &Posed, j: usize) -> UnitQuaternion<f64> {
    let parent = skeleton.joints()[j].parent;
    parent.map_or_else(UnitQuaternion::identity, |parent| posed.world_from_joint[parent].nearest_rotation())
}

/// Those of `joints` that hang on none of the others.
pub fn topmost(skeleton: &Skeleton, joints: &[usize]) -> Vec<usize> {
    let hangs = |j: usize| {
        let up = |&j: &usize| skeleton.joints()[j].parent;
        std::iter::successors(up(&j), up).any(|above| joints.contains(&above))
    };
    joints.iter().copied().filter(|&j| !hangs(j)).collect()
}

/// `start` with `joints` turned by `angle` radians.
pub fn turned(skeleton: &Skeleton, start: &Pose, joints: &[usize], axis: TurnAxis, angle: f64) -> Pose {
    let mut pose = start.clone();
    match axis {
        TurnAxis::Own(k) => {
            let turn = UnitQuaternion::from_axis_angle(&Unit::new_unchecked(Vector3::ith(k, 1.0)), angle);
            for &j in joints {
                pose.local[j].rotation = renormalized(start.local[j].rotation * turn);
            }
        }
        TurnAxis::World(axis) => {
            let posed = Posed::of(skeleton, start);
            let turn = UnitQuaternion::from_axis_angle(&axis, angle);
            for j in topmost(skeleton, joints) {
                let above = parent_rotation(skeleton, &posed, j);
                let local = above.inverse() * turn * above;
                pose.local[j].rotation = renormalized(local * start.local[j].rotation);
            }
        }
    }
    pose
}

/// `pose` with the joints opposite of `joints` turned as those were from `start`, mirrored. Joints on
/// the middle line, and those that are themselves among `joints`, stay.
pub fn followed(
    skeleton: &Skeleton,
    mirror: &JointMirror,
    start: &Pose,
    mut pose: Pose,
    joints: &[usize],
) -> Pose {
    let above = |j: usize| {
        let parent = skeleton.joints()[j].parent;
        parent.map_or_else(UnitQuaternion::identity, |p| skeleton.world_from_joint(p).rotation)
    };
    for &j in joints {
        let Some(k) = mirror.partner(j).filter(|k| !joints.contains(k)) else { continue };
        // The joint's turn in world rest space, as if nothing above it had moved.
        let turn = pose.local[j].rotation * start.local[j].rotation.inverse();
        let turn = mirror.plane.reflect_rotation(&(above(j) * turn * above(j).inverse()));
        let local = above(k).inverse() * turn * above(k);
        pose.local[k].rotation = renormalized(local * start.local[k].rotation);
    }
    pose
}

fn renormalized(mut rotation: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    rotation.renormalize();
    rotation
}
