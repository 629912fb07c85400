//! Rules about how the things of a document use each other: buffer views, skins and the tree, matrices.

use std::collections::HashMap;

use super::fault::{Checked, Warnings, broken};
use super::scene::Scene;
use super::schema::Root;

/// Skins beyond this many are not compared with the tree one by one.
const MOST_SKINS: usize = 1000;

/// Warns of uses that glTF forbids but that leave the meaning plain.
pub(super) fn check(root: &Root, scene: &Scene, warnings: &mut Warnings) -> Checked<()> {
    views(root, warnings);
    skins(root, scene, warnings);
    matrices(root, warnings)?;
    for (what, names) in [("used", &root.extensions_used), ("required", &root.extensions_required)] {
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            warnings.add(format!("The list of {what} extensions names one twice."));
        }
    }
    Ok(())
}

/// A view holds vertices or indices or something else, not several of these.
fn views(root: &Root, warnings: &mut Warnings) {
    let mut uses: HashMap<usize, &'static str> = HashMap::new();
    let mut note = |view: Option<usize>, kind: &'static str| {
        let Some(view) = view else { return };
        if *uses.entry(view).or_insert(kind) != kind {
            warnings.add(format!("Buffer view {view} is used for things of different kinds."));
        }
    };
    let view_of = |accessor: usize| root.accessors[accessor].buffer_view;
    for primitive in root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let targets = primitive.targets.iter().flat_map(|target| target.values());
        primitive.attributes.values().chain(targets).for_each(|&index| note(view_of(index), "vertices"));
        primitive.indices.iter().for_each(|&index| note(view_of(index), "indices"));
    }
    for skin in &root.skins {
        skin.inverse_bind_matrices.iter().for_each(|&index| note(view_of(index), "matrices"));
    }
    for sampler in root.animations.iter().flat_map(|animation| &animation.samplers) {
        [sampler.input, sampler.output].iter().for_each(|&index| note(view_of(index), "keys"));
    }
    root.images.iter().for_each(|image| note(image.buffer_view, "a picture"));
}

fn skins(root: &Root, scene: &Scene, warnings: &mut Warnings) {
    let mut top = vec![0; root.nodes.len()];
    for &node in &scene.order {
        top[node] = scene.parent[node].map_or(node, |parent| top[parent]);
    }
    for (s, skin) in root.skins.iter().enumerate().take(MOST_SKINS) {
        if skin.joints.iter().any(|&node| top[node] != top[skin.joints[0]]) {
            warnings.add(format!("The joints of skin {s} have no root in common."));
        }
        let Some(skeleton) = skin.skeleton else { continue };
        let mut below = vec![false; root.nodes.len()];
        for &node in &scene.order {
            below[node] = node == skeleton || scene.parent[node].is_some_and(|parent| below[parent]);
        }
        if !skin.joints.iter().all(|&node| below[node]) {
            warnings.add(format!("The skeleton that skin {s} names is not above all of its joints."));
        }
    }
}

/// A node's matrix must be made of translation, rotation and scale.
fn matrices(root: &Root, warnings: &mut Warnings) -> Checked<()> {
    for (i, node) in root.nodes.iter().enumerate() {
        let Some(m) = &node.matrix else { continue };
        if m[3].abs() + m[7].abs() + m[11].abs() + (m[15] - 1.0).abs() > 1e-4 {
            return broken(format!("the matrix of node {i} is not affine"));
        }
        let axis = |c: usize| nalgebra::Vector3::new(m[4 * c], m[4 * c + 1], m[4 * c + 2]);
        let skew = |a: usize, b: usize| axis(a).dot(&axis(b)).abs() > 1e-3 * axis(a).norm() * axis(b).norm();
        if skew(0, 1) || skew(1, 2) || skew(0, 2) {
            warnings.add(format!("The matrix of node {i} shears, which glTF does not allow."));
        }
    }
    Ok(())
}
