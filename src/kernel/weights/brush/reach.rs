//! Which points of the skin a dab reaches, and how strongly.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::{Point3, Vector3};

use super::Brush;
use crate::kernel::geom::Mesh;
use crate::kernel::geom::bounds;
use crate::kernel::geom::connectivity::neighbours::Neighbours;
use crate::kernel::math::rows::Rows;

/// How much longer than the radius the way over the surface may be: skin is not flat.
const DETOUR: f64 = 1.3;
/// The number of a point that is not near the brush.
const FAR: u32 = u32::MAX;

/// The mesh as the brush walks over it. Built once per mesh.
#[derive(Debug, Clone)]
pub struct PaintMap {
    triangles: Vec<[u32; 3]>,
    /// The first vertex at each point.
    pub(super) vertex_of_point: Vec<u32>,
    /// The triangles around each point.
    fans: Rows<u32>,
    /// The points around each point.
    pub(super) neighbours: Neighbours,
    /// The vertices at each point.
    copies: Rows<u32>,
}

impl PaintMap {
    /// Lists the triangles and vertices of every welded point.
    pub fn of(mesh: &Mesh) -> Self {
        let surface = mesh.surface();
        let points = surface.points.len();
        let corners = surface.triangles.iter().enumerate().flat_map(|(t, c)| c.map(|p| (p, t as u32)));
        let vertices = surface.point_of_vertex.iter().enumerate().map(|(i, &p)| (p, i as u32));
        Self {
            triangles: surface.triangles.clone(),
            vertex_of_point: surface.vertex_of_point.clone(),
            fans: Rows::from_pairs(points, corners),
            copies: Rows::from_pairs(points, vertices),
            neighbours: Neighbours::of(points, &surface.triangles),
        }
    }

    /// Number of vertices of the mesh.
    pub fn vertex_count(&self) -> usize {
        self.copies.values().len()
    }

    /// The vertices at point `p`.
    pub(super) fn copies(&self, p: usize) -> &[u32] {
        self.copies.row(p)
    }

    fn fan(&self, p: usize) -> impl Iterator<Item = [u32; 3]> {
        self.fans.row(p).iter().map(|&t| self.triangles[t as usize])
    }

    /// Whether the skin at point `p` looks against `view`, the direction of sight.
    fn faces(&self, p: usize, at: &impl Fn(usize) -> Point3<f64>, view: &Vector3<f64>) -> bool {
        let normal: Vector3<f64> = self
            .fan(p)
            .map(|corners| {
                let [a, b, c] = corners.map(|q| at(q as usize));
                (b - a).cross(&(c - a))
            })
            .sum();
        normal.dot(view) < 0.0
    }

    /// The points that the brush reaches from any of the centres, and its strength there in 0..=1: those
    /// within its radius that hang together on the surface and, where `view` is given, look at the viewer.
    pub(super) fn touched(
        &self,
        centers: &[Point3<f64>],
        positions: &[Point3<f32>],
        view: Option<&Vector3<f64>>,
        brush: &Brush,
    ) -> Vec<(usize, f64)> {
        let near = Near::new(self, self.around(centers, positions, brush.radius_m), positions, view);
        let mut strongest = vec![0.0_f64; near.points.len()];
        for center in centers {
            near.flood(self, center, brush.radius_m, |k, distance| {
                strongest[k] = strongest[k].max(brush.falloff.at(distance / brush.radius_m));
            });
        }
        let all = near.points.iter().map(|&p| p as usize).zip(strongest);
        all.filter(|(_, strength)| *strength > 0.0).collect()
    }

    /// Points in the box of the brush's whole way: one pass over the mesh for all centres.
    fn around(&self, centers: &[Point3<f64>], positions: &[Point3<f32>], radius: f64) -> Vec<u32> {
        let Some([low, high]) = bounds(centers.iter().copied()) else { return Vec::new() };
        let margin = Vector3::repeat(radius * 1.000_01);
        let (low, high) = ((low - margin).cast::<f32>(), (high + margin).cast::<f32>());
        let inside = |p: &Point3<f32>| {
            p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z
        };
        let vertices = self.vertex_of_point.iter().enumerate();
        vertices.filter(|&(_, &i)| inside(&positions[i as usize])).map(|(p, _)| p as u32).collect()
    }
}

/// The points near the brush, numbered anew, with what a dab asks of them.
struct Near {
    /// Points of the mesh, rising.
    points: Vec<u32>,
    /// The number of each point of the mesh here; `FAR` for the others.
    number: Vec<u32>,
    places: Vec<Point3<f64>>,
    /// Whether the brush may paint it.
    seen: Vec<bool>,
}

impl Near {
    fn new(map: &PaintMap, points: Vec<u32>, positions: &[Point3<f32>], view: Option<&Vector3<f64>>) -> Self {
        let mut number = vec![FAR; map.vertex_of_point.len()];
        for (k, &p) in points.iter().enumerate() {
            number[p as usize] = k as u32;
        }
        let at = |p: usize| positions[map.vertex_of_point[p] as usize].cast::<f64>();
        let places = points.iter().map(|&p| at(p as usize)).collect();
        let faces = |p: u32| view.is_none_or(|view| map.faces(p as usize, &at, view));
        let loose = |p: u32| map.fan(p as usize).next().is_none();
        let seen = points.iter().map(|&p| !loose(p) && faces(p)).collect();
        Self { points, number, places, seen }
    }

    /// Visits the points within `radius` of the centre that are reached over the surface, with their
    /// straight distances.
    fn flood(&self, map: &PaintMap, center: &Point3<f64>, radius: f64, mut visit: impl FnMut(usize, f64)) {
        let gaps: Vec<f64> = self.places.iter().map(|place| (place - center).norm()).collect();
        let inside = |k: usize| self.seen[k] && gaps[k] <= radius;
        let seeds = (0..gaps.len()).filter(|&k| inside(k));
        let Some(seed) = seeds.min_by(|&a, &b| gaps[a].total_cmp(&gaps[b])) else { return };
        // Ways are in whole micro-radii: an order that is total.
        let whole = |length: f64| (length / radius * 1e6) as u64;
        let longest = whole(DETOUR * radius);
        let mut way = vec![u64::MAX; gaps.len()];
        way[seed] = whole(gaps[seed]);
        let mut heap = BinaryHeap::from([Reverse((way[seed], seed))]);
        while let Some(Reverse((length, k))) = heap.pop() {
            if length > way[k] {
                continue;
            }
            visit(k, gaps[k]);
            for q in map.fan(self.points[k] as usize).flatten() {
                let next = self.number[q as usize] as usize;
                if next == FAR as usize || !inside(next) {
                    continue;
                }
                let there = length + whole((self.places[k] - self.places[next]).norm());
                if there < way[next] && there <= longest {
                    way[next] = there;
                    heap.push(Reverse((there, next)));
                }
            }
        }
    }
}
