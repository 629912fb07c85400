//! Unit dual quaternions as rigid motions (Kavan et al. 2007, "Skinning with dual quaternions").
//!
//! A motion x ↦ R x + t is q = r + ε d with r the rotation and d = ½ t r. The quaternions here
//! are plain f32 arrays `[x, y, z, w]`: the blend sums thousands of them a frame.

use nalgebra::{Isometry3, Quaternion};

/// `real` + ε `dual`, each `[x, y, z, w]`.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct DualQuaternion {
    /// The rotation r.
    pub real: [f32; 4],
    /// d = ½ t r, which carries the translation t.
    pub dual: [f32; 4],
}

impl From<Isometry3<f64>> for DualQuaternion {
    fn from(motion: Isometry3<f64>) -> Self {
        let r = motion.rotation.into_inner();
        let t = Quaternion::from_imag(motion.translation.vector);
        let d = t * r * 0.5;
        let narrow = |q: &Quaternion<f64>| [q.i as f32, q.j as f32, q.k as f32, q.w as f32];
        Self { real: narrow(&r), dual: narrow(&d) }
    }
}
