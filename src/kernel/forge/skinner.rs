//! From fields to a skin: a lattice of the right spacing, relaxed and projected.
//!
//! The spacing follows from the number of vertices asked for: a coarse trial gives the surface's
//! size, the count goes with the inverse square of the spacing. Vertices then slide along the
//! surface towards the middle of their neighbours (in lens space, so that magnified limbs keep
//! their density) and are projected back after each step; normals are the field's slope.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::field::{Field, gradient};
use super::lattice::{Implicit, Quads, polygonise};
use super::lens::Lenses;

/// Rounds of sliding and projecting.
const ROUNDS: usize = 5;

/// Skins of all fields, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// In the world.
    pub positions: Vec<[f64; 3]>,
    /// Unit, outward.
    pub normals: Vec<Vector3<f64>>,
    /// Distance to the neighbours at each vertex, about, in metres.
    pub spacings: Vec<f64>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
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
            if whole { self.field.clone() } else { self.field.near(self.lenses.to_world(q), radius * 1.5) };
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
    let asked = asked.max(500) as f64;
    let extent = fields.iter().map(|field| field.bounds()).fold(0.0, |most: f64, [low, high]| {
        most.max((0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max))
    });
    let mut step = extent / 60.0;
    let mut nets = trial(step);
    for _ in 0..6 {
        let ratio = count(&nets) as f64 / asked;
        if (ratio - 1.0).abs() < 0.04 {
            break;
        }
        // A far goal is approached through a middle one, where the estimate is already good.
        step *= ratio.sqrt().clamp(if asked > 100_000.0 { 0.02 } else { 0.2 }, 4.0);
        nets = trial(step);
    }
    let mut skin = Skin { step, ..Skin::default() };
    for (field, net) in fields.iter().zip(nets) {
        append(&mut skin, field, lenses, net);
    }
    skin
}

fn append(skin: &mut Skin, field: &Field, lenses: &Lenses, mut net: Quads) {
    let magnified = Magnified { field, lenses };
    let step = skin.step;
    let ring = Ring::of(net.positions.len(), &net.quads);
    let rounds = if net.positions.len() > 200_000 { 2 } else { ROUNDS };
    for _ in 0..rounds {
        net.positions = (0..net.positions.len())
            .into_par_iter()
            .map(|i| {
                let here = Vector3::from(net.positions[i]);
                let around = ring.of_vertex(i);
                let sum: Vector3<f64> =
                    around.iter().map(|&k| Vector3::from(net.positions[k as usize])).sum();
                let slide = sum / around.len().max(1) as f64 - here;
                let value = magnified.near(here.into(), step);
                let slope = gradient(&value, here.into(), step * 0.1);
                let normal = slope.try_normalize(1e-9).unwrap_or_else(Vector3::zeros);
                let moved = here + (slide - normal * slide.dot(&normal)) * 0.6;
                project(&value, moved, slope, step).into()
            })
            .collect();
    }
    let finished: Vec<([f64; 3], Vector3<f64>, f64)> = net
        .positions
        .par_iter()
        .map(|&q| {
            let mut p = Vector3::from(lenses.to_world(q));
            let gain = lenses.gain(q);
            let near = field.near(p.into(), step);
            let value = |p: [f64; 3]| near.value(p);
            for _ in 0..2 {
                p = project(&value, p, gradient(&value, p.into(), step * 0.02), step / gain);
            }
            let normal = gradient(&value, p.into(), step * 0.1 / gain).try_normalize(1e-9);
            (p.into(), normal.unwrap_or_else(Vector3::y), step / gain)
        })
        .collect();
    let first = skin.positions.len() as u32;
    skin.positions.extend(finished.iter().map(|(p, ..)| *p));
    skin.normals.extend(finished.iter().map(|(_, n, _)| *n));
    skin.spacings.extend(finished.iter().map(|(.., spacing)| *spacing));
    for quad in &net.quads {
        let [a, b, c, d] = quad.map(|v| v + first);
        let at = |v: u32| Point3::from(skin.positions[v as usize]);
        let shorter = (at(a) - at(c)).norm_squared() <= (at(b) - at(d)).norm_squared();
        skin.triangles.extend(if shorter { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
    }
    skin.ends.push((skin.positions.len(), skin.triangles.len()));
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

/// Neighbours of each vertex along the quads' edges, in one run of memory.
pub struct Ring {
    starts: Vec<u32>,
    around: Vec<u32>,
}

impl Ring {
    /// Of polygons of any one size: each edge is seen once from either side of a closed surface.
    pub fn of<const N: usize>(vertices: usize, polygons: &[[u32; N]]) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for corner in polygons.iter().flatten() {
            starts[*corner as usize + 1] += 1;
        }
        for i in 0..vertices {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut around = vec![0; polygons.len() * N];
        for polygon in polygons {
            for k in 0..N {
                let from = polygon[k] as usize;
                around[next[from] as usize] = polygon[(k + 1) % N];
                next[from] += 1;
            }
        }
        Self { starts, around }
    }

    /// The neighbours of vertex `i`.
    pub fn of_vertex(&self, i: usize) -> &[u32] {
        &self.around[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}
