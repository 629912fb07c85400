//! A pose, and what skinning needs of it.

use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use super::Skeleton;
use crate::kernel::math::{Affine, Transform};

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

/// A pose worked out in the world: computed once a frame, read by every skinning method.
#[derive(Debug, Clone, Default)]
pub struct Posed {
    /// World from joint, one per joint.
    pub world_from_joint: Vec<Affine>,
    /// Posed from rest, one per joint: where a rest point that hangs on the joint goes.
    pub posed_from_rest: Vec<Affine>,
}

impl Posed {
    /// The rest pose of `skeleton`, worked out.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self::of(skeleton, &Pose::rest(skeleton))
    }

    /// `pose` worked out.
    pub fn of(skeleton: &Skeleton, pose: &Pose) -> Self {
        let mut posed = Self::default();
        posed.update(skeleton, pose);
        posed
    }

    /// Works `pose` out in place; allocates only when the number of joints grows.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.world_from_joint.clear();
        self.posed_from_rest.clear();
        for (j, (joint, local)) in skeleton.joints().iter().zip(&pose.local).enumerate() {
            let local = local.to_affine();
            let world = joint.parent.map_or(local, |parent| self.world_from_joint[parent] * local);
            self.world_from_joint.push(world);
            self.posed_from_rest.push(world * skeleton.world_from_joint(j).inverse().into());
        }
    }

    /// Moves the whole posed skeleton rigidly (or by any affine map).
    pub fn transform_all(&mut self, map: &Affine) {
        for transform in self.world_from_joint.iter_mut().chain(&mut self.posed_from_rest) {
            *transform = *map * *transform;
        }
    }
}
