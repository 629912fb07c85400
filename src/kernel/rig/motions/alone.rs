//! Joints turned one at a time: how far each goes when a skin is asked what it does with it.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::axes;
use crate::kernel::math::spherical::perpendicular;
use crate::kernel::rig::{Humanoid, Skeleton};

/// How far it flexes that bends one way farther than the others, in degrees.
const FLEX_DEG: f64 = 95.0;

/// What a joint is turned as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Parts of a body that limbs hang on, collar bones among them.
    Trunk,
    /// A limb.
    Limb,
}

impl Kind {
    /// How far it is turned about each axis across it, to either side, in degrees.
    fn bend_deg(self) -> f64 {
        if self == Self::Trunk { 35.0 } else { 70.0 }
    }

    fn twist_deg(self) -> f64 {
        if self == Self::Trunk { 35.0 } else { 90.0 }
    }
}

/// Twists of a joint to either side about its place, in the world at rest.
pub fn twists(skeleton: &Skeleton, j: usize, kind: Kind) -> [UnitQuaternion<f64>; 2] {
    let along = axes::twist_axis(skeleton, j);
    [-1.0, 1.0].map(|sign| turn(along.into_inner(), sign * kind.twist_deg()))
}

/// Bends of it about two axes across it, to either side.
pub fn bends(skeleton: &Skeleton, j: usize, kind: Kind) -> [UnitQuaternion<f64>; 4] {
    let along = axes::twist_axis(skeleton, j);
    let side = perpendicular(&along);
    let (other, most) = (along.cross(&side), kind.bend_deg());
    [(side, -most), (side, most), (other, -most), (other, most)].map(|(axis, degrees)| turn(axis, degrees))
}

/// The way that shoulders and hips bend farther than any other.
pub fn flexion(skeleton: &Skeleton, humanoid: Option<&Humanoid>, j: usize) -> UnitQuaternion<f64> {
    turn(axes::bend_axis_of(skeleton, humanoid, j).into_inner(), FLEX_DEG)
}

fn turn(axis: Vector3<f64>, degrees: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_normalize(axis), degrees.to_radians())
}
