//! Joints turned one at a time: how far each goes when a skin is asked what it does with it.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::axes;
use crate::kernel::math::spherical::perpendicular;
use crate::kernel::rig::{Humanoid, Skeleton};

/// How far a limb is turned about each axis across it, to either side, in degrees.
const LIMB_DEG: f64 = 70.0;
/// How far it is twisted.
const TWIST_DEG: f64 = 90.0;
/// How far it flexes.
const FLEX_DEG: f64 = 95.0;
/// How far a trunk or a collar bone is turned, about any axis.
const TRUNK_DEG: f64 = 35.0;

/// What a joint is turned as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Parts of a body that limbs hang on.
    Trunk,
    /// A limb that bends one way farther than the others: shoulders and hips.
    Limb,
    /// An elbow, a knee.
    Hinge,
}

/// Turns of a joint about its place, in the world at rest: twists, then bends across it.
pub fn turns(
    skeleton: &Skeleton,
    humanoid: Option<&Humanoid>,
    j: usize,
    kind: Kind,
) -> Vec<UnitQuaternion<f64>> {
    let along = axes::twist_axis(skeleton, j);
    let side = perpendicular(&along);
    let (twist, bend) = if kind == Kind::Trunk { (TRUNK_DEG, TRUNK_DEG) } else { (TWIST_DEG, LIMB_DEG) };
    let mut turns = Vec::new();
    for (axis, most) in [(along.into_inner(), twist), (side, bend), (along.cross(&side), bend)] {
        turns.extend([-most, most].map(|degrees| turn(axis, degrees)));
    }
    if kind == Kind::Limb {
        turns.push(turn(axes::bend_axis_of(skeleton, humanoid, j).into_inner(), FLEX_DEG));
    }
    turns
}

fn turn(axis: Vector3<f64>, degrees: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_normalize(axis), degrees.to_radians())
}
