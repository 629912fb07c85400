//! Which joint of a biped is which: by names where they are known, else by the skeleton's shape.
//!
//! Motions, poses and body parts speak of roles ("left lower arm"), files of names in a dozen
//! dialects; this is the dictionary. It also says where the body's front and left are.

mod find;
pub mod names;
mod role;
#[cfg(test)]
mod tests;
pub(super) mod topology;

use nalgebra::{Unit, Vector3};

pub use role::Role;

use super::Skeleton;

/// The roles of a biped's joints, and the directions of its body at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Humanoid {
    joint_of: [Option<usize>; Role::ALL.len()],
    /// Whether arms or legs were found by shape alone, or names and shape disagree: worth a look.
    pub doubtful: bool,
    /// From the feet to the head, world rest space.
    pub up: Unit<Vector3<f64>>,
    /// Where the toes and the face point, at right angles to `up`.
    pub forward: Unit<Vector3<f64>>,
}

impl Humanoid {
    /// Finds the roles, or `None` where the skeleton is no upright biped. Hips, both upper and lower
    /// arms and both upper and lower legs are always there in what is found.
    pub fn detect(skeleton: &Skeleton) -> Option<Self> {
        find::detect(skeleton)
    }

    /// The joint that plays a role.
    pub fn get(&self, role: Role) -> Option<usize> {
        self.joint_of[role as usize]
    }

    /// The role of a joint.
    pub fn role_of(&self, j: usize) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.get(role) == Some(j))
    }

    /// Every role that is played, with its joint.
    pub fn iter(&self) -> impl Iterator<Item = (Role, usize)> {
        Role::ALL.into_iter().filter_map(|role| Some((role, self.get(role)?)))
    }

    /// The character's left, at right angles to up and forward.
    pub fn left(&self) -> Unit<Vector3<f64>> {
        Unit::new_normalize(self.up.cross(&self.forward))
    }
}
