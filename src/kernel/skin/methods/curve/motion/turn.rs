//! What a joint does in a pose, as curves see it: a bend, spread over the corner, and a twist, spread along
//! the links.

use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};

/// Smaller angles, in radians, are the rounding of a pose.
const STILL: f64 = 1e-6;

/// The turn of a joint against its parent, from rest: first a twist about its bone, then a bend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The axis of the bend, in the parent's rest axes.
    pub axis: Vector3<f64>,
    /// The angle of the bend, in radians; never negative.
    pub bend: f64,
    /// The angle of the twist, in radians.
    pub twist: f64,
}

impl Turn {
    /// No turn.
    pub const NONE: Self = Self { axis: Vector3::new(1.0, 0.0, 0.0), bend: 0.0, twist: 0.0 };

    /// Takes `relative` apart about the bone's direction at rest.
    pub fn of(relative: UnitQuaternion<f64>, bone: &Vector3<f64>) -> Self {
        let q = if relative.w < 0.0 { -relative.into_inner() } else { relative.into_inner() };
        let along = q.imag().dot(bone);
        // A half turn across the bone leaves the twist open: none, then.
        let twist = if along.hypot(q.w) < 1e-9 { 0.0 } else { 2.0 * along.atan2(q.w) };
        let swing = q * about(bone, -twist);
        let (sine, cosine) = (swing.imag().norm(), swing.w);
        let bend = 2.0 * sine.atan2(cosine.abs());
        if bend.max(twist.abs()) < STILL {
            return Self::NONE;
        }
        let axis = swing.imag() * if cosine < 0.0 { -1.0 } else { 1.0 };
        Self { axis: axis.try_normalize(1e-12).unwrap_or(Self::NONE.axis), bend, twist }
    }

    /// Whether the joint is as it is at rest.
    pub fn is_none(&self) -> bool {
        self.bend == 0.0 && self.twist == 0.0
    }

    /// The part `share` of the bend.
    pub fn bent(&self, share: f64) -> Quaternion<f64> {
        about(&self.axis, self.bend * share)
    }
}

/// The rotation by `angle` about a unit vector.
pub fn about(axis: &Vector3<f64>, angle: f64) -> Quaternion<f64> {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    Quaternion::from_parts(cosine, axis * sine)
}

/// The rotation of a quaternion that is of unit length up to rounding.
pub fn rotation(q: Quaternion<f64>) -> UnitQuaternion<f64> {
    Unit::new_unchecked(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bend_and_twist_make_up_the_turn_again() {
        let bone = Vector3::new(0.6, 0.0, 0.8);
        for (roll, pitch, yaw) in [(0.0, 0.0, 0.0), (0.3, -1.0, 0.5), (2.5, 0.1, 0.0), (-1.0, 1.3, 2.9)] {
            let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
            let parts = Turn::of(turn, &bone);
            let again = rotation(parts.bent(1.0) * about(&bone, parts.twist));
            assert!(again.angle_to(&turn) < 1e-7);
            assert!(parts.bend < 1e-9 || parts.axis.dot(&bone).abs() < 1e-9, "the bend is across the bone");
        }
        let twisted = Turn::of(rotation(about(&bone, 2.0)), &bone);
        assert!(twisted.bend < 1e-9 && (twisted.twist - 2.0).abs() < 1e-9);
    }
}
