//! Normals of a deformed skin from the deformed surface itself, for methods that move points only.
//!
//! Around a vertex, the sum of its triangles' area vectors g and one edge t span a frame, at rest and
//! posed; the rest normal keeps its coordinates in that frame. So the rest pose gives the rest normals
//! back, a rigid motion turns them, and whatever the artist made of them stays relative to the surface.
//!
//! Which triangles are a vertex's: those that meet at its welded point with the same rest normal.
//! Across a seam of texture coordinates the normals agree and the surface is one; across a hard edge
//! they differ and each side follows its own triangles.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::blend::cross;
use crate::kernel::geom::Mesh;

/// Vertices of one task of the thread pool.
const CHUNK: usize = 1024;
/// Rest normals closer than this, about half a degree, are the same.
const SAME: f32 = 0.01;
/// Marks the first vertex of a run of a ring; the other bits are the vertex.
pub const RUN: u32 = 1 << 31;

/// Where a vertex finds its frame, and its rest normal in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Its ring begins here in [`SurfaceNormals::ring`]; an empty one leaves the normal at rest.
    pub start: u32,
    /// And ends here.
    pub end: u32,
    /// The vertex that stands for its point.
    pub centre: u32,
    /// The other end of the edge t.
    pub tangent: u32,
    /// The rest normal along g, along t made orthogonal to g, and across both.
    pub local: [f32; 3],
}

/// What does not depend on the pose.
#[derive(Debug, Clone, Default)]
pub struct SurfaceNormals {
    /// One per vertex.
    vertices: Vec<Carried>,
    /// Neighbours in turn: two that follow each other make a triangle with the centre, except where
    /// [`RUN`] begins anew.
    ring: Vec<u32>,
    rest: Vec<Vector3<f32>>,
}

impl SurfaceNormals {
    /// Finds the ring of every vertex of `mesh`.
    pub fn new(mesh: &Mesh) -> Self {
        let (corners, corner_of_vertex) = corners(mesh);
        let mut made = Self { vertices: Vec::new(), ring: Vec::new(), rest: mesh.normals.clone() };
        let surface = mesh.surface();
        // The edges opposite to each corner, as (corner, from, to) between vertices that stand for points.
        let mut opposite: Vec<[u32; 3]> = Vec::with_capacity(mesh.triangles.len() * 3);
        for triangle in &mesh.triangles {
            let points = triangle.map(|i| surface.point_of_vertex[i as usize]);
            if points[0] == points[1] || points[1] == points[2] || points[2] == points[0] {
                continue;
            }
            let [a, b, c] = points.map(|point| surface.vertex_of_point[point as usize]);
            let at = triangle.map(|i| corner_of_vertex[i as usize]);
            opposite.extend([[at[0], b, c], [at[1], c, a], [at[2], a, b]]);
        }
        opposite.sort_unstable();
        let mut of_corner: Vec<Carried> = Vec::with_capacity(corners.len());
        let mut edges = opposite.as_slice();
        for (corner, &point) in corners.iter().enumerate() {
            let count = edges.partition_point(|edge| edge[0] as usize == corner);
            let start = made.ring.len();
            push_ring(&edges[..count], &mut made.ring);
            edges = &edges[count..];
            let centre = surface.vertex_of_point[point as usize];
            of_corner.push(Carried {
                start: start as u32,
                end: made.ring.len() as u32,
                centre,
                tangent: longest_tangent(&made.ring[start..], centre, &mesh.positions),
                local: [0.0; 3],
            });
        }
        made.vertices = corner_of_vertex.iter().map(|&corner| of_corner[corner as usize]).collect();
        for i in 0..made.vertices.len() {
            let n = mesh.normals[i];
            match made.frame(&made.vertices[i], &mesh.positions) {
                Some(axes) => made.vertices[i].local = axes.map(|axis| n.dot(&Vector3::from(axis))),
                None => made.vertices[i].end = made.vertices[i].start,
            }
        }
        made
    }

    /// One per vertex: where its ring is, and its rest normal there.
    pub fn vertices(&self) -> &[Carried] {
        &self.vertices
    }

    /// The rings of all vertices; those of one corner share theirs.
    pub fn ring(&self) -> &[u32] {
        &self.ring
    }

    /// Writes the normals of a skin whose vertices are at `positions`. Where triangles vanished the
    /// normal stays as at rest.
    pub fn write(&self, positions: &[Point3<f32>], normals: &mut [Vector3<f32>]) {
        assert_eq!(positions.len(), self.vertices.len(), "one position per vertex");
        let chunks = normals.par_chunks_mut(CHUNK).zip(self.vertices.par_chunks(CHUNK)).enumerate();
        chunks.for_each(|(chunk, (normals, vertices))| {
            for (k, (normal, vertex)) in normals.iter_mut().zip(vertices).enumerate() {
                *normal = match self.frame(vertex, positions) {
                    Some([g, t, across]) => {
                        let [a, b, c] = vertex.local;
                        Vector3::from(std::array::from_fn(|x| a * g[x] + b * t[x] + c * across[x]))
                    }
                    None => self.rest[chunk * CHUNK + k],
                };
            }
        });
    }

    /// The unit vectors along g, along t made orthogonal to it, and across both; `None` where the
    /// triangles have no area. An edge that stands upright on its triangles gives no direction: then
    /// any that is orthogonal to g has to do.
    #[inline(always)]
    fn frame(&self, vertex: &Carried, positions: &[Point3<f32>]) -> Option<[[f32; 3]; 3]> {
        let p = positions[vertex.centre as usize];
        let from_p = |i: u32| {
            let q = positions[i as usize];
            [q.x - p.x, q.y - p.y, q.z - p.z]
        };
        let (mut g, mut last) = ([0.0; 3], [0.0; 3]);
        for &entry in &self.ring[vertex.start as usize..vertex.end as usize] {
            let edge = from_p(entry & !RUN);
            if entry & RUN == 0 {
                let area = cross(last, edge);
                (0..3).for_each(|k| g[k] += area[k]);
            }
            last = edge;
        }
        let t = from_p(vertex.tangent);
        let (gg, tt) = (dot(g, g), dot(t, t));
        // Against the edge's own length, so that millimetres and kilometres are judged alike.
        if !(gg > 1e-12 * tt * tt && gg > 0.0 && gg < f32::MAX) {
            return None;
        }
        let inverse = 1.0 / gg.sqrt();
        let g = g.map(|x| x * inverse);
        let along = dot(t, g);
        let t: [f32; 3] = std::array::from_fn(|k| t[k] - along * g[k]);
        let flat = dot(t, t);
        let t = if flat > 1e-8 * tt && flat > 0.0 {
            let inverse = 1.0 / flat.sqrt();
            t.map(|x| x * inverse)
        } else {
            across(g)
        };
        Some([g, t, cross(g, t)])
    }
}

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A unit vector orthogonal to the unit vector `g`.
fn across(g: [f32; 3]) -> [f32; 3] {
    let axis = if g[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let t = cross(g, axis);
    let inverse = 1.0 / dot(t, t).sqrt();
    t.map(|x| x * inverse)
}

/// Points with one normal each: the point of every corner, and the corner of every vertex.
fn corners(mesh: &Mesh) -> (Vec<u32>, Vec<u32>) {
    let surface = mesh.surface();
    let mut corners: Vec<u32> = Vec::with_capacity(surface.points.len());
    let mut normals: Vec<Vector3<f32>> = Vec::with_capacity(surface.points.len());
    // Corners of a point form a chain, the latest first.
    let mut latest = vec![u32::MAX; surface.points.len()];
    let mut earlier: Vec<u32> = Vec::with_capacity(surface.points.len());
    let mut corner_of_vertex = Vec::with_capacity(mesh.vertex_count());
    for (normal, &point) in mesh.normals.iter().zip(&surface.point_of_vertex) {
        let mut corner = latest[point as usize];
        while corner != u32::MAX && (normals[corner as usize] - normal).norm_squared() > SAME * SAME {
            corner = earlier[corner as usize];
        }
        if corner == u32::MAX {
            corner = corners.len() as u32;
            corners.push(point);
            normals.push(*normal);
            earlier.push(latest[point as usize]);
            latest[point as usize] = corner;
        }
        corner_of_vertex.push(corner);
    }
    (corners, corner_of_vertex)
}

/// Lines the edges (corner, from, to) up into runs; `edges` rise by `from`. A closed ring is one run
/// that ends where it began, an open fan begins at its border.
fn push_ring(edges: &[[u32; 3]], ring: &mut Vec<u32>) {
    let mut used = vec![false; edges.len()];
    let mut ends: Vec<u32> = edges.iter().map(|edge| edge[2]).collect();
    ends.sort_unstable();
    let is_border = |edge: &[u32; 3]| ends.binary_search(&edge[1]).is_err();
    let borders = (0..edges.len()).filter(|&k| is_border(&edges[k]));
    for first in borders.chain(0..edges.len()) {
        if used[first] {
            continue;
        }
        ring.push(edges[first][1] | RUN);
        let mut next = Some(first);
        while let Some(k) = next {
            used[k] = true;
            let to = edges[k][2];
            ring.push(to);
            let from = edges.partition_point(|edge| edge[1] < to);
            next = (from..edges.len()).take_while(|&k| edges[k][1] == to).find(|&k| !used[k]);
        }
    }
}

/// The neighbour whose edge lies farthest along the surface at rest.
fn longest_tangent(ring: &[u32], centre: u32, positions: &[Point3<f32>]) -> u32 {
    let p = positions[centre as usize];
    let edge = |i: u32| positions[(i & !RUN) as usize] - p;
    let mut g = Vector3::zeros();
    for pair in ring.windows(2).filter(|pair| pair[1] & RUN == 0) {
        g += edge(pair[0]).cross(&edge(pair[1]));
    }
    let g = g.try_normalize(0.0).unwrap_or_default();
    let flat = |i: u32| (edge(i) - g * edge(i).dot(&g)).norm_squared();
    // The first of equals, so that the choice does not depend on how the iterator breaks ties.
    let mut best = (centre, -1.0);
    for &i in ring {
        let length = flat(i);
        if length > best.1 {
            best = (i & !RUN, length);
        }
    }
    best.0
}

#[cfg(test)]
mod tests;
