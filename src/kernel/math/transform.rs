//! Translation, rotation and scale: the local transform of a posed joint, as in glTF.

use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use super::Affine;

/// x ↦ T R S x: scale first, then rotate, then translate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// T, in metres.
    pub translation: Vector3<f64>,
    /// R.
    pub rotation: UnitQuaternion<f64>,
    /// The diagonal of S.
    pub scale: Vector3<f64>,
}

impl Transform {
    /// x ↦ x.
    pub fn identity() -> Self {
        Self::from(Isometry3::identity())
    }

    /// The affine map T R S.
    pub fn to_affine(&self) -> Affine {
        let rotation = self.rotation.to_rotation_matrix().into_inner();
        Affine { linear: rotation * Matrix3::from_diagonal(&self.scale), translation: self.translation }
    }

    /// T R, with the scale left out.
    pub fn to_isometry(&self) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::from(self.translation), self.rotation)
    }

    /// The nearest T R S to an affine map: exact unless the map shears.
    ///
    /// The rotation is that of the polar decomposition; the scale is the diagonal of Rᵀ A.
    pub fn from_affine(map: &Affine) -> Self {
        let rotation = map.nearest_rotation();
        let stretch = rotation.to_rotation_matrix().transpose().into_inner() * map.linear;
        Self { translation: map.translation, rotation, scale: stretch.diagonal() }
    }

    /// Translation and scale blended linearly, rotation along the shorter arc.
    pub fn blend(&self, other: &Self, t: f64) -> Self {
        Self {
            translation: self.translation.lerp(&other.translation, t),
            rotation: shorter_slerp(&self.rotation, &other.rotation, t),
            scale: self.scale.lerp(&other.scale, t),
        }
    }
}

impl From<Isometry3<f64>> for Transform {
    fn from(isometry: Isometry3<f64>) -> Self {
        Self {
            translation: isometry.translation.vector,
            rotation: isometry.rotation,
            scale: Vector3::repeat(1.0),
        }
    }
}

/// Of the two quaternions of a rotation the one on the same half of the sphere as another: the shorter turn from it.
pub fn nearer(q: UnitQuaternion<f64>, to: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    if q.coords.dot(&to.coords) < 0.0 { UnitQuaternion::new_unchecked(-q.into_inner()) } else { q }
}

/// Spherical interpolation along the shorter arc; opposite quaternions give the nearer end.
pub fn shorter_slerp(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>, t: f64) -> UnitQuaternion<f64> {
    let b = nearer(*b, a);
    a.try_slerp(&b, t, 1e-9).unwrap_or(if t < 0.5 { *a } else { b })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposition_recovers_what_was_composed() {
        let made = Transform {
            translation: Vector3::new(1.0, 2.0, 3.0),
            rotation: UnitQuaternion::from_euler_angles(0.5, 0.2, -2.8),
            scale: Vector3::new(1.0, 1.5, 0.7),
        };
        let found = Transform::from_affine(&made.to_affine());
        assert!((found.translation - made.translation).norm() < 1e-12);
        assert!(found.rotation.angle_to(&made.rotation) < 1e-7);
        assert!((found.scale - made.scale).norm() < 1e-7);
    }

    #[test]
    fn slerp_takes_the_shorter_arc_between_opposite_signs() {
        let a = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.2);
        let b = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.6);
        let flipped = UnitQuaternion::new_unchecked(-b.into_inner());
        assert!((shorter_slerp(&a, &flipped, 0.5).angle() - 0.4).abs() < 1e-9);
    }
}
