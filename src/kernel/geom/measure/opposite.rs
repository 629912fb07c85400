//! Flesh: pairs of skin points that face each other through the body at rest.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::damage::THIN;
use crate::kernel::geom::Surface;

/// At most so many points are looked at, spread evenly over the surface.
const SAMPLES: usize = 3000;
/// The other point lies straight below, up to this cosine,
const BELOW: f64 = 0.97;
/// faces away up to this one,
const AWAY: f64 = -0.5;
/// and is no nearer or farther than these parts of the height.
const DEPTHS: [f64; 2] = [1e-4, 0.25];

/// Two points and how much flesh is between them.
#[derive(Debug, Clone, Copy)]
struct Pair {
    of: u32,
    to: u32,
    thickness: f64,
}

/// The pairs of a rest skin.
pub(super) struct Opposites {
    pairs: Vec<Pair>,
}

impl Opposites {
    /// Looks from points, as many on each part of the surface as its share, through to the other side.
    pub(super) fn new(surface: &Surface, shares: &[f64], normals: &[Vector3<f64>], height: f64) -> Self {
        let outwards = super::volume(&surface.points, &surface.triangles).signum();
        let samples = sampled(surface, shares);
        let points = &surface.points;
        let pairs = samples.into_par_iter().filter_map(|p| {
            let (at, normal) = (points[p as usize], normals[p as usize] * outwards);
            let mut best: Option<(f64, u32)> = None;
            for (q, other) in points.iter().enumerate() {
                let d = other - at;
                let depth = -d.dot(&normal);
                let limit = best.map_or(DEPTHS[1] * height, |(far, _)| far);
                if depth <= 0.0 || depth > limit {
                    continue;
                }
                let far = d.norm();
                let faces = depth > BELOW * far && (normals[q] * outwards).dot(&normal) < AWAY;
                if faces && far > DEPTHS[0] * height && far < limit {
                    best = Some((far, q as u32));
                }
            }
            best.map(|(_, to)| Pair {
                of: p,
                to,
                thickness: (at - points[to as usize]).dot(&normals[p as usize]),
            })
        });
        Self { pairs: pairs.collect() }
    }

    /// How many pairs there are.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Points below which less than [`THIN`] of the flesh is left.
    pub(super) fn thin<'a>(
        &'a self,
        points: &'a [Point3<f64>],
        normals: &'a [Vector3<f64>],
    ) -> impl Iterator<Item = u32> + 'a {
        let left = move |pair: &&Pair| {
            let (of, to) = (pair.of as usize, pair.to as usize);
            (points[of] - points[to]).dot(&normals[of]) / pair.thickness < THIN
        };
        self.pairs.iter().filter(left).map(|pair| pair.of)
    }
}

/// Points picked at even steps of the surface's area, each at most once.
fn sampled(surface: &Surface, shares: &[f64]) -> Vec<u32> {
    let mut areas = vec![0.0; surface.points.len()];
    for (corners, share) in surface.triangles.iter().zip(shares) {
        corners.iter().for_each(|p| areas[*p as usize] += share / 3.0);
    }
    let wanted = SAMPLES.min(areas.iter().filter(|area| **area > 0.0).count());
    let (mut sum, mut picked) = (0.0, Vec::with_capacity(wanted));
    for (p, area) in areas.iter().enumerate() {
        let before = (sum * wanted as f64).floor();
        sum += area;
        if (sum * wanted as f64).floor() > before {
            picked.push(p as u32);
        }
    }
    picked
}

/// The unit normal of each point: the mean of its triangles' `faces`, which are as long as the areas are large; zero where
/// there is none.
pub(super) fn point_normals(
    triangles: &[[u32; 3]],
    faces: &[Vector3<f64>],
    count: usize,
    out: &mut Vec<Vector3<f64>>,
) {
    out.clear();
    out.resize(count, Vector3::zeros());
    for (corners, face) in triangles.iter().zip(faces) {
        corners.iter().for_each(|p| out[*p as usize] += face);
    }
    out.iter_mut().for_each(|normal| *normal = normal.try_normalize(1e-300).unwrap_or_else(Vector3::zeros));
}
