//! Which nodes of an FBX scene are joints, and where they rest.

use std::collections::{HashMap, HashSet};

use nalgebra::{Isometry3, Translation3};
use ufbx::{Node, Scene};

use super::{affine, usable};
use crate::kernel::math::Affine;
use crate::kernel::rig::Joint;

/// The joints of a scene, parents before children.
#[derive(Default)]
pub struct Joints {
    pub names: Vec<String>,
    pub parents: Vec<Option<usize>>,
    /// Index into the scene's nodes.
    pub nodes: Vec<usize>,
    /// Joint by index of its node.
    pub of_node: HashMap<usize, usize>,
    /// World from joint at rest, scale and shear included: B_j.
    pub bind: Vec<Affine>,
    /// The rigid part of `bind`.
    pub rest: Vec<Isometry3<f64>>,
}

impl Joints {
    /// The joint that `node` is, or that its nearest ancestor is.
    pub fn above(&self, node: &Node) -> Option<usize> {
        let mut here = Some(node);
        while let Some(node) = here {
            if let Some(&j) = self.of_node.get(&id(node)) {
                return Some(j);
            }
            here = node.parent.as_deref();
        }
        None
    }

    /// The joints for [`crate::kernel::rig::Skeleton::new`].
    pub fn to_skeleton(&self) -> Vec<Joint> {
        let joint = |j: usize| {
            let rest_local =
                self.parents[j].map_or(self.rest[j], |parent| self.rest[parent].inverse() * self.rest[j]);
            Joint { name: self.names[j].clone(), parent: self.parents[j], rest_local, tip: None }
        };
        (0..self.names.len()).map(joint).collect()
    }
}

/// A number for each node.
pub fn id(node: &Node) -> usize {
    node.element.typed_id as usize
}

/// Joints are the nodes that a cluster names or that are bones, in depth-first order. Nodes between
/// and above them are folded into their motion.
pub fn collect(scene: &Scene) -> Joints {
    let mut bind: HashMap<usize, Affine> = HashMap::new();
    let mut chosen: HashSet<usize> = HashSet::new();
    for cluster in &scene.skin_clusters {
        if let Some(node) = &cluster.bone_node {
            chosen.insert(id(node));
            if let Some(map) = usable(affine(&cluster.bind_to_world)) {
                bind.entry(id(node)).or_insert(map);
            }
        }
    }
    chosen.extend(scene.nodes.iter().filter(|node| node.bone.is_some()).map(|node| id(node)));
    let mut joints = Joints::default();
    // A stack instead of recursion: the depth of a file is not ours to trust.
    let mut open: Vec<(&Node, Option<usize>)> = vec![(&scene.root_node, None)];
    while let Some((node, parent)) = open.pop() {
        let mut here = parent;
        if chosen.contains(&id(node)) && !node.is_root {
            here = Some(joints.names.len());
            let world = usable(affine(&node.node_to_world)).unwrap_or_else(Affine::identity);
            let map = bind.get(&id(node)).copied().unwrap_or_else(|| carried(scene, &joints, parent, world));
            joints.names.push(node.element.name.to_string());
            joints.parents.push(parent);
            joints.of_node.insert(id(node), joints.nodes.len());
            joints.nodes.push(id(node));
            joints.bind.push(map);
            joints
                .rest
                .push(Isometry3::from_parts(Translation3::from(map.translation), map.nearest_rotation()));
        }
        open.extend(node.children.iter().rev().map(|child| (&**child, here)));
    }
    joints
}

/// Where a joint without a cluster rests: as the scene stands, relative to its parent's bind.
fn carried(scene: &Scene, joints: &Joints, parent: Option<usize>, world: Affine) -> Affine {
    let to_bind = parent.and_then(|p| {
        let stands = affine(&scene.nodes[joints.nodes[p]].node_to_world);
        stands.inverse().map(|inverse| joints.bind[p] * inverse)
    });
    to_bind.map(|map| map * world).and_then(usable).unwrap_or(world)
}
