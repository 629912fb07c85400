//! An affine map x ↦ A x + t, in f64.
//!
//! Rest poses are rigid, but posed joints may carry any scale that a clip animates, and a
//! product of rotations and unequal scales shears; so world transforms of posed joints are
//! affine, not similarity or rigid.

use std::ops::Mul;

use nalgebra::{Isometry3, Matrix3, Matrix4, Point3, Rotation3, UnitQuaternion, Vector3};

/// The map x ↦ `linear` x + `translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// A, 3×3.
    pub linear: Matrix3<f64>,
    /// t.
    pub translation: Vector3<f64>,
}

impl Affine {
    /// x ↦ x.
    pub fn identity() -> Self {
        Self { linear: Matrix3::identity(), translation: Vector3::zeros() }
    }

    /// x ↦ s x.
    pub fn from_scale(scale: f64) -> Self {
        Self { linear: Matrix3::identity() * scale, translation: Vector3::zeros() }
    }

    /// x ↦ R x.
    pub fn from_rotation(rotation: UnitQuaternion<f64>) -> Self {
        Self { linear: rotation.to_rotation_matrix().into_inner(), translation: Vector3::zeros() }
    }

    /// The upper 3×4 of a matrix whose last row is taken to be (0, 0, 0, 1).
    pub fn from_matrix4(matrix: &Matrix4<f64>) -> Self {
        Self {
            linear: matrix.fixed_view::<3, 3>(0, 0).into_owned(),
            translation: matrix.fixed_view::<3, 1>(0, 3).into_owned(),
        }
    }

    /// The map as a 4×4 matrix.
    pub fn to_matrix4(&self) -> Matrix4<f64> {
        let mut matrix = Matrix4::identity();
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.linear);
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&self.translation);
        matrix
    }

    /// The inverse map, or `None` where the map flattens space.
    pub fn inverse(&self) -> Option<Self> {
        let linear = self.linear.try_inverse()?;
        Some(Self { linear, translation: -(linear * self.translation) })
    }

    /// Where the point goes.
    pub fn transform_point(&self, point: &Point3<f64>) -> Point3<f64> {
        Point3::from(self.linear * point.coords + self.translation)
    }

    /// Where the direction goes; translation plays no part.
    pub fn transform_vector(&self, vector: &Vector3<f64>) -> Vector3<f64> {
        self.linear * vector
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.linear.iter().chain(self.translation.iter()).all(|x| x.is_finite())
    }

    /// Rotation nearest to the linear part (polar decomposition), reflections turned proper.
    pub fn nearest_rotation(&self) -> UnitQuaternion<f64> {
        let svd = self.linear.svd(true, true);
        let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else {
            return UnitQuaternion::identity();
        };
        if (u * v_t).determinant() < 0.0 {
            let smallest = svd.singular_values.imin();
            u.column_mut(smallest).neg_mut();
        }
        // It is a rotation already: an iteration towards one would stall near half a turn.
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(u * v_t))
    }

    /// The uniform scale with the same change of volume.
    pub fn volume_scale(&self) -> f64 {
        self.linear.determinant().abs().cbrt()
    }
}

impl From<Isometry3<f64>> for Affine {
    fn from(isometry: Isometry3<f64>) -> Self {
        Self {
            linear: isometry.rotation.to_rotation_matrix().into_inner(),
            translation: isometry.translation.vector,
        }
    }
}

impl Mul for Affine {
    type Output = Self;
    /// First `rhs`, then `self`.
    fn mul(self, rhs: Self) -> Self {
        Self {
            linear: self.linear * rhs.linear,
            translation: self.linear * rhs.translation + self.translation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_a_sheared_map() {
        let map = Affine {
            linear: Matrix3::new(1.0, 0.4, 0.0, 0.0, 2.0, -0.3, 0.1, 0.0, 0.5),
            translation: Vector3::new(3.0, -1.0, 2.0),
        };
        let round = map.inverse().expect("regular") * map;
        assert!((round.to_matrix4() - Matrix4::identity()).norm() < 1e-12);
    }

    #[test]
    fn nearest_rotation_of_a_scaled_rotation_is_the_rotation() {
        let rotation = UnitQuaternion::from_euler_angles(0.3, -1.2, 2.0);
        let map = Affine::from_rotation(rotation) * Affine::from_scale(7.0);
        assert!(map.nearest_rotation().angle_to(&rotation) < 1e-7);
        for off_rad in [0.0, 1e-9, 3e-4, 0.01] {
            let nearly_half_a_turn =
                UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI - off_rad)
                    * UnitQuaternion::from_euler_angles(0.0, 0.0, 1e-4);
            let map = Affine::from_rotation(nearly_half_a_turn);
            assert!(map.nearest_rotation().angle_to(&nearly_half_a_turn) < 1e-7, "{off_rad} rad off");
        }
        assert!((map.volume_scale() - 7.0).abs() < 1e-12);
    }
}
