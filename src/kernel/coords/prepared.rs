//! A cage made ready to give the coordinates of any point.
//!
//! A row goes through these steps: a point on the cage takes the barycentric coordinates of where it
//! is, the limit of every kind; outside (the cage winds around it zero times) every kind is the
//! signed one, which joins the positive one at the faces; far outside, where positive and negative
//! weights all but cancel, the row turns smoothly into that of the nearest point of the cage.

use nalgebra::{Matrix3, Point3, Vector3};

use super::cage::{Cage, Net};
use super::seen::behind::Behind;
use super::seen::occluders::Occluders;
use super::seen::pieces::Pieces;
use super::seen::survey::{InFront, Survey};
use super::seen::view::View;
use super::{CoordsError, Kind};
use crate::kernel::geom::search::rays::nearest_on_triangle;
use crate::kernel::math::smooth::smooth_between;
use crate::kernel::progress::Progress;

/// Points this near to the cage are on it, in the unit box.
const ON_CAGE: f64 = 1e-10;
/// Points farther away than this many diagonals take the row of the nearest point.
const FAR: f64 = 1e3;
/// Share of the weights that is left after signs cancel, outside: nearest point below the first,
/// signed coordinates above the second.
const SOUND: [f64; 2] = [0.01, 0.05];
/// The same inside, where only a crossing cage comes near.
const SOUND_INSIDE: [f64; 2] = [1e-9, 1e-8];
/// Below this height above a triangle's plane, rounding may exceed what the triangle contributes.
const LOW: f64 = 1e-6;
/// The share of a mean vector that rounding may spoil.
const ROUNDING: f64 = 1e-15;
/// A row that misses its point by more than this is corrected, in the unit box.
const MISS: f64 = 1e-14;
/// The most triangles of a cage for positive coordinates: every pair of them is looked at.
const MAX_TRIANGLES: usize = 8192;

/// A cage ready to give the coordinates of any point.
#[derive(Debug)]
pub struct Prepared {
    pub(super) net: Net,
    kind: Kind,
    /// Triangles that can be seen from inside without being left through; none for the signed kind.
    pub(super) behind: Behind,
    /// What can hide what; empty for the signed kind.
    pub(super) occluders: Occluders,
}

/// Memory for one row after the other, so that none is allocated for each.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) view: View,
    pub(super) pieces: Pieces,
    pub(super) survey: Survey,
    pub(super) near: Vec<InFront>,
    arcs: Vec<Vector3<f64>>,
    weights: Vec<f64>,
    seen: Vec<u64>,
}

/// The coordinates of one point.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// A weight for every cage vertex, summing to one.
    pub weights: &'a [f64],
    /// Where the point is.
    pub place: Place,
    /// A bit for each triangle that the row depends on.
    pub seen: &'a [u64],
}

/// Where a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The cage winds around it.
    Inside,
    /// On a face, an edge or a vertex.
    OnCage,
    /// The cage does not wind around it.
    Outside,
}

impl Prepared {
    /// Checks the cage and settles what does not depend on the point.
    pub fn new(cage: &Cage, kind: Kind, progress: &dyn Progress) -> Result<Self, CoordsError> {
        let net = Net::new(cage)?;
        let (mut behind, mut occluders) = (Behind::default(), Occluders::default());
        if kind == Kind::Positive {
            if net.triangles.len() > MAX_TRIANGLES {
                return Err(CoordsError::TooFine { triangles: net.triangles.len(), most: MAX_TRIANGLES });
            }
            behind = Behind::new(&net, progress)?;
            occluders = Occluders::new(&net, progress)?;
        }
        Ok(Self { net, kind, behind, occluders })
    }

    /// Which coordinates it gives.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Number of vertices of the cage.
    pub fn cage_vertices(&self) -> usize {
        self.net.points.len()
    }

    /// The coordinates of `point`, which must be finite.
    pub fn row<'s>(&self, point: &Point3<f64>, scratch: &'s mut Scratch) -> Row<'s> {
        let p = self.net.to_unit(point);
        scratch.weights.clear();
        scratch.weights.resize(self.net.points.len(), 0.0);
        // What looks at more than it sees depends on everything.
        scratch.seen.clear();
        scratch.seen.resize(self.net.triangles.len().div_ceil(64), u64::MAX);
        let place = self.look(&p, scratch);
        match place {
            None => self.weigh_nearest(&p, 1.0, &mut scratch.weights),
            Some(Place::OnCage) => {}
            Some(Place::Inside) if self.kind == Kind::Positive => self.weigh_visible(&p, scratch),
            Some(place) => self.weigh_signed(&p, place, scratch),
        }
        Row { weights: &scratch.weights, place: place.unwrap_or(Place::Outside), seen: &scratch.seen }
    }

    /// Looks at the cage from `p` and says where that is; the weights of a point on the cage are set.
    /// Nothing for a point too far away to be told from others.
    pub(super) fn look(&self, p: &Vector3<f64>, scratch: &mut Scratch) -> Option<Place> {
        let distance = p.norm();
        if distance.is_nan() || distance >= FAR {
            return None;
        }
        scratch.view.look_at_planes(&self.net, p);
        let low = |t: &usize| scratch.view.height[*t].abs() <= ON_CAGE;
        for t in (0..self.net.triangles.len()).filter(low) {
            let (at, barycentric) =
                nearest_on_triangle(&Point3::from(*p), &self.net.corners(t).map(Point3::from));
            if (at.coords - p).norm() <= ON_CAGE {
                scratch.weights.resize(self.net.points.len(), 0.0);
                for (c, weight) in self.net.triangles[t].iter().zip(barycentric) {
                    scratch.weights[*c as usize] += weight;
                }
                return Some(Place::OnCage);
            }
        }
        scratch.view.look_around(&self.net);
        Some(if scratch.view.winding(&self.net) == 0 { Place::Outside } else { Place::Inside })
    }

    /// Positive mean value coordinates (Lipman, Kopf, Cohen-Or and Levin 2007): as the signed ones,
    /// over the part of each triangle that is seen.
    fn weigh_visible(&self, p: &Vector3<f64>, scratch: &mut Scratch) {
        scratch.survey.take(self, &scratch.view);
        scratch.seen.fill(0);
        for t in 0..self.net.triangles.len() {
            if let Some(mean) = self.visible_mean_vector(t, scratch) {
                scratch.seen[t / 64] |= 1 << (t % 64);
                let shares = self.shares(&scratch.view, t, &mean);
                for (c, share) in self.net.triangles[t].iter().zip(shares) {
                    scratch.weights[*c as usize] += share.max(0.0);
                }
            }
        }
        if normalise(&mut scratch.weights, SOUND_INSIDE) > 0.0 {
            correct(&mut scratch.weights, &scratch.view.reach);
        } else {
            scratch.seen.fill(u64::MAX);
            self.weigh_nearest(p, 1.0, &mut scratch.weights);
        }
    }

    /// Mean value coordinates (Ju, Schaefer and Warren 2005).
    fn weigh_signed(&self, p: &Vector3<f64>, place: Place, scratch: &mut Scratch) {
        let Scratch { view, arcs, weights, .. } = scratch;
        arcs.clear();
        arcs.extend((0..self.net.edges.points.len()).map(|edge| view.arc(edge)));
        for (t, sides) in self.net.edges.sides.iter().enumerate() {
            let mean: Vector3<f64> =
                sides.iter().map(|side| arcs[side.edge as usize] * (0.5 * side.sign)).sum();
            for (c, share) in self.net.triangles[t].iter().zip(self.shares(view, t, &mean)) {
                weights[*c as usize] += share;
            }
        }
        let trust = normalise(weights, if place == Place::Outside { SOUND } else { SOUND_INSIDE });
        if trust > 0.0 {
            correct(weights, &view.reach);
        }
        if trust < 1.0 {
            self.weigh_nearest(p, 1.0 - trust, weights);
        }
    }

    /// The weights of the corners of triangle `t` whose sum of weight times reach is the mean vector:
    /// `w_k = m·N_k / (N_k·x_k)`, `N_k` the normal of the edge opposite to `k` (Ju et al. 2005, §3).
    fn shares(&self, view: &View, t: usize, mean: &Vector3<f64>) -> [f64; 3] {
        let volume = view.volume[t];
        let sides = &self.net.edges.sides[t];
        if view.height[t].abs() < LOW {
            // Seen edge-on the triangle weighs next to nothing, but the quotient magnifies rounding.
            let largest = sides.iter().map(|side| view.cross_length[side.edge as usize]).fold(0.0, f64::max);
            let nearest =
                self.net.triangles[t].iter().map(|&c| view.length[c as usize]).fold(f64::MAX, f64::min);
            let signal = mean.norm() * volume.abs();
            if signal.is_nan() || signal <= ROUNDING * largest * nearest {
                return [0.0; 3];
            }
        }
        sides.map(|side| mean.dot(&view.cross[side.edge as usize]) * side.sign / volume)
    }

    /// Adds `share` times the barycentric coordinates of the nearest point of the cage.
    fn weigh_nearest(&self, p: &Vector3<f64>, share: f64, weights: &mut [f64]) {
        let p = Point3::from(*p);
        let nearest = (0..self.net.triangles.len())
            .map(|t| (t, nearest_on_triangle(&p, &self.net.corners(t).map(Point3::from))))
            .min_by(|(_, (x, _)), (_, (y, _))| (x - p).norm_squared().total_cmp(&(y - p).norm_squared()));
        if let Some((t, (_, barycentric))) = nearest {
            for (c, weight) in self.net.triangles[t].iter().zip(barycentric) {
                weights[*c as usize] += share * weight;
            }
        }
    }
}

/// Scales weights to sum to their trust, from 0 to 1: how little positive and negative ones cancel,
/// between the two bounds of `sound`.
fn normalise(weights: &mut [f64], sound: [f64; 2]) -> f64 {
    let (sum, size) = weights.iter().fold((0.0, 0.0), |(sum, size), w| (sum + w, size + w.abs()));
    let trust = smooth_between(sum.abs() / size, sound);
    let scale = if trust > 0.0 { trust / sum } else { 0.0 };
    if scale.is_finite() && scale != 0.0 {
        weights.iter_mut().for_each(|w| *w *= scale);
        trust
    } else {
        weights.fill(0.0);
        0.0
    }
}

/// Takes out what rounding left of `Σ w_k x_k`, which should be zero: every weight changes in
/// proportion to its size, so that zeros and signs stay.
fn correct(weights: &mut [f64], reach: &[Vector3<f64>]) {
    let miss: Vector3<f64> = weights.iter().zip(reach).map(|(w, x)| x * *w).sum();
    if miss.norm() <= MISS {
        return;
    }
    let size: f64 = weights.iter().map(|w| w.abs()).sum();
    let middle: Vector3<f64> =
        weights.iter().zip(reach).map(|(w, x)| x * w.abs()).sum::<Vector3<f64>>() / size;
    let mut spread = Matrix3::zeros();
    for (w, x) in weights.iter().zip(reach).filter(|(w, _)| **w != 0.0) {
        let x = x - middle;
        spread += x * x.transpose() * w.abs();
    }
    let Some(slope) = spread.cholesky().map(|factor| factor.solve(&-miss)) else { return };
    let farthest = reach.iter().map(|x| (x - middle).norm()).fold(0.0, f64::max);
    if slope.norm() * farthest < 0.1 {
        for (w, x) in weights.iter_mut().zip(reach) {
            *w += w.abs() * slope.dot(&(x - middle));
        }
    }
}
