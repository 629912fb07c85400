//! Frames of the joints: +Y along the bone, +X the hinge.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

use super::Places;
use crate::kernel::rig::{Role, Skeleton, SkeletonError};

/// Limbs bent by less than this sine have no plane of their own.
const STRAIGHT: f64 = 0.05;

/// The skeleton with a frame for every place.
pub(super) fn skeleton(
    places: &Places,
    forward: &Unit<Vector3<f64>>,
    left: &Unit<Vector3<f64>>,
) -> Result<Skeleton, SkeletonError> {
    Skeleton::from_world(places.joints.iter().map(|place| {
        let bone = end(places, place.role).map_or_else(Vector3::y, |end| end - place.position);
        let y = Unit::try_new(bone, 1e-12).unwrap_or_else(Vector3::y_axis);
        let x = hinge(places, place.role, forward, left);
        let rotation = frame(&y, &x);
        let world = Isometry3::from_parts(Translation3::from(place.position), rotation);
        let tip = place.tip.map(|tip| world.inverse() * tip);
        (place.role.name().to_owned(), place.parent.and_then(|role| places.index(role)), world, tip)
    }))
}

/// The rotation whose +Y is `y` and whose +X is as near to `x` as that allows.
pub(in crate::kernel::rig) fn frame(y: &Unit<Vector3<f64>>, x: &Vector3<f64>) -> UnitQuaternion<f64> {
    let across = |x: &Vector3<f64>| (x - y.into_inner() * x.dot(y)).try_normalize(1e-3);
    let x = across(x)
        .or_else(|| across(&Vector3::x()))
        .or_else(|| across(&Vector3::z()))
        .unwrap_or_else(Vector3::x);
    let matrix = Matrix3::from_columns(&[x, y.into_inner(), x.cross(y)]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix))
}

/// Where the main bone of a role ends.
fn end(places: &Places, role: Role) -> Option<Point3<f64>> {
    if let Some(tip) = places.joints.iter().find(|place| place.role == role).and_then(|place| place.tip) {
        return Some(tip);
    }
    let next = match role {
        Role::Hips => Role::Spine,
        Role::Spine => Role::Chest,
        Role::Chest | Role::UpperChest => Role::Neck,
        Role::Neck => Role::Head,
        _ => *Role::ALL.get(role as usize + 1)?,
    };
    places.position(next)
}

/// The hinge of a role: of arms the normal of the arm's plane, of everything else the body's left.
fn hinge(
    places: &Places,
    role: Role,
    forward: &Unit<Vector3<f64>>,
    left: &Unit<Vector3<f64>>,
) -> Vector3<f64> {
    let of = |left: Role| if role.is_right() { left.mirrored() } else { left };
    let bones = |a: Role, b: Role, c: Role| {
        let (a, b, c) = (places.position(of(a))?, places.position(of(b))?, places.position(of(c))?);
        Some(((b - a).try_normalize(1e-12)?, (c - b).try_normalize(1e-12)?))
    };
    let (anatomical, limb) = match if role.is_right() { role.mirrored() } else { role } {
        Role::LeftUpperArm | Role::LeftLowerArm | Role::LeftHand => {
            let arm = bones(Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand);
            // A positive turn brings the forearm forward.
            let flexing = arm.map_or_else(Vector3::zeros, |(upper, lower)| (upper + lower).cross(forward));
            (flexing.try_normalize(1e-6).unwrap_or(left.into_inner()), arm)
        }
        Role::LeftUpperLeg | Role::LeftLowerLeg => {
            (left.into_inner(), bones(Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot))
        }
        _ => (left.into_inner(), None),
    };
    let plane = limb.and_then(|(upper, lower)| upper.cross(&lower).try_normalize(STRAIGHT));
    match plane {
        // A plane far off the anatomical one comes from tags placed by eye.
        Some(normal) if normal.dot(&anatomical).abs() > 0.8 => normal * normal.dot(&anatomical).signum(),
        _ => anatomical,
    }
}
