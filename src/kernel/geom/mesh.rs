//! A triangle mesh in the order of the file it came from.
//!
//! Three orders live side by side:
//! - *file vertices*: what the file listed and what is written back, the first
//!   [`MeshData::file_vertex_count`] of the mesh's vertices;
//! - *vertices* `i`: the file's, followed by the copies that a drawing needs where one file
//!   vertex carries several normals or texture coordinates (OBJ); skins are deformed in this order;
//! - *points*: vertices of equal position welded, for the solvers ([`Surface`]).

use std::ops::Deref;

use nalgebra::{Point3, Vector3};

use super::bounds;
use super::{Material, Surface, normals};

/// The arrays of a mesh, before they are checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    /// Rest position of each vertex, in metres, Y up.
    pub positions: Vec<Point3<f32>>,
    /// Unit normal of each vertex; empty asks [`Mesh::new`] to compute smooth ones.
    pub normals: Vec<Vector3<f32>>,
    /// Texture coordinates of each vertex, origin at the upper left as in glTF; empty when there are none.
    pub uvs: Vec<[f32; 2]>,
    /// Linear RGBA of each vertex; empty when there are none.
    pub colors: Vec<[f32; 4]>,
    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The file vertex that each drawing copy repeats: `copy_of[k]` belongs to vertex
    /// `file_vertex_count() + k`.
    pub copy_of: Vec<u32>,
    /// Runs of vertices and triangles that share a name and a material, in order and without gaps.
    /// Empty asks for one part with the default material.
    pub parts: Vec<Part>,
    /// What the parts' `material` points into.
    pub materials: Vec<Material>,
}

impl MeshData {
    /// How many of the vertices are the file's own; the rest are copies for drawing.
    pub fn file_vertex_count(&self) -> usize {
        self.positions.len() - self.copy_of.len()
    }

    /// The file vertex behind vertex `i`.
    pub fn file_vertex(&self, i: usize) -> usize {
        let own = self.file_vertex_count();
        if i < own { i } else { self.copy_of[i - own] as usize }
    }
}

/// A run of vertices and triangles with one name and one material: a glTF primitive, an OBJ group.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The name of the node or group it came from.
    pub name: String,
    /// Index into [`MeshData::materials`].
    pub material: Option<usize>,
    /// First vertex and one past the last. Copies for drawing lie outside of every part.
    pub vertices: std::ops::Range<usize>,
    /// First triangle and one past the last.
    pub triangles: std::ops::Range<usize>,
}

/// Why arrays do not make a mesh.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// A coordinate is NaN or infinite.
    #[error("the position of vertex {vertex} is not a number")]
    NotFinite {
        /// The first such vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has only {count}")]
    IndexOutOfRange {
        /// The first such triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A per-vertex array has another length than the positions.
    #[error("there are {found} {what} for {expected} vertices")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The number of vertices.
        expected: usize,
    },
    /// More vertices than a 32-bit index can name.
    #[error("the mesh has more than four billion vertices")]
    TooLarge,
}

/// A checked mesh: finite positions, indices in range, unit normals, and its welded [`Surface`].
/// It does not change: edits build another.
#[derive(Debug, Clone)]
pub struct Mesh {
    data: MeshData,
    surface: Surface,
    bounds: [Point3<f32>; 2],
}

impl Mesh {
    /// Checks the arrays, welds the surface, and fills in what is missing: normals and parts.
    pub fn new(mut data: MeshData) -> Result<Self, MeshError> {
        check(&data)?;
        let surface = Surface::weld(&data.positions, &data.triangles);
        normals::complete(&mut data.normals, &surface);
        if data.parts.is_empty() {
            data.parts.push(Part {
                name: String::new(),
                material: None,
                vertices: 0..data.file_vertex_count(),
                triangles: 0..data.triangles.len(),
            });
        }
        let bounds = bounds(data.positions.iter().copied()).unwrap_or([Point3::origin(); 2]);
        Ok(Self { data, surface, bounds })
    }

    /// A mesh without a vertex, as a motion file has.
    pub fn empty() -> Self {
        Self { data: MeshData::default(), surface: Surface::default(), bounds: [Point3::origin(); 2] }
    }

    /// The mesh with equal positions welded, for the solvers.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Number of vertices, copies for drawing included.
    pub fn vertex_count(&self) -> usize {
        self.data.positions.len()
    }

    /// Lower and upper corner of the bounding box; both at the origin for an empty mesh.
    pub fn bounds(&self) -> [Point3<f32>; 2] {
        self.bounds
    }

    /// Length of the bounding box's diagonal, in metres.
    pub fn diagonal(&self) -> f32 {
        let [low, high] = self.bounds();
        (high - low).norm()
    }

    /// The arrays, to build another mesh from.
    pub fn into_data(self) -> MeshData {
        self.data
    }
}

impl Deref for Mesh {
    type Target = MeshData;
    fn deref(&self) -> &MeshData {
        &self.data
    }
}

fn check(data: &MeshData) -> Result<(), MeshError> {
    let count = data.positions.len();
    if u32::try_from(count).is_err() {
        return Err(MeshError::TooLarge);
    }
    let lengths = [
        ("normals", data.normals.len()),
        ("texture coordinates", data.uvs.len()),
        ("colours", data.colors.len()),
    ];
    for (what, found) in lengths {
        if found != 0 && found != count {
            return Err(MeshError::Length { what, found, expected: count });
        }
    }
    if let Some(vertex) = data.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(MeshError::NotFinite { vertex });
    }
    for (triangle, corners) in data.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(MeshError::IndexOutOfRange { triangle, vertex, count });
        }
    }
    let own = count.saturating_sub(data.copy_of.len());
    if data.copy_of.len() > count || data.copy_of.iter().any(|&v| v as usize >= own) {
        return Err(MeshError::Length { what: "drawing copies", found: data.copy_of.len(), expected: count });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> MeshData {
        MeshData {
            positions: vec![Point3::origin(), Point3::new(1.0, 0.0, 0.0), Point3::new(0.0, 1.0, 0.0)],
            triangles: vec![[0, 1, 2]],
            ..MeshData::default()
        }
    }

    #[test]
    fn missing_normals_face_outwards() {
        let mesh = Mesh::new(triangle()).expect("valid");
        assert!(mesh.normals.iter().all(|n| (n - Vector3::z()).norm() < 1e-6));
    }

    #[test]
    fn nan_and_wild_indices_are_refused() {
        let mut bad = triangle();
        bad.positions[1].y = f32::NAN;
        assert_eq!(Mesh::new(bad).expect_err("NaN"), MeshError::NotFinite { vertex: 1 });
        let mut bad = triangle();
        bad.triangles.push([0, 1, 9]);
        assert!(matches!(
            Mesh::new(bad),
            Err(MeshError::IndexOutOfRange { triangle: 1, vertex: 9, count: 3 })
        ));
    }
}
