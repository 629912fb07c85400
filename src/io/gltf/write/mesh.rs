//! Meshes and primitives: one primitive a part, with the drawing copies that its triangles use.

use std::collections::{BTreeMap, HashMap};

use gltf_json as json;
use json::accessor::{ComponentType, Type};
use json::buffer::Target;
use json::mesh::{Mode, Semantic};
use json::validation::Checked::{self, Valid};

use super::pack::{AccessorIndex, Kind, Packer};
use super::rig::Plan;
use crate::kernel::geom::{Mesh, Part};
use crate::kernel::rig::Weights;

const VERTICES: Option<Target> = Some(Target::ArrayBuffer);

type Attributes = BTreeMap<Checked<Semantic>, AccessorIndex>;

/// Writes all parts and says which nodes show them.
pub(super) fn write(
    mesh: &Mesh,
    weights: &Weights,
    plan: &Plan,
    materials: &[json::Index<json::Material>],
    pack: &mut Packer,
) -> Vec<json::Index<json::Node>> {
    let mut shown = Vec::new();
    let parts: Vec<(&Part, bool)> = mesh.parts.iter().zip(plan.skinned.iter().copied()).collect();
    for group in parts.chunk_by(|(a, a_skinned), (b, b_skinned)| a.name == b.name && a_skinned == b_skinned) {
        let (first, skinned) = group[0];
        let primitives: Vec<json::mesh::Primitive> = group
            .iter()
            .filter(|(part, _)| !part.vertices.is_empty() || !part.triangles.is_empty())
            .map(|(part, _)| primitive(mesh, part, skinned.then_some((weights, plan)), materials, pack))
            .collect();
        if primitives.is_empty() {
            continue;
        }
        let name = Some(first.name.clone()).filter(|name| !name.is_empty());
        let index = pack.root.push(json::Mesh {
            extensions: None,
            extras: Default::default(),
            name: name.clone(),
            primitives,
            weights: None,
        });
        let skin = skinned.then(|| json::Index::new(0));
        shown.push(pack.root.push(json::Node { mesh: Some(index), name, skin, ..Default::default() }));
    }
    shown
}

/// The vertices of a part: its own in order, then whatever else its triangles use.
fn vertices_of(mesh: &Mesh, part: &Part) -> (Vec<usize>, Vec<u32>) {
    let mut vertices: Vec<usize> = part.vertices.clone().collect();
    let mut place: HashMap<u32, u32> = HashMap::new();
    let mut corners = Vec::with_capacity(3 * part.triangles.len());
    for &v in mesh.triangles[part.triangles.clone()].iter().flatten() {
        let own =
            (v as usize).checked_sub(part.vertices.start).filter(|_| part.vertices.contains(&(v as usize)));
        corners.push(own.map_or_else(
            || {
                *place.entry(v).or_insert_with(|| {
                    vertices.push(v as usize);
                    vertices.len() as u32 - 1
                })
            },
            |own| own as u32,
        ));
    }
    (vertices, corners)
}

fn primitive(
    mesh: &Mesh,
    part: &Part,
    skin: Option<(&Weights, &Plan)>,
    materials: &[json::Index<json::Material>],
    pack: &mut Packer,
) -> json::mesh::Primitive {
    let (vertices, corners) = vertices_of(mesh, part);
    let mut attributes = Attributes::new();
    let mut add = |pack: &mut Packer, semantic, numbers: Vec<f32>, shape, bounds| {
        let kind = Kind { shape, component: ComponentType::F32, target: VERTICES, bounds };
        attributes.insert(Valid(semantic), pack.floats(&numbers, kind));
    };
    let positions = vertices.iter().flat_map(|&i| mesh.positions[i].coords.data.0[0]).collect();
    add(pack, Semantic::Positions, positions, Type::Vec3, true);
    let normals = vertices.iter().flat_map(|&i| mesh.normals[i].data.0[0]).collect();
    add(pack, Semantic::Normals, normals, Type::Vec3, false);
    if !mesh.uvs.is_empty() {
        let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
        let uvs = vertices.iter().flat_map(|&i| mesh.uvs[i].map(finite)).collect();
        add(pack, Semantic::TexCoords(0), uvs, Type::Vec2, false);
    }
    if !mesh.colors.is_empty() {
        let share = |x: f32| if x.is_finite() { x.clamp(0.0, 1.0) } else { 1.0 };
        let colors = vertices.iter().flat_map(|&i| mesh.colors[i].map(share)).collect();
        add(pack, Semantic::Colors(0), colors, Type::Vec4, false);
    }
    if let Some((weights, plan)) = skin {
        influences(&vertices, weights, plan, &mut attributes, pack);
    }
    json::mesh::Primitive {
        attributes,
        extensions: None,
        extras: Default::default(),
        indices: (!corners.is_empty()).then(|| indices(&corners, vertices.len(), pack)),
        material: part.material.and_then(|m| materials.get(m).copied()),
        mode: Valid(if corners.is_empty() { Mode::Points } else { Mode::Triangles }),
        targets: None,
    }
}

fn indices(corners: &[u32], count: usize, pack: &mut Packer) -> AccessorIndex {
    // 65,535 itself is not an index in glTF: it restarts strips.
    let short = count <= usize::from(u16::MAX);
    let component = if short { ComponentType::U16 } else { ComponentType::U32 };
    let kind =
        Kind { shape: Type::Scalar, component, target: Some(Target::ElementArrayBuffer), bounds: false };
    if short {
        let short: Vec<u16> = corners.iter().map(|&v| v as u16).collect();
        pack.integers(bytemuck::cast_slice(&short), corners.len(), kind)
    } else {
        pack.integers(bytemuck::cast_slice(corners), corners.len(), kind)
    }
}

/// As many sets of four joints and weights as the part needs.
fn influences(
    vertices: &[usize],
    weights: &Weights,
    plan: &Plan,
    attributes: &mut Attributes,
    pack: &mut Packer,
) {
    let most = vertices.iter().map(|&i| weights.row(i).len()).max().unwrap_or(0);
    let short = plan.joint_count() <= 256;
    for set in 0..most.div_ceil(4).max(1) {
        let mut joints: Vec<u16> = Vec::with_capacity(4 * vertices.len());
        let mut shares: Vec<f32> = Vec::with_capacity(4 * vertices.len());
        for &i in vertices {
            let row = weights.row(i);
            let total: f64 = row.iter().map(|influence| f64::from(influence.weight)).sum();
            for k in 4 * set..4 * set + 4 {
                let (joint, share) = match row.get(k) {
                    Some(influence) => (influence.joint, (f64::from(influence.weight) / total) as f32),
                    None if row.is_empty() && k == 0 => (plan.still_joint(), 1.0),
                    None => (0, 0.0),
                };
                joints.push(joint);
                shares.push(share);
            }
        }
        let component = if short { ComponentType::U8 } else { ComponentType::U16 };
        let kind = Kind { shape: Type::Vec4, component, target: VERTICES, bounds: false };
        let index = if short {
            let bytes: Vec<u8> = joints.iter().map(|&j| j as u8).collect();
            pack.integers(&bytes, vertices.len(), kind)
        } else {
            pack.integers(bytemuck::cast_slice(&joints), vertices.len(), kind)
        };
        attributes.insert(Valid(Semantic::Joints(set as u32)), index);
        let kind = Kind { shape: Type::Vec4, component: ComponentType::F32, target: VERTICES, bounds: false };
        attributes.insert(Valid(Semantic::Weights(set as u32)), pack.floats(&shares, kind));
    }
}
