//! One character out of the nodes: every shown mesh at rest, in one array, with its weights.

use std::collections::HashSet;

use nalgebra::Point3;

use super::bind::SkinUse;
use super::build::{Builder, Built};
use super::clips;
use super::document::Document;
use super::fault::{Checked, Fault, Warnings, broken};
use super::materials;
use super::primitive::Primitive;
use super::rest;
use super::scene::Scene;
use super::skin::Skin;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{Character, Weights};

/// How far the weights of a vertex may be from one in sum.
const WHOLE: f64 = 1e-3;
/// How far a vertex may be from the rest place that one of its joints sees, over the diagonal.
const SAME_PLACE: f64 = 1e-4;

/// Reads the rest of the document into a character.
pub(super) fn character(
    name: String,
    document: &Document,
    scene: &Scene,
    meshes: &[Vec<Primitive>],
    skins: &[Skin],
    warnings: &mut Warnings,
) -> Checked<Character> {
    check_joints(document, meshes, skins, warnings)?;
    let animated = clips::animated_nodes(&document.root);
    let nodes = &document.root.nodes;
    let rigid: Vec<usize> = scene
        .shown_nodes()
        .iter()
        .copied()
        .filter(|&n| nodes[n].mesh.is_some() && nodes[n].skin.is_none())
        .collect();
    let uses = skin_uses(document, scene, meshes);
    let rest = rest::settle(&document.root, scene, skins, &uses, &animated, &rigid, warnings)?;
    let mut builder = Builder::new(document, &rest, skins);
    for &node in scene.shown_nodes() {
        if let Some(mesh) = nodes[node].mesh {
            for primitive in &meshes[mesh] {
                builder.add(node, primitive)?;
            }
        }
    }
    let Built { mut data, rows, strays, unplaced } = builder.finish();
    data.materials = materials::read_all(document, warnings);
    if data.positions.is_empty() {
        warnings.notice("The file shows no mesh.");
    }
    let mesh = if data.positions.is_empty() {
        Mesh::empty()
    } else {
        Mesh::new(data).map_err(|error| Fault::Broken(error.to_string()))?
    };
    let extent = f64::from(mesh.diagonal());
    let worst = strays.iter().copied().fold(0.0, f64::max);
    if worst > SAME_PLACE * extent {
        let count = strays.iter().filter(|&&d| d > SAME_PLACE * extent).count();
        warnings.notice(format!(
            "Skins that share joints bind them differently: {count} vertices rest up to {:.2} % of the size away from where each joint sees them.",
            100.0 * worst / extent
        ));
    }
    if unplaced > 0 && !rest.skeleton.is_empty() {
        warnings.notice(format!("{unplaced} vertices hang on no joint and will not move."));
    }
    let clips = clips::read_all(document, scene, &rest, if extent > 0.0 { extent } else { 1.0 }, warnings)?;
    let weights = if rest.skeleton.is_empty() { Weights::none(rows.len()) } else { Weights::from_rows(rows) };
    Ok(Character { clips, ..Character::rigged(name, mesh, rest.skeleton, weights) })
}

/// Joint indices and weights of every node with a skin, shown or not.
fn check_joints(
    document: &Document,
    meshes: &[Vec<Primitive>],
    skins: &[Skin],
    warnings: &mut Warnings,
) -> Checked<()> {
    let mut checked: HashSet<(usize, usize)> = HashSet::new();
    for (n, node) in document.root.nodes.iter().enumerate() {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        if !checked.insert((mesh, skin)) {
            continue;
        }
        let joint_count = skins[skin].joints.len();
        let (mut off, mut idle) = (0, 0);
        for primitive in &meshes[mesh] {
            if primitive.influences.is_empty() {
                warnings.add(format!("Node {n} has a skin, but its mesh has no joints and weights."));
            }
            for (joints, weights) in &primitive.influences {
                if let Some(wild) = joints.values.iter().find(|&&j| j >= joint_count as f64) {
                    return broken(format!(
                        "a vertex of node {n} hangs on joint {wild}, but its skin has {joint_count}"
                    ));
                }
                if weights.values.iter().any(|w| !w.is_finite() || *w < 0.0) {
                    warnings
                        .add(format!("Weights of node {n} are negative or not numbers; those are left out."));
                }
            }
            for i in 0..primitive.vertex_count() {
                let sum: f64 = primitive.influences.iter().flat_map(|(_, weights)| weights.row(i)).sum();
                off += usize::from((sum - 1.0).abs() > WHOLE);
                idle += usize::from(same_joint_twice(primitive, i));
            }
        }
        if off > 0 {
            warnings.add(format!(
                "The weights of {off} vertices of node {n} do not add up to one; they were normalised."
            ));
        }
        if idle > 0 {
            warnings.notice(format!(
                "{idle} vertices of node {n} name a joint twice; its weights were added up."
            ));
        }
    }
    Ok(())
}

fn same_joint_twice(primitive: &Primitive, i: usize) -> bool {
    let all: Vec<f64> = influences(primitive, i).filter(|&(_, w)| w > 0.0).map(|(j, _)| j as f64).collect();
    (1..all.len()).any(|k| all[..k].contains(&all[k]))
}

/// Joint of the skin and weight, of all sets of vertex `i`.
pub(super) fn influences(primitive: &Primitive, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
    primitive.influences.iter().flat_map(move |(joints, weights)| {
        joints.row(i).iter().map(|&j| j as usize).zip(weights.row(i).iter().copied())
    })
}

fn skin_uses(document: &Document, scene: &Scene, meshes: &[Vec<Primitive>]) -> Vec<SkinUse> {
    let mut uses = vec![SkinUse { node: None, bounds: None }; document.root.skins.len()];
    for &n in scene.shown_nodes() {
        let node = &document.root.nodes[n];
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        let used = &mut uses[skin];
        used.node.get_or_insert(n);
        for row in meshes[mesh].iter().flat_map(|primitive| primitive.positions.rows()) {
            let p = Point3::new(row[0], row[1], row[2]);
            used.bounds = Some(used.bounds.map_or([p; 2], |[low, high]| [low.inf(&p), high.sup(&p)]));
        }
    }
    uses
}
