//! The meshes of an FBX scene in one, at rest, with a row of influences per control point.

use std::collections::HashMap;
use std::path::Path;

use nalgebra::{Point3, Vector3};
use ufbx::{Node, Scene};

use super::joints::{Joints, id};
use super::materials::Materials;
use super::{affine, usable};
use crate::io::corners::{Corners, NONE, Table};
use crate::io::polygon;
use crate::kernel::geom::{MeshData, Part};
use crate::kernel::math::Affine;

/// Influences of one control point: joint and weight.
pub type Row = Vec<(usize, f64)>;

/// One mesh as it hangs on one node.
struct Instance<'a> {
    node: &'a Node,
    mesh: &'a ufbx::Mesh,
    /// From geometry to world at rest.
    rest: Affine,
    first_vertex: usize,
}

/// All meshes, and the influences of every control point.
pub fn collect(
    path: &Path,
    scene: &Scene,
    joints: &Joints,
    warnings: &mut Vec<String>,
) -> (MeshData, Vec<Row>) {
    let mut positions: Vec<Point3<f32>> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    let mut instances = Vec::new();
    let mut open: Vec<&Node> = vec![&scene.root_node];
    while let Some(node) = open.pop() {
        open.extend(node.children.iter().rev().map(|child| &**child));
        let Some(mesh) = node.mesh.as_deref().filter(|mesh| mesh.num_triangles > 0) else { continue };
        let rest = rest_map(scene, node, mesh, joints);
        instances.push(Instance { node, mesh, rest, first_vertex: positions.len() });
        let start = rows.len();
        rows.extend((0..mesh.vertices.len()).map(|v| row(node, mesh, joints, v)));
        let bound_elsewhere = rest_positions(mesh, joints, &rest, &rows[start..], &mut positions);
        if bound_elsewhere {
            let name = &node.element.name;
            warnings
                .push(format!("“{name}” was bound in another pose and is brought into that of the others."));
        }
        if mesh.skin_deformers.len() > 1 {
            warnings.push(format!("Only the first of several skins of “{}” is read.", node.element.name));
        }
        if mesh.skin_deformers.first().is_some_and(|skin| is_dual_quaternion(skin.skinning_method)) {
            warnings.push(format!("The file asks for dual quaternion skinning of “{}”.", node.element.name));
        }
        if !mesh.blend_deformers.is_empty() {
            warnings.push(format!("The shape keys of “{}” are left out.", node.element.name));
        }
    }
    let mut materials = Materials::new(path);
    let mut corners = Corners::new(positions.len());
    let mut tables = Tables::default();
    let mut triangles = Vec::new();
    let mut parts = Vec::new();
    for instance in &instances {
        let end = instance.first_vertex + instance.mesh.vertices.len();
        for (material, group) in faces(instance, &mut corners, &mut tables, &positions) {
            let start = triangles.len();
            triangles.extend(group);
            parts.push(Part {
                name: instance.node.element.name.to_string(),
                material: material.and_then(|m| materials.index(m, warnings)),
                vertices: instance.first_vertex..end,
                triangles: start..triangles.len(),
            });
        }
    }
    let data = MeshData {
        positions: corners.spread(&positions),
        normals: corners.normals(&tables.normals, Vector3::zeros()),
        uvs: corners.uvs(&tables.uvs, [0.0; 2]),
        triangles,
        copy_of: corners.copy_of().to_vec(),
        parts,
        materials: materials.list,
        ..MeshData::default()
    };
    (data, rows)
}

fn is_dual_quaternion(method: ufbx::SkinningMethod) -> bool {
    matches!(method, ufbx::SkinningMethod::DualQuaternion | ufbx::SkinningMethod::BlendedDqLinear)
}

/// From geometry to world at rest: B_j G_j of the skin's first cluster; for a mesh that hangs on a
/// joint, carried to where that joint rests; else as the scene stands.
fn rest_map(scene: &Scene, node: &Node, mesh: &ufbx::Mesh, joints: &Joints) -> Affine {
    let skinned = mesh.skin_deformers.first().and_then(|skin| {
        skin.clusters.iter().find_map(|cluster| {
            let j = *joints.of_node.get(&id(cluster.bone_node.as_ref()?))?;
            usable(joints.bind[j] * affine(&cluster.geometry_to_bone))
        })
    });
    let stands = affine(&node.geometry_to_world);
    let carried = || {
        let j = joints.above(node)?;
        let world_from_joint = affine(&scene.nodes[joints.nodes[j]].node_to_world);
        usable(joints.bind[j] * world_from_joint.inverse()? * stands)
    };
    skinned.or_else(carried).unwrap_or(if stands.is_finite() { stands } else { Affine::identity() })
}

/// Adds where the control points rest; answers whether the clusters disagree about the bind pose.
///
/// Every B_j G_j of a skin should be the same map. Where meshes were bound to the skeleton in
/// different poses it is not, and the rest skin is their blend, Σ w_j B_j G_j x.
fn rest_positions(
    mesh: &ufbx::Mesh,
    joints: &Joints,
    rest: &Affine,
    rows: &[Row],
    positions: &mut Vec<Point3<f32>>,
) -> bool {
    let mut map_of: HashMap<usize, Affine> = HashMap::new();
    for cluster in mesh.skin_deformers.first().into_iter().flat_map(|skin| &skin.clusters) {
        let joint = cluster.bone_node.as_ref().and_then(|node| joints.of_node.get(&id(node)));
        let map = joint.and_then(|&j| Some((j, usable(joints.bind[j] * affine(&cluster.geometry_to_bone))?)));
        if let Some((j, map)) = map {
            map_of.entry(j).or_insert(map);
        }
    }
    let points = || mesh.vertices.iter().map(|p| Point3::new(p.x, p.y, p.z));
    let reach = points().map(|p| rest.transform_point(&p).coords.norm()).fold(0.0, f64::max);
    let mut disagree = false;
    positions.extend(points().zip(rows).map(|(p, row)| {
        let plain = rest.transform_point(&p);
        let mut moved = Vector3::zeros();
        let mut total = 0.0;
        for (j, weight) in row.iter().filter(|(_, weight)| weight.is_finite() && *weight > 0.0) {
            let place = map_of.get(j).map_or(plain, |map| map.transform_point(&p));
            moved += place.coords * *weight;
            total += weight;
        }
        let blended = Point3::from(moved / total);
        let differs = (blended - plain).norm() > 1e-4 * reach;
        disagree |= differs;
        // Equal but for rounding: one map for all keeps the surface as smooth as it was.
        if differs { blended.cast::<f32>() } else { plain.cast::<f32>() }
    }));
    disagree
}

fn row(node: &Node, mesh: &ufbx::Mesh, joints: &Joints, v: usize) -> Row {
    let Some(skin) = mesh.skin_deformers.first() else {
        return joints.above(node).map(|j| (j, 1.0)).into_iter().collect();
    };
    let Some(vertex) = skin.vertices.get(v) else { return Row::new() };
    let range = vertex.weight_begin as usize..(vertex.weight_begin + vertex.num_weights) as usize;
    let influence = |weight: &ufbx::SkinWeight| {
        let cluster = skin.clusters.get(weight.cluster_index as usize)?;
        let j = *joints.of_node.get(&id(cluster.bone_node.as_ref()?))?;
        Some((j, weight.weight))
    };
    skin.weights.get(range).unwrap_or_default().iter().filter_map(influence).collect()
}

/// Texture coordinates and normals of all meshes, equal ones found again.
#[derive(Default)]
struct Tables {
    uvs: Vec<[f32; 2]>,
    uv_table: Table<[u32; 2]>,
    normals: Vec<Vector3<f32>>,
    normal_table: Table<[u32; 3]>,
}

impl Tables {
    fn uv(&mut self, uv: [f32; 2]) -> u32 {
        let uv = if uv.iter().all(|x| x.is_finite()) { uv } else { [0.0; 2] };
        self.uvs.push(uv);
        self.uv_table.push(uv.map(f32::to_bits));
        self.uv_table.canonical(self.uvs.len() - 1).unwrap_or(NONE)
    }

    fn normal(&mut self, normal: Vector3<f32>) -> u32 {
        self.normals.push(normal);
        self.normal_table.push([normal.x, normal.y, normal.z].map(f32::to_bits));
        self.normal_table.canonical(self.normals.len() - 1).unwrap_or(NONE)
    }
}

type Group<'a> = (Option<&'a ufbx::Material>, Vec<[u32; 3]>);

/// The triangles of one mesh by material, in order of first use.
fn faces<'a>(
    instance: &Instance<'a>,
    corners: &mut Corners,
    tables: &mut Tables,
    positions: &[Point3<f32>],
) -> Vec<Group<'a>> {
    let mesh = instance.mesh;
    let normal_map = instance.rest.linear.try_inverse().map(|inverse| inverse.transpose());
    let mirrored = instance.rest.linear.determinant() < 0.0;
    // One entry per distinct value of the file, not per corner.
    let uvs: Vec<u32> =
        mesh.vertex_uv.values.iter().map(|uv| tables.uv([uv.x as f32, 1.0 - uv.y as f32])).collect();
    let normals: Vec<u32> = mesh
        .vertex_normal
        .values
        .iter()
        .map(|n| {
            let n = normal_map.map_or_else(Vector3::zeros, |m| m * Vector3::new(n.x, n.y, n.z));
            tables.normal(n.try_normalize(0.0).unwrap_or_else(Vector3::zeros).cast())
        })
        .collect();
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: HashMap<u32, usize> = HashMap::new();
    let mut ring = Vec::new();
    let mut points = Vec::new();
    for (f, face) in mesh.faces.iter().enumerate() {
        ring.clear();
        points.clear();
        for k in face.index_begin as usize..(face.index_begin + face.num_indices) as usize {
            let Some(&v) = mesh.vertex_indices.get(k).filter(|&&v| (v as usize) < mesh.vertices.len()) else {
                continue;
            };
            let entry = |indices: &[u32], table: &[u32]| {
                indices.get(k).and_then(|&at| table.get(at as usize)).copied().unwrap_or(NONE)
            };
            let vertex = instance.first_vertex + v as usize;
            let uv = entry(&mesh.vertex_uv.indices, &uvs);
            let normal = entry(&mesh.vertex_normal.indices, &normals);
            points.push(positions[vertex].cast::<f64>());
            ring.push(corners.vertex(vertex as u32, uv, normal));
        }
        let slot = mesh.face_material.get(f).copied().unwrap_or(0);
        let group = *group_of.entry(slot).or_insert_with(|| {
            // A node may dress the same mesh in its own materials.
            let of_node = instance.node.materials.get(slot as usize);
            groups.push((of_node.or_else(|| mesh.materials.get(slot as usize)).map(|m| &**m), Vec::new()));
            groups.len() - 1
        });
        groups[group].1.extend(polygon::triangulate(&points).into_iter().map(|[a, b, c]| {
            if mirrored { [ring[a], ring[c], ring[b]] } else { [ring[a], ring[b], ring[c]] }
        }));
    }
    groups.retain(|(_, triangles)| !triangles.is_empty());
    groups
}
