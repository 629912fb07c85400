//! What the tool knows of a skeleton: handles to drag, and which joint lies opposite of which.

use std::sync::Arc;

use crate::kernel::rig::{Humanoid, JointMirror, Role, Skeleton};

/// What was found out about a skeleton; kept until another one is open.
#[derive(Debug, Clone)]
pub struct Rigged {
    skeleton: Arc<Skeleton>,
    /// The joints opposite of each other.
    pub mirror: JointMirror,
    /// Joints that can be dragged: hands, feet, head and hips, or every leaf of what is no biped.
    pub handles: Vec<usize>,
    feet: Vec<usize>,
}

impl Rigged {
    /// Looks a skeleton over.
    pub fn new(skeleton: &Arc<Skeleton>) -> Self {
        let humanoid = Humanoid::detect(skeleton);
        let handles = humanoid.as_ref().map_or_else(|| leaves(skeleton), of_biped);
        let feet = [Role::LeftFoot, Role::RightFoot];
        let feet = feet.into_iter().filter_map(|role| humanoid.as_ref()?.get(role)).collect();
        Self { skeleton: Arc::clone(skeleton), mirror: JointMirror::of(skeleton), handles, feet }
    }

    /// Whether it is about this very skeleton.
    pub fn is_of(&self, skeleton: &Arc<Skeleton>) -> bool {
        Arc::ptr_eq(&self.skeleton, skeleton)
    }

    /// Whether a joint keeps its rotation while it is dragged: a foot stays flat.
    pub fn stays_flat(&self, j: usize) -> bool {
        self.feet.contains(&j)
    }
}

fn of_biped(humanoid: &Humanoid) -> Vec<usize> {
    let or = |role: Role, instead: Role| humanoid.get(role).or_else(|| humanoid.get(instead));
    [
        or(Role::LeftHand, Role::LeftLowerArm),
        or(Role::RightHand, Role::RightLowerArm),
        or(Role::LeftFoot, Role::LeftLowerLeg),
        or(Role::RightFoot, Role::RightLowerLeg),
        or(Role::Head, Role::Neck),
        humanoid.get(Role::Hips),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn leaves(skeleton: &Skeleton) -> Vec<usize> {
    (0..skeleton.len()).filter(|&j| skeleton.children(j).is_empty()).collect()
}
