//! A pose that is being worked on: local transforms together with where they put every joint.
//!
//! Rotations are the products of the local rotations, which is exact as long as scales are uniform.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use crate::kernel::math::Affine;
use crate::kernel::rig::{Pose, Skeleton};

/// The pose and its world transforms, kept in step.
pub(super) struct Stance<'a> {
    pub skeleton: &'a Skeleton,
    pub pose: Pose,
    world: Vec<Affine>,
    rotation: Vec<UnitQuaternion<f64>>,
}

impl<'a> Stance<'a> {
    pub fn new(skeleton: &'a Skeleton, pose: Pose) -> Self {
        let mut stance = Self { skeleton, pose, world: Vec::new(), rotation: Vec::new() };
        stance.world.resize(skeleton.len(), Affine::identity());
        stance.rotation.resize(skeleton.len(), UnitQuaternion::identity());
        stance.refresh(0);
        stance
    }

    /// Where joint `j` is.
    pub fn position(&self, j: usize) -> Point3<f64> {
        self.world[j].translation.into()
    }

    /// How joint `j` is turned.
    pub fn rotation(&self, j: usize) -> UnitQuaternion<f64> {
        self.rotation[j]
    }

    /// Where a point goes that hangs on joint `j` at rest.
    pub fn carried(&self, j: usize, at_rest: &Point3<f64>) -> Point3<f64> {
        self.world[j].transform_point(&self.skeleton.world_from_joint(j).inverse_transform_point(at_rest))
    }

    /// Turns joint `j` and all below it about the joint, by a rotation in the world.
    pub fn turn(&mut self, j: usize, by: &UnitQuaternion<f64>) {
        let above = self.parent_rotation(j);
        let turned = above.inverse() * by * above * self.pose.local[j].rotation;
        self.pose.local[j].rotation = UnitQuaternion::new_normalize(turned.into_inner());
        self.refresh(j);
    }

    /// Moves joint `j` and all below it by an offset in the world.
    pub fn shift(&mut self, j: usize, by: &Vector3<f64>) {
        let parent = self.skeleton.joints()[j].parent;
        let into_parent = parent.and_then(|p| self.world[p].inverse());
        self.pose.local[j].translation += into_parent.map_or(*by, |map| map.transform_vector(by));
        self.refresh(j);
    }

    fn parent_rotation(&self, j: usize) -> UnitQuaternion<f64> {
        self.skeleton.joints()[j].parent.map_or_else(UnitQuaternion::identity, |p| self.rotation[p])
    }

    /// Works out the joints from `first` on; those before it have not moved.
    fn refresh(&mut self, first: usize) {
        for j in first..self.skeleton.len() {
            let local = &self.pose.local[j];
            let (map, rotation) = (local.to_affine(), local.rotation);
            let parent = self.skeleton.joints()[j].parent;
            self.world[j] = parent.map_or(map, |p| self.world[p] * map);
            self.rotation[j] = parent.map_or(rotation, |p| self.rotation[p] * rotation);
        }
    }
}
