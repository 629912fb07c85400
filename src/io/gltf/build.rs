//! The arrays of the mesh as primitive after primitive is placed at rest.

use nalgebra::{Matrix3, Point3, Vector3};

use super::assemble::influences;
use super::document::Document;
use super::fault::{Checked, broken};
use super::materials;
use super::primitive::Primitive;
use super::rest::Rest;
use super::skin::Skin;
use crate::kernel::geom::{MeshData, Part};
use crate::kernel::math::Affine;

/// A mesh can be shown by any number of nodes, so the file's size does not bound this.
const MOST_VERTICES: usize = 30_000_000;

/// What the primitives made.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// The mesh, without materials.
    pub data: MeshData,
    /// Joint and weight, one row a vertex.
    pub rows: Vec<Vec<(usize, f64)>>,
    /// For each skinned vertex, how far its joints disagree about its rest place.
    pub strays: Vec<f64>,
    /// Vertices without a joint.
    pub unplaced: usize,
}

/// Places primitives, one after the other.
pub(super) struct Builder<'a> {
    document: &'a Document<'a>,
    rest: &'a Rest,
    skins: &'a [Skin],
    built: Built,
    // Whether some primitive had them; the others are filled up.
    has_normals: bool,
    has_uvs: bool,
    has_colors: bool,
}

impl<'a> Builder<'a> {
    /// Nothing placed yet.
    pub(super) fn new(document: &'a Document<'a>, rest: &'a Rest, skins: &'a [Skin]) -> Self {
        let built = Built::default();
        Self { document, rest, skins, built, has_normals: false, has_uvs: false, has_colors: false }
    }

    /// The arrays; those that no primitive had are empty.
    pub(super) fn finish(self) -> Built {
        let mut built = self.built;
        if !self.has_normals {
            built.data.normals.clear();
        }
        if !self.has_uvs {
            built.data.uvs.clear();
        }
        if !self.has_colors {
            built.data.colors.clear();
        }
        built
    }

    /// Adds a primitive that `node` shows.
    pub(super) fn add(&mut self, node: usize, primitive: &Primitive) -> Checked<()> {
        let first_vertex = self.built.data.positions.len();
        let first_triangle = self.built.data.triangles.len();
        if first_vertex + primitive.vertex_count() > MOST_VERTICES {
            return broken(format!("it shows more than {MOST_VERTICES} vertices"));
        }
        let stored = &self.document.root.nodes[node];
        let mirrored = match stored.skin.filter(|_| !primitive.influences.is_empty()) {
            Some(skin) => self.place_skinned(skin, primitive),
            None => self.place_rigid(node, primitive),
        };
        self.add_look(primitive);
        let data = &mut self.built.data;
        data.triangles.extend(primitive.triangles.iter().map(|&[a, b, c]| {
            let corners = if mirrored { [a, c, b] } else { [a, b, c] };
            corners.map(|v| v + first_vertex as u32)
        }));
        let mesh_name = stored.mesh.and_then(|mesh| self.document.root.meshes[mesh].name.clone());
        data.parts.push(Part {
            name: stored.name.clone().or(mesh_name).unwrap_or_default(),
            material: primitive.material,
            vertices: first_vertex..data.positions.len(),
            triangles: first_triangle..data.triangles.len(),
        });
        Ok(())
    }

    /// Rest place Σ w R_j B_j p; says whether the skin turns inside out on its way.
    fn place_skinned(&mut self, skin: usize, primitive: &Primitive) -> bool {
        let maps = &self.rest.rest_from_mesh[skin];
        let joints: Vec<Option<usize>> =
            self.skins[skin].joints.iter().map(|&node| self.rest.joint_of_node[node]).collect();
        for i in 0..primitive.vertex_count() {
            let p = point(primitive.positions.row(i));
            let usable = |&(_, w): &(usize, f64)| w.is_finite() && w > 0.0;
            let total: f64 = influences(primitive, i).filter(usable).map(|(_, w)| w).sum();
            let mut place = Vector3::zeros();
            let mut linear = Matrix3::zeros();
            for (k, w) in influences(primitive, i).filter(usable) {
                place += maps[k].transform_point(&p).coords * (w / total);
                linear += maps[k].linear * (w / total);
            }
            if total <= 0.0 {
                let map = maps.first().copied().unwrap_or_else(Affine::identity);
                (place, linear) = (map.transform_point(&p).coords, map.linear);
                self.built.unplaced += 1;
            }
            let stray = influences(primitive, i)
                .filter(usable)
                .map(|(k, _)| (maps[k].transform_point(&p).coords - place).norm())
                .fold(0.0, f64::max);
            self.built.strays.push(stray);
            let row = influences(primitive, i).filter(usable).filter_map(|(k, w)| Some((joints[k]?, w)));
            self.built.rows.push(row.collect());
            self.push_vertex(primitive, i, place, &linear);
        }
        maps.first().is_some_and(|map| map.linear.determinant() < 0.0)
    }

    /// Hung on the nearest joint above, or simply where its node is.
    fn place_rigid(&mut self, node: usize, primitive: &Primitive) -> bool {
        let (joint, anchor_from_mesh) = self.rest.anchor[node];
        let map = joint.map_or(anchor_from_mesh, |j| self.rest.rest_from_node[j] * anchor_from_mesh);
        for i in 0..primitive.vertex_count() {
            let place = map.transform_point(&point(primitive.positions.row(i))).coords;
            self.built.rows.push(joint.map(|j| (j, 1.0)).into_iter().collect());
            self.push_vertex(primitive, i, place, &map.linear);
        }
        if joint.is_none() {
            self.built.unplaced += primitive.vertex_count();
        }
        map.linear.determinant() < 0.0
    }

    fn push_vertex(&mut self, primitive: &Primitive, i: usize, place: Vector3<f64>, linear: &Matrix3<f64>) {
        self.built.data.positions.push(Point3::from(place).cast());
        let normal = primitive.normals.as_ref().map_or_else(Vector3::zeros, |normals| {
            let n = normals.row(i);
            // Normals go by the inverse transpose; a flattened map keeps no normal, and zero asks for a smooth one.
            let turned =
                linear.try_inverse().map(|inverse| inverse.transpose() * Vector3::new(n[0], n[1], n[2]));
            turned
                .and_then(|n| n.try_normalize(0.0))
                .filter(|n| n.iter().all(|x| x.is_finite()))
                .unwrap_or_default()
        });
        self.built.data.normals.push(normal.cast());
    }

    /// Texture coordinates and colours, filled up where the primitive has none.
    fn add_look(&mut self, primitive: &Primitive) {
        let material = primitive.material.map(|m| &self.document.root.materials[m]);
        for i in 0..primitive.vertex_count() {
            let uv = primitive.uvs.as_ref().map_or([0.0; 2], |uvs| {
                let uv = [uvs.row(i)[0], uvs.row(i)[1]];
                material.map_or(uv, |material| materials::transform_uv(material, uv))
            });
            self.built.data.uvs.push(uv.map(|x| if x.is_finite() { x as f32 } else { 0.0 }));
            let mut color = [1.0_f32; 4];
            if let Some(colors) = &primitive.colors {
                for (to, &from) in color.iter_mut().zip(colors.row(i)) {
                    *to = if from.is_finite() { from as f32 } else { 1.0 };
                }
            }
            self.built.data.colors.push(color);
        }
        self.has_normals |= primitive.normals.is_some();
        self.has_uvs |= primitive.uvs.is_some();
        self.has_colors |= primitive.colors.is_some();
    }
}

fn point(row: &[f64]) -> Point3<f64> {
    Point3::new(row[0], row[1], row[2])
}
