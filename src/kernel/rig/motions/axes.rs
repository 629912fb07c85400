//! The axes that joints bend and twist about, in world rest space.
//!
//! Signs are anatomical: a positive bend of an elbow brings the forearm forward or up, of a knee the
//! shin back, of a hip the thigh forward, of a shoulder the arm up sideways, of the spine, neck and
//! head the top forward, of a hand the palm inwards, of a foot the toes up.

use nalgebra::{Unit, Vector3};

use crate::kernel::rig::{Humanoid, Role, Skeleton};

/// Joints whose bones enclose less than this sine count as straight: their plane is noise.
const STRAIGHT: f64 = 0.05;

/// The axis that joint `j` bends about: the normal of the plane through parent, joint and child
/// where they are not in line, else the anatomical axis of a known role, else a perpendicular of the
/// bone, +Z for a bone along +X.
pub fn bend_axis(skeleton: &Skeleton, j: usize) -> Unit<Vector3<f64>> {
    bend_axis_of(skeleton, Humanoid::detect(skeleton).as_ref(), j)
}

/// As [`bend_axis`], with the roles already found.
pub fn bend_axis_of(skeleton: &Skeleton, humanoid: Option<&Humanoid>, j: usize) -> Unit<Vector3<f64>> {
    let anatomical = humanoid.and_then(|humanoid| {
        let role = humanoid.role_of(j)?;
        Some((role, anatomical_axis(skeleton, humanoid, role)?))
    });
    match (anatomical, bend_plane(skeleton, j)) {
        // Only elbows and knees are hinges: elsewhere the plane of the rest pose means nothing.
        (Some((role, axis)), Some(normal)) if role.is_hinge() => {
            let along = normal.dot(&axis);
            let signed = if along < 0.0 { -normal } else { normal };
            // A plane far off the anatomical one is a modelling accident.
            if along.abs() > 0.6 { signed } else { axis }
        }
        (Some((_, axis)), _) => axis,
        (None, Some(normal)) => normal,
        (None, None) => perpendicular(&twist_axis(skeleton, j)),
    }
}

/// The direction of joint `j`'s main bone; +Y where it has no length.
pub fn twist_axis(skeleton: &Skeleton, j: usize) -> Unit<Vector3<f64>> {
    skeleton.direction(j).unwrap_or_else(Vector3::y_axis)
}

/// Unit normal of the plane parent, joint, child; a positive angle about it bends further.
fn bend_plane(skeleton: &Skeleton, j: usize) -> Option<Unit<Vector3<f64>>> {
    let parent = skeleton.joints()[j].parent?;
    let incoming = (skeleton.position(j) - skeleton.position(parent)).try_normalize(1e-9)?;
    Unit::try_new(incoming.cross(&twist_axis(skeleton, j)), STRAIGHT)
}

/// The anatomical bend axis of a role, derived from the body's directions and the bone's own.
fn anatomical_axis(skeleton: &Skeleton, humanoid: &Humanoid, role: Role) -> Option<Unit<Vector3<f64>>> {
    let j = humanoid.get(role)?;
    let bone = twist_axis(skeleton, j);
    let (up, forward, left) = (humanoid.up, humanoid.forward, humanoid.left());
    let side = if role.is_right() { -1.0 } else { 1.0 };
    let axis = match if role.is_right() { role.mirrored() } else { role } {
        Role::LeftLowerArm => bone.cross(&forward).try_normalize(0.1).unwrap_or(bone.cross(&up)),
        Role::LeftUpperLeg | Role::LeftFoot | Role::LeftToes => -left.into_inner(),
        Role::LeftLowerLeg => left.into_inner(),
        Role::LeftShoulder | Role::LeftUpperArm => forward.into_inner() * side,
        Role::LeftHand => forward.into_inner() * -side,
        _ => left.into_inner(),
    };
    Unit::try_new(axis, 1e-9)
}

/// A perpendicular of the bone: its cross product with +Y, and +Z for a bone along ±Y.
fn perpendicular(bone: &Unit<Vector3<f64>>) -> Unit<Vector3<f64>> {
    Unit::try_new(bone.cross(&Vector3::y()), 1e-6).unwrap_or_else(Vector3::z_axis)
}
