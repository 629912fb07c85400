//! Which points of the skin a dab reaches, and how strongly.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use nalgebra::{Point3, Vector3};

use super::Brush;
use crate::kernel::geom::{Mesh, bounds};

/// How much longer than the radius the way over the surface may be: skin is not flat.
const DETOUR: f64 = 1.3;

/// The mesh as the brush walks over it. Built once per mesh.
#[derive(Debug, Clone)]
pub struct PaintMap {
    triangles: Vec<[u32; 3]>,
    /// The first vertex at each point.
    pub(super) vertex_of_point: Vec<u32>,
    /// Triangles around point p: `fans[fan_starts[p]..fan_starts[p + 1]]`.
    fan_starts: Vec<u32>,
    fans: Vec<u32>,
    /// Vertices at point p: `copies[copy_starts[p]..copy_starts[p + 1]]`.
    copy_starts: Vec<u32>,
    copies: Vec<u32>,
}

impl PaintMap {
    /// Lists the triangles and vertices of every welded point.
    pub fn of(mesh: &Mesh) -> Self {
        let surface = mesh.surface();
        let points = surface.points.len();
        let corners = surface.triangles.iter().enumerate().flat_map(|(t, c)| c.map(|p| (p, t as u32)));
        let (fan_starts, fans) = grouped(points, corners);
        let vertices = surface.point_of_vertex.iter().enumerate().map(|(i, &p)| (p, i as u32));
        let (copy_starts, copies) = grouped(points, vertices);
        let vertex_of_point = surface.vertex_of_point.clone();
        Self { triangles: surface.triangles.clone(), vertex_of_point, fan_starts, fans, copy_starts, copies }
    }

    /// Number of vertices of the mesh.
    pub fn vertex_count(&self) -> usize {
        self.copies.len()
    }

    /// The vertices at point `p`.
    pub(super) fn copies(&self, p: usize) -> &[u32] {
        &self.copies[self.copy_starts[p] as usize..self.copy_starts[p + 1] as usize]
    }

    /// The points around point `p`, sorted, each once.
    pub(super) fn neighbours(&self, p: usize) -> Vec<usize> {
        let mut all: Vec<usize> =
            self.fan(p).flat_map(|corners| corners.map(|q| q as usize)).filter(|&q| q != p).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn fan(&self, p: usize) -> impl Iterator<Item = [u32; 3]> {
        let around = self.fan_starts[p] as usize..self.fan_starts[p + 1] as usize;
        self.fans[around].iter().map(|&t| self.triangles[t as usize])
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
        let at = |p: usize| positions[self.vertex_of_point[p] as usize].cast::<f64>();
        let seen = |p: usize| view.is_none_or(|view| self.faces(p, &at, view));
        let mut strongest: HashMap<usize, f64> = HashMap::new();
        let around = self.around(centers, positions, brush.radius_m);
        for center in centers {
            for (p, distance) in self.flood(center, &around, &at, &seen, brush.radius_m) {
                let strength = brush.falloff.at(distance / brush.radius_m);
                let known = strongest.entry(p).or_default();
                *known = known.max(strength);
            }
        }
        let mut touched: Vec<(usize, f64)> = strongest.into_iter().filter(|(_, s)| *s > 0.0).collect();
        touched.sort_unstable_by_key(|(p, _)| *p);
        touched
    }

    /// Points in the box of the brush's whole way: one pass over the mesh for all centres.
    fn around(&self, centers: &[Point3<f64>], positions: &[Point3<f32>], radius: f64) -> Vec<usize> {
        let Some([low, high]) = bounds(centers.iter().copied()) else { return Vec::new() };
        let margin = Vector3::repeat(radius * 1.000_01);
        let (low, high) = ((low - margin).cast::<f32>(), (high + margin).cast::<f32>());
        let inside = |p: &Point3<f32>| {
            p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z
        };
        let vertices = self.vertex_of_point.iter().enumerate();
        vertices.filter(|&(_, &i)| inside(&positions[i as usize])).map(|(p, _)| p).collect()
    }

    /// Points within `radius` of the centre and reached over the surface, with their straight distances.
    fn flood(
        &self,
        center: &Point3<f64>,
        around: &[usize],
        at: &impl Fn(usize) -> Point3<f64>,
        seen: &impl Fn(usize) -> bool,
        radius: f64,
    ) -> Vec<(usize, f64)> {
        let gap = |p: usize| (at(p) - center).norm_squared();
        let square = radius * radius;
        let mut near: Vec<(f64, usize)> =
            around.iter().map(|&p| (gap(p), p)).filter(|(g, _)| *g <= square).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let Some(&(first, seed)) = near.iter().find(|(_, p)| seen(*p) && self.fan(*p).next().is_some())
        else {
            return Vec::new();
        };
        // Ways are in whole micro-radii: an order that is total.
        let whole = |length: f64| (length / radius * 1e6) as u64;
        let mut way: HashMap<usize, u64> = HashMap::from([(seed, whole(first.sqrt()))]);
        let mut heap = BinaryHeap::from([Reverse((whole(first.sqrt()), seed))]);
        let mut found = Vec::new();
        while let Some(Reverse((length, p))) = heap.pop() {
            if way.get(&p).is_some_and(|&best| best < length) {
                continue;
            }
            found.push((p, gap(p).sqrt()));
            for q in self.neighbours(p) {
                let there = length + whole((at(p) - at(q)).norm());
                let shorter = way.get(&q).is_none_or(|&best| there < best);
                if shorter && there <= whole(DETOUR * radius) && gap(q) <= square && seen(q) {
                    way.insert(q, there);
                    heap.push(Reverse((there, q)));
                }
            }
        }
        found
    }
}

/// Values listed by key: the values of key k are `values[starts[k]..starts[k + 1]]`, in their order.
fn grouped(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; keys + 1];
    pairs.clone().for_each(|(key, _)| starts[key as usize + 1] += 1);
    for k in 0..keys {
        starts[k + 1] += starts[k];
    }
    let mut next = starts.clone();
    let mut values = vec![0; starts[keys] as usize];
    for (key, value) in pairs {
        values[next[key as usize] as usize] = value;
        next[key as usize] += 1;
    }
    (starts, values)
}
