//! From fields to a skin: a lattice of the right spacing, relaxed and projected.
//!
//! The spacing follows from the number of vertices asked for: a coarse trial gives the surface's
//! size, the count goes with the inverse square of the spacing. Vertices then slide along the
//! surface towards the middle of their neighbours (in lens space, so that magnified limbs keep
//! their density) and are projected back after each step; normals are the field's slope.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::inks;
use super::lattice::{Implicit, Quads, polygonise};
use super::lens::Lenses;
use crate::kernel::forge::flesh::field::{Field, gradient};
use crate::kernel::geom::connectivity::topology::DisjointSets;
use crate::kernel::math::rows::Rows;

/// Rounds of sliding and projecting.
const ROUNDS: usize = 4;

/// Skins of all fields, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// In the world.
    pub positions: Vec<[f64; 3]>,
    /// Unit, outward.
    pub normals: Vec<Vector3<f64>>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The quads that the triangles were cut from.
    pub quads: Vec<[u32; 4]>,
    /// The ink of each triangle.
    pub inks: Vec<u8>,
    /// Each field's vertices and triangles end here.
    pub ends: Vec<(usize, usize)>,
    /// Mean spacing of the lattice, in metres of lens space.
    pub step: f64,
}

/// A field seen through lenses.
struct Magnified<'a> {
    field: &'a Field,
    lenses: &'a Lenses,
}

impl Implicit for Magnified<'_> {
    fn value(&self, q: [f64; 3]) -> f64 {
        self.lenses.value(q, |p| self.field.value(p))
    }

    fn near(&self, q: [f64; 3], radius: f64) -> impl Fn([f64; 3]) -> f64 {
        // Across a rim the lens shows two places at once: then nothing can be left out.
        let whole = self.lenses.rim(q) < radius;
        let field =
            if whole { self.field.clone() } else { self.field.near(self.lenses.to_world(q), radius * 1.15) };
        move |q| self.lenses.value(q, |p| field.value(p))
    }
}

/// Polygonises `fields` with about `asked` vertices in all.
pub fn skin(fields: &[Field], lenses: &Lenses, asked: usize) -> Skin {
    let trial = |step: f64| -> Vec<Quads> {
        fields
            .iter()
            .map(|field| polygonise(&Magnified { field, lenses }, lenses.bounds(field.bounds()), step))
            .collect()
    };
    let count = |nets: &[Quads]| nets.iter().map(|net| net.positions.len()).sum::<usize>().max(1);
    // Borders of inks repeat vertices, in proportion to a body's length and not to its area.
    let border = if fields.iter().any(Field::has_inks) { 3.2 } else { 0.0 };
    let asked = asked.max(500) as f64;
    let asked = asked - border * asked.sqrt();
    let extent = fields.iter().map(|field| field.bounds()).fold(0.0, |most: f64, [low, high]| {
        most.max((0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max))
    });
    let mut step = extent / 36.0 * (7_500.0 / asked).sqrt();
    let mut nets = trial(step);
    for _ in 0..6 {
        let ratio = count(&nets) as f64 / asked;
        if (ratio - 1.0).abs() < 0.06 {
            break;
        }
        step *= ratio.sqrt().clamp(0.25, 4.0);
        nets = trial(step);
    }
    let mut skin = Skin { step, ..Skin::default() };
    for (field, net) in fields.iter().zip(nets) {
        append(&mut skin, field, lenses, without_crumbs(net));
    }
    skin
}

/// Drops bubbles inside the flesh and crumbs beside it: components whose volume is negative or
/// below a thousandth of the largest.
fn without_crumbs(net: Quads) -> Quads {
    let mut sets = DisjointSets::new(net.positions.len());
    for &[a, b, c, d] in &net.quads {
        sets.join(a, b);
        sets.join(b, c);
        sets.join(c, d);
    }
    let root: Vec<u32> = (0..net.positions.len() as u32).map(|v| sets.root(v)).collect();
    let mut volume = vec![0.0; net.positions.len()];
    let at = |v: u32| Vector3::from(net.positions[v as usize]);
    for &[a, b, c, d] in &net.quads {
        let sixfold = at(a).dot(&at(b).cross(&at(c))) + at(a).dot(&at(c).cross(&at(d)));
        volume[root[a as usize] as usize] += sixfold;
    }
    let least = volume.iter().copied().fold(0.0, f64::max) * 1e-3;
    let keeps = |v: usize| volume[root[v] as usize] >= least;
    let mut next = 0;
    let renumbered: Vec<u32> = (0..net.positions.len())
        .map(|v| {
            next += u32::from(keeps(v));
            next.saturating_sub(1)
        })
        .collect();
    let quads = net.quads.iter().filter(|quad| keeps(quad[0] as usize));
    Quads {
        quads: quads.map(|quad| quad.map(|v| renumbered[v as usize])).collect(),
        positions: (0..net.positions.len()).filter(|&v| keeps(v)).map(|v| net.positions[v]).collect(),
    }
}

fn append(skin: &mut Skin, field: &Field, lenses: &Lenses, mut net: Quads) {
    let magnified = Magnified { field, lenses };
    let step = skin.step;
    let neighbours = around_vertices(net.positions.len(), &net.quads);
    let rounds = if net.positions.len() > 200_000 { 2 } else { ROUNDS };
    for _ in 0..rounds {
        net.positions = (0..net.positions.len())
            .into_par_iter()
            .map(|i| {
                let here = Vector3::from(net.positions[i]);
                let around = neighbours.row(i);
                let sum: Vector3<f64> =
                    around.iter().map(|&k| Vector3::from(net.positions[k as usize])).sum();
                let slide = sum / around.len().max(1) as f64 - here;
                let value = magnified.near(here.into(), step);
                let slope = forward_gradient(&value, here.into(), step * 0.05);
                let normal = slope.try_normalize(1e-9).unwrap_or_else(Vector3::zeros);
                let moved = here + (slide - normal * slide.dot(&normal)) * 0.6;
                project(&value, moved, slope, step).into()
            })
            .collect();
    }
    let mut finished: Vec<Finished> =
        net.positions.par_iter().map(|&q| Finished::of(field, lenses, q, step)).collect();
    unfold(&net.quads, &mut finished);
    let first = skin.positions.len() as u32;
    skin.positions.extend(finished.iter().map(|vertex| vertex.p));
    skin.normals.extend(finished.iter().map(|vertex| vertex.normal));
    let whole = triangulated(&net.quads, &finished);
    let one_ink = !field.has_inks();
    skin.inks.par_extend(whole.par_iter().map(|corners| {
        let corners = corners.map(|v| &finished[v as usize]);
        // Corners off the borders know; where they disagree or there is none, ask the middle.
        let mut sure = corners.iter().filter(|vertex| !vertex.on_border).map(|vertex| vertex.ink);
        let candidate = sure.next();
        match candidate {
            Some(ink) if one_ink || sure.all(|other| other == ink) => ink,
            _ => {
                let middle = corners.iter().map(|vertex| Vector3::from(vertex.p)).sum::<Vector3<f64>>() / 3.0;
                inks::nearest(field, middle.into()).ink
            }
        }
    }));
    skin.quads.extend(net.quads.iter().map(|quad| quad.map(|v| v + first)));
    skin.triangles.extend(whole.iter().map(|corners| corners.map(|v| v + first)));
    skin.ends.push((skin.positions.len(), skin.triangles.len()));
}

/// A vertex in the world.
struct Finished {
    p: [f64; 3],
    normal: Vector3<f64>,
    ink: u8,
    on_border: bool,
    /// Position and normal before it slid onto a border.
    before: ([f64; 3], Vector3<f64>),
}

impl Finished {
    /// Projects the world point behind `q`, slides it onto a near border of inks, and takes the normal.
    fn of(field: &Field, lenses: &Lenses, q: [f64; 3], step: f64) -> Self {
        let spacing = step / lenses.gain(q);
        let start = lenses.to_world(q);
        let near = field.near(start, spacing);
        let value = |p: [f64; 3]| near.value(p);
        let settle = |p: [f64; 3]| {
            let slope = forward_gradient(&value, p, spacing * 0.02);
            project(&value, p.into(), slope, spacing).into()
        };
        let normal_at =
            |p: [f64; 3]| gradient(&value, p, spacing * 0.1).try_normalize(1e-9).unwrap_or_else(Vector3::y);
        let mut p: [f64; 3] = settle(start);
        let mut normal = normal_at(p);
        let before = (p, normal);
        let at = inks::nearest(&near, p);
        let border = inks::onto_border(&near, p, normal, spacing, at);
        if let Some(there) = border {
            p = settle(there);
            normal = normal_at(p);
        }
        Self { p: settle(p), normal, ink: at.ink, on_border: border.is_some(), before }
    }
}

/// Takes back the slides that turned a triangle over or squeezed it flat.
fn unfold(quads: &[[u32; 4]], vertices: &mut [Finished]) {
    let mut back = vec![false; vertices.len()];
    for corners in triangulated(quads, vertices) {
        let [a, b, c] = corners.map(|v| Vector3::from(vertices[v as usize].p));
        let outward: Vector3<f64> = corners.iter().map(|&v| vertices[v as usize].normal).sum();
        let (across, longest) =
            ((b - a).cross(&(c - a)), (b - a).norm().max((c - a).norm()).max((c - b).norm()));
        if across.dot(&outward) < 0.02 * outward.norm() * longest * longest {
            // The corner that slid farthest had the least claim to the border.
            let slid = |v: u32| {
                let vertex = &vertices[v as usize];
                (Vector3::from(vertex.p) - Vector3::from(vertex.before.0)).norm()
            };
            let farthest = corners.into_iter().filter(|&v| vertices[v as usize].on_border);
            if let Some(v) = farthest.max_by(|&a, &b| slid(a).total_cmp(&slid(b))) {
                back[v as usize] = true;
            }
        }
    }
    for (vertex, _) in vertices.iter_mut().zip(back).filter(|(vertex, back)| *back && vertex.on_border) {
        (vertex.p, vertex.normal) = vertex.before;
        vertex.on_border = false;
    }
}

/// Quads cut along their shorter diagonals.
fn triangulated(quads: &[[u32; 4]], vertices: &[Finished]) -> Vec<[u32; 3]> {
    let at = |v: u32| Point3::from(vertices[v as usize].p);
    let cut = |&[a, b, c, d]: &[u32; 4]| {
        let shorter = (at(a) - at(c)).norm_squared() <= (at(b) - at(d)).norm_squared();
        if shorter { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    };
    quads.iter().flat_map(cut).collect()
}

/// Slope by forward differences: three evaluations fewer, good enough to slide by.
pub fn forward_gradient(value: &impl Fn([f64; 3]) -> f64, p: [f64; 3], step: f64) -> Vector3<f64> {
    let here = value(p);
    let along = |axis: usize| {
        // Away from the middle, so that both halves make the same error.
        let step = if axis == 0 && p[0] < 0.0 { -step } else { step };
        let mut ahead = p;
        ahead[axis] += step;
        (value(ahead) - here) / step
    };
    Vector3::new(along(0), along(1), along(2))
}

/// One Newton step along the slope, no longer than half of `step`.
fn project(
    value: &impl Fn([f64; 3]) -> f64,
    p: Vector3<f64>,
    slope: Vector3<f64>,
    step: f64,
) -> Vector3<f64> {
    let square = slope.norm_squared();
    if square < 1e-6 {
        return p;
    }
    let by = slope * (value(p.into()) / square);
    let length = by.norm();
    p - if length > step / 2.0 { by * (step / 2.0 / length) } else { by }
}

/// For each vertex the next ones along the polygons around it, all of one size: its neighbours, each once, where the
/// surface is closed.
pub fn around_vertices<const N: usize>(vertices: usize, polygons: &[[u32; N]]) -> Rows<u32> {
    let edges = polygons.iter().flat_map(|polygon| (0..N).map(|k| (polygon[k], polygon[(k + 1) % N])));
    Rows::from_pairs(vertices, edges)
}
