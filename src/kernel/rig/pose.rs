//! A pose: the local transform of every joint.

use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use super::Skeleton;
use crate::kernel::math::Transform;
use crate::kernel::math::spherical::mean_rotation;

/// Local transform of every joint, parent from joint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Pose {
    /// One per joint of the skeleton that it poses.
    pub local: Vec<Transform>,
}

impl Pose {
    /// The skeleton's rest pose.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self { local: skeleton.joints().iter().map(|joint| joint.rest_local.into()).collect() }
    }

    /// Turns joint `j` by `rotation` from its rest, in the joint's own rest frame: L = L_rest · R.
    pub fn rotate_from_rest(&mut self, skeleton: &Skeleton, j: usize, rotation: UnitQuaternion<f64>) {
        self.local[j].rotation = skeleton.joints()[j].rest_local.rotation * rotation;
    }

    /// Turns joint `j` by `turn` from its rest, about axes of the world as they lie with all above at rest.
    pub fn turn_from_rest_in_world(&mut self, skeleton: &Skeleton, j: usize, turn: UnitQuaternion<f64>) {
        // World from joint stays W with all above at rest, so Q W = W R gives R.
        let world = skeleton.world_from_joint(j).rotation;
        self.rotate_from_rest(skeleton, j, world.inverse() * turn * world);
    }

    /// The rotation that [`Self::rotate_from_rest`] would need to give this pose at joint `j`.
    pub fn rotation_from_rest(&self, skeleton: &Skeleton, j: usize) -> UnitQuaternion<f64> {
        skeleton.joints()[j].rest_local.rotation.inverse() * self.local[j].rotation
    }

    /// Moves joint `j` by `offset` from its rest, in the parent's frame.
    pub fn translate_from_rest(&mut self, skeleton: &Skeleton, j: usize, offset: Vector3<f64>) {
        self.local[j].translation = skeleton.joints()[j].rest_local.translation.vector + offset;
    }

    /// Puts these joints back to rest; those that are not there are passed over.
    pub fn reset_joints(&mut self, skeleton: &Skeleton, joints: &[usize]) {
        for &j in joints {
            if let (Some(local), Some(joint)) = (self.local.get_mut(j), skeleton.joints().get(j)) {
                *local = joint.rest_local.into();
            }
        }
    }

    /// The weighted mean of poses of one skeleton; weights need not sum to one. `None` where there is
    /// none of positive weight. Rotations are averaged as quaternions on one half of the sphere, which
    /// for two poses is the blend at the same share, nearly.
    pub fn mix(poses: &[(f64, &Self)]) -> Option<Self> {
        let used: Vec<(f64, &Self)> =
            poses.iter().copied().filter(|(w, _)| *w > 0.0 && w.is_finite()).collect();
        let (_, first) = used.first()?;
        let total: f64 = used.iter().map(|(w, _)| w).sum();
        let joints = used.iter().map(|(_, pose)| pose.local.len()).min()?;
        let mixed = (0..joints).map(|j| {
            let locals = || used.iter().map(|(weight, pose)| (weight / total, &pose.local[j]));
            Transform {
                translation: locals().map(|(share, local)| local.translation * share).sum(),
                rotation: mean_rotation(locals().map(|(share, local)| (share, local.rotation)))
                    .unwrap_or(first.local[j].rotation),
                scale: locals().map(|(share, local)| local.scale * share).sum(),
            }
        });
        Some(Self { local: mixed.collect() })
    }

    /// Joint by joint, from this pose (`t` = 0) to the other (`t` = 1).
    pub fn blend(&self, other: &Self, t: f64) -> Self {
        Self { local: self.local.iter().zip(&other.local).map(|(a, b)| a.blend(b, t)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rig::test_bodies::Body;

    #[test]
    fn mixing_two_poses_is_blending_them_and_signs_play_no_part() {
        let skeleton = Body { random_frames: true, ..Body::default() }.named();
        let (a, mut b) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
        b.rotate_from_rest(&skeleton, 3, UnitQuaternion::from_euler_angles(0.8, 0.1, -0.3));
        b.translate_from_rest(&skeleton, 0, Vector3::new(0.0, 1.0, 0.0));
        let mut flipped = b.clone();
        flipped.local[3].rotation = UnitQuaternion::new_unchecked(-b.local[3].rotation.into_inner());
        let half = a.blend(&b, 0.5);
        for other in [&b, &flipped] {
            let mixed = Pose::mix(&[(2.0, &a), (2.0, other), (0.0, &b), (f64::NAN, &b)]).expect("two");
            for (x, y) in mixed.local.iter().zip(&half.local) {
                assert!(x.rotation.angle_to(&y.rotation) < 1e-6);
                assert!((x.translation - y.translation).norm() < 1e-12 && (x.scale - y.scale).norm() < 1e-12);
            }
        }
        assert_eq!(Pose::mix(&[]), None);
    }

    #[test]
    fn joints_are_reset_alone() {
        let skeleton = Body::default().named();
        let mut pose = Pose::rest(&skeleton);
        for j in 0..skeleton.len() {
            pose.rotate_from_rest(&skeleton, j, UnitQuaternion::from_euler_angles(0.5, 0.0, 0.0));
        }
        pose.reset_joints(&skeleton, &[2, 5, 999]);
        let rest = Pose::rest(&skeleton);
        for j in 0..skeleton.len() {
            assert_eq!(pose.local[j] == rest.local[j], j == 2 || j == 5);
        }
    }
}
