//! The neighbours of every vertex in turn, found once.

use nalgebra::{Point3, Vector3};

use crate::kernel::geom::Mesh;

/// Rest normals closer than this, about half a degree, are the same.
const SAME: f32 = 0.01;

/// What surrounds a point on one side of the hard edges through it.
#[derive(Debug, Clone, Default)]
pub(super) struct Ring {
    /// The vertex that stands for the point.
    pub(super) centre: u32,
    /// The neighbour whose edge lies farthest along the surface.
    pub(super) tangent: u32,
    /// Vertices in turn: two that follow each other make a triangle with the centre. Where a run of
    /// neighbours ends and another begins, the centre stands between them and makes a triangle of none.
    pub(super) around: Vec<u32>,
}

/// The rings of `mesh`, and which of them is each vertex's.
pub(super) fn rings(mesh: &Mesh) -> (Vec<Ring>, Vec<u32>) {
    let (corners, corner_of_vertex) = corners(mesh);
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
    let mut edges = opposite.as_slice();
    let rings = corners.iter().enumerate().map(|(corner, &point)| {
        let (own, others) = edges.split_at(edges.partition_point(|edge| edge[0] as usize == corner));
        edges = others;
        let centre = surface.vertex_of_point[point as usize];
        let around = line_up(own, centre);
        let tangent = longest_tangent(&around, centre, &mesh.positions);
        Ring { centre, tangent, around }
    });
    (rings.collect(), corner_of_vertex)
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
pub(super) fn line_up(edges: &[[u32; 3]], centre: u32) -> Vec<u32> {
    let mut around = Vec::with_capacity(edges.len() + 1);
    let mut used = vec![false; edges.len()];
    let mut ends: Vec<u32> = edges.iter().map(|edge| edge[2]).collect();
    ends.sort_unstable();
    let borders = (0..edges.len()).filter(|&k| ends.binary_search(&edges[k][1]).is_err());
    for first in borders.chain(0..edges.len()) {
        if used[first] {
            continue;
        }
        if !around.is_empty() {
            around.push(centre);
        }
        around.push(edges[first][1]);
        let mut next = Some(first);
        while let Some(k) = next {
            used[k] = true;
            let to = edges[k][2];
            around.push(to);
            let from = edges.partition_point(|edge| edge[1] < to);
            next = (from..edges.len()).take_while(|&k| edges[k][1] == to).find(|&k| !used[k]);
        }
    }
    around
}

/// The neighbour whose edge lies farthest along the surface at rest; the centre where there is none.
fn longest_tangent(around: &[u32], centre: u32, positions: &[Point3<f32>]) -> u32 {
    let p = positions[centre as usize];
    let edge = |i: u32| positions[i as usize] - p;
    let area: Vector3<f32> = around.windows(2).map(|pair| edge(pair[0]).cross(&edge(pair[1]))).sum();
    let g = area.try_normalize(0.0).unwrap_or_default();
    // The first of equals, so that the choice does not depend on how an iterator breaks ties.
    let mut best = (centre, 0.0);
    for &i in around {
        let length = (edge(i) - g * edge(i).dot(&g)).norm_squared();
        if length > best.1 {
            best = (i, length);
        }
    }
    best.0
}
