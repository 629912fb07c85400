//! A pose: the local transform of every joint.

use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use super::Skeleton;
use crate::kernel::math::Transform;

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

    /// The rotation that [`Self::rotate_from_rest`] would need to give this pose at joint `j`.
    pub fn rotation_from_rest(&self, skeleton: &Skeleton, j: usize) -> UnitQuaternion<f64> {
        skeleton.joints()[j].rest_local.rotation.inverse() * self.local[j].rotation
    }

    /// Moves joint `j` by `offset` from its rest, in the parent's frame.
    pub fn translate_from_rest(&mut self, skeleton: &Skeleton, j: usize, offset: Vector3<f64>) {
        self.local[j].translation = skeleton.joints()[j].rest_local.translation.vector + offset;
    }

    /// Joint by joint, from this pose (`t` = 0) to the other (`t` = 1).
    pub fn blend(&self, other: &Self, t: f64) -> Self {
        Self { local: self.local.iter().zip(&other.local).map(|(a, b)| a.blend(b, t)).collect() }
    }
}
