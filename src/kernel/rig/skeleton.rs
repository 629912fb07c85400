//! The skeleton in its rest pose.
//!
//! Rest transforms are rigid: whatever scale a file puts on its joints is folded into the
//! positions on import, so that lengths are metres everywhere and only a clip that really
//! animates scale carries any.

use std::collections::{HashMap, HashSet};

use nalgebra::{Isometry3, Point3, Unit, Vector3};
use serde::{Deserialize, Serialize};

use crate::kernel::geom::search::segment::nearest;

/// One joint and its place in the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Unique in its skeleton.
    pub name: String,
    /// Index of the parent, which comes before this joint.
    pub parent: Option<usize>,
    /// Rest transform, parent from joint (world from joint for a root).
    pub rest_local: Isometry3<f64>,
    /// Where the bone of a leaf ends, in the joint's frame; `None` lets it be guessed.
    pub tip: Option<Point3<f64>>,
}

/// Why joints do not make a skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkeletonError {
    /// A parent comes after its child, or is not there.
    #[error("joint {joint} names joint {parent} as its parent, which does not come before it")]
    ParentOrder {
        /// The child.
        joint: usize,
        /// What it names.
        parent: usize,
    },
    /// A transform is NaN or infinite.
    #[error("the rest transform of joint “{name}” is not a number")]
    NotFinite {
        /// The joint.
        name: String,
    },
    /// More joints than a 16-bit index can name.
    #[error("the skeleton has {count} joints; at most 65,535 are supported")]
    TooMany {
        /// How many.
        count: usize,
    },
}

/// A segment of the rest skeleton, from a joint to one of its children or to its tip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bone {
    /// The joint that moves it.
    pub joint: usize,
    /// The child joint where it ends; `None` for a leaf's tip.
    pub child: Option<usize>,
    /// Where it begins, at rest.
    pub head: Point3<f64>,
    /// Where it ends, at rest.
    pub tail: Point3<f64>,
}

impl Bone {
    /// Length in metres.
    pub fn length(&self) -> f64 {
        (self.tail - self.head).norm()
    }

    /// The nearest point of the segment, and where it lies: 0 at the head, 1 at the tail.
    pub fn closest(&self, p: &Point3<f64>) -> (Point3<f64>, f64) {
        nearest(p, &self.head, &self.tail)
    }
}

/// A forest of joints, parents before children, with their rest transforms in the world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    children: Vec<Vec<usize>>,
    world_from_joint: Vec<Isometry3<f64>>,
    /// For each joint the unit direction of its main bone in its own axes; zero where it has none.
    bones: Vec<Vector3<f64>>,
}

impl Skeleton {
    /// What it takes of memory, but for names.
    pub fn bytes(&self) -> usize {
        let children: usize = self.children.iter().map(|of| size_of_val(&**of)).sum();
        let of_joints = size_of_val(&*self.joints) + size_of_val(&*self.children) + children;
        of_joints + size_of_val(&*self.world_from_joint) + size_of_val(&*self.bones)
    }

    /// Checks the order, makes names unique by a suffix, and computes the world transforms.
    pub fn new(mut joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.len() > usize::from(u16::MAX) {
            return Err(SkeletonError::TooMany { count: joints.len() });
        }
        make_names_unique(&mut joints);
        let mut children = vec![Vec::new(); joints.len()];
        let mut world_from_joint: Vec<Isometry3<f64>> = Vec::with_capacity(joints.len());
        for (j, joint) in joints.iter().enumerate() {
            let world = match joint.parent {
                Some(parent) if parent >= j => return Err(SkeletonError::ParentOrder { joint: j, parent }),
                Some(parent) => {
                    children[parent].push(j);
                    world_from_joint[parent] * joint.rest_local
                }
                None => joint.rest_local,
            };
            if !world.to_homogeneous().iter().all(|x| x.is_finite()) {
                return Err(SkeletonError::NotFinite { name: joint.name.clone() });
            }
            world_from_joint.push(world);
        }
        let mut made = Self { joints, children, world_from_joint, bones: Vec::new() };
        let bone = |j: usize| {
            let along = made.direction(j).map_or_else(Vector3::zeros, Unit::into_inner);
            made.world_from_joint[j].inverse_transform_vector(&along)
        };
        made.bones = (0..made.len()).map(bone).collect();
        Ok(made)
    }

    /// Builds a skeleton from world transforms instead of local ones: `(name, parent, world_from_joint, tip)`.
    pub fn from_world(
        joints: impl IntoIterator<Item = (String, Option<usize>, Isometry3<f64>, Option<Point3<f64>>)>,
    ) -> Result<Self, SkeletonError> {
        let mut worlds: Vec<Isometry3<f64>> = Vec::new();
        let mut made = Vec::new();
        for (j, (name, parent, world, tip)) in joints.into_iter().enumerate() {
            let rest_local = match parent {
                Some(parent) if parent >= j => return Err(SkeletonError::ParentOrder { joint: j, parent }),
                Some(parent) => worlds[parent].inverse() * world,
                None => world,
            };
            worlds.push(world);
            made.push(Joint { name, parent, rest_local, tip });
        }
        Self::new(made)
    }

    /// All joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there is no joint.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The children of joint `j`, in order.
    pub fn children(&self, j: usize) -> &[usize] {
        &self.children[j]
    }

    /// Rest transform of joint `j` in the world.
    pub fn world_from_joint(&self, j: usize) -> &Isometry3<f64> {
        &self.world_from_joint[j]
    }

    /// Rest position of joint `j`.
    pub fn position(&self, j: usize) -> Point3<f64> {
        self.world_from_joint[j].translation.vector.into()
    }

    /// The joint of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// How many joints are above each joint.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths: Vec<usize> = Vec::with_capacity(self.len());
        for joint in &self.joints {
            depths.push(joint.parent.map_or(0, |parent| depths[parent] + 1));
        }
        depths
    }

    /// `j` and everything below it, parents before children.
    pub fn subtree(&self, j: usize) -> Vec<usize> {
        let mut inside = vec![false; self.len()];
        inside[j] = true;
        for k in j + 1..self.len() {
            inside[k] = self.joints[k].parent.is_some_and(|parent| inside[parent]);
        }
        (j..self.len()).filter(|&k| inside[k]).collect()
    }

    /// The bones at rest: one for each child of a joint, one to the tip of each leaf.
    pub fn bones(&self) -> Vec<Bone> {
        (0..self.len())
            .flat_map(|j| {
                let head = self.position(j);
                let to_children = self.children[j].iter().map(move |&c| Bone {
                    joint: j,
                    child: Some(c),
                    head,
                    tail: self.position(c),
                });
                let to_tip = self.children[j].is_empty().then(|| Bone {
                    joint: j,
                    child: None,
                    head,
                    tail: self.tip(j),
                });
                to_children.chain(to_tip)
            })
            .collect()
    }

    /// The unit direction of joint `j`'s main bone, in the joint's own axes; zero where it has no length.
    pub fn bone(&self, j: usize) -> &Vector3<f64> {
        &self.bones[j]
    }

    /// The direction of joint `j`'s main bone at rest, in the world; `None` where it has no length.
    pub fn direction(&self, j: usize) -> Option<Unit<Vector3<f64>>> {
        Unit::try_new(self.tip(j) - self.position(j), 1e-9)
    }

    /// The end of joint `j`'s main bone at rest: its tip, else its only or most aligned child, else,
    /// for a leaf, half of the parent bone carried on.
    pub fn tip(&self, j: usize) -> Point3<f64> {
        let here = self.position(j);
        if let Some(tip) = self.joints[j].tip {
            return self.world_from_joint[j] * tip;
        }
        let incoming = self.joints[j].parent.map(|parent| here - self.position(parent));
        let straightest = |&a: &usize, &b: &usize| {
            let along = |c: usize| {
                let out = (self.position(c) - here).try_normalize(1e-12).unwrap_or_else(Vector3::zeros);
                incoming.map_or(out.norm(), |d| d.try_normalize(1e-12).map_or(0.0, |d| d.dot(&out)))
            };
            along(a).total_cmp(&along(b)).then(b.cmp(&a))
        };
        match self.children[j].iter().copied().max_by(straightest) {
            Some(child) => self.position(child),
            None => here + incoming.map_or_else(|| Vector3::y() * 0.1, |d| d * 0.5),
        }
    }
}

/// Gives empty names a number and later duplicates a suffix.
fn make_names_unique(joints: &mut [Joint]) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut suffix_of: HashMap<String, usize> = HashMap::new();
    for (j, joint) in joints.iter_mut().enumerate() {
        if joint.name.trim().is_empty() {
            joint.name = format!("joint_{j}");
        }
        let base = joint.name.clone();
        while !taken.insert(joint.name.clone()) {
            let suffix = suffix_of.entry(base.clone()).or_insert(1);
            joint.name = format!("{base}.{suffix:03}");
            *suffix += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>, y: f64) -> Joint {
        Joint { name: name.into(), parent, rest_local: Isometry3::translation(0.0, y, 0.0), tip: None }
    }

    #[test]
    fn world_transforms_follow_the_tree() {
        let skeleton =
            Skeleton::new(vec![joint("a", None, 1.0), joint("b", Some(0), 2.0), joint("c", Some(1), 4.0)])
                .expect("valid");
        assert_eq!(skeleton.position(2).y, 7.0);
        assert_eq!(skeleton.subtree(1), vec![1, 2]);
        assert_eq!(skeleton.tip(2).y, 9.0, "a leaf carries half of its parent bone on");
        assert_eq!(skeleton.bones().len(), 3);
    }

    #[test]
    fn equal_names_are_told_apart_and_loops_refused() {
        let skeleton =
            Skeleton::new(vec![joint("a", None, 0.0), joint("a", Some(0), 1.0), joint("", Some(0), 1.0)])
                .expect("valid");
        let names: Vec<_> = skeleton.joints().iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["a", "a.001", "joint_2"]);
        assert!(matches!(
            Skeleton::new(vec![joint("a", Some(0), 0.0)]),
            Err(SkeletonError::ParentOrder { joint: 0, parent: 0 })
        ));
    }
}
