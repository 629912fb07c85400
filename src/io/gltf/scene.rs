//! The tree of nodes: who is whose parent, in which order they come, and where the file rests them.

use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};

use super::fault::{Checked, Warnings, broken};
use super::schema::{Node, Root};
use crate::kernel::math::{Affine, Transform};

/// The nodes with their stored transforms.
#[derive(Debug)]
pub(super) struct Scene {
    /// The parent of each node.
    pub parent: Vec<Option<usize>>,
    /// All nodes, depth first, parents before children; those of the shown scene come first.
    pub order: Vec<usize>,
    /// How many of `order` the shown scene has.
    pub shown: usize,
    /// Whether the shown scene has the node.
    pub is_shown: Vec<bool>,
    /// Parent from node, as stored.
    pub local: Vec<Affine>,
    /// World from node, as stored.
    pub world: Vec<Affine>,
}

impl Scene {
    /// Orders the nodes: the default scene's, or the first scene's, or all where there is no scene.
    pub(super) fn new(root: &Root, warnings: &mut Warnings) -> Checked<Self> {
        let count = root.nodes.len();
        let mut parent = vec![None; count];
        for (i, node) in root.nodes.iter().enumerate() {
            for &child in &node.children {
                parent[child] = Some(i);
            }
        }
        let roots: Vec<usize> = (0..count).filter(|&i| parent[i].is_none()).collect();
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        let first = match root.scenes.get(root.scene.unwrap_or(0)) {
            Some(scene) => &scene.nodes,
            None => &roots,
        };
        depth_first(root, first, &mut seen, &mut order);
        let (shown, is_shown) = (order.len(), seen.clone());
        depth_first(root, &roots, &mut seen, &mut order);
        if order.len() < count {
            return broken("its nodes are their own ancestors");
        }
        if root.scenes.len() > 1 {
            warnings.notice(format!("The file has {} scenes; one of them is shown.", root.scenes.len()));
        }
        let local: Vec<Affine> = root.nodes.iter().map(local_of).collect();
        let mut world = local.clone();
        for &i in &order {
            if let Some(parent) = parent[i] {
                world[i] = world[parent] * local[i];
            }
            if !world[i].is_finite() {
                return broken(format!("the transform of node {i} is beyond all numbers"));
            }
        }
        Ok(Self { parent, order, shown, is_shown, local, world })
    }

    /// The nodes of the shown scene, depth first.
    pub(super) fn shown_nodes(&self) -> &[usize] {
        &self.order[..self.shown]
    }

    /// The node and its ancestors, from the node up.
    pub(super) fn lineage(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |&i| self.parent[i])
    }
}

/// A stack of its own, because a file can nest nodes deeper than the thread's stack.
fn depth_first(root: &Root, from: &[usize], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut stack: Vec<usize> = from.iter().rev().copied().collect();
    while let Some(i) = stack.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        order.push(i);
        stack.extend(root.nodes[i].children.iter().rev());
    }
}

/// The stored parts of a node without a matrix.
pub(super) fn transform_of(node: &Node) -> Transform {
    let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    Transform {
        translation: Vector3::from(node.translation.unwrap_or([0.0; 3])),
        rotation: UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
        scale: Vector3::from(node.scale.unwrap_or([1.0; 3])),
    }
}

/// Parent from node.
fn local_of(node: &Node) -> Affine {
    match &node.matrix {
        Some(matrix) => Affine::from_matrix4(&Matrix4::from_column_slice(matrix)),
        None => transform_of(node).to_affine(),
    }
}
