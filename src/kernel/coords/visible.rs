//! The part of a triangle that a point sees, exactly.
//!
//! The cone of a triangle T over the point starts as one spherical triangle. Each triangle O that can
//! hide it takes away the cone of O, and where their planes cross in sight only its nearer part: with
//! both normals turned away from the point, O is nearer in the half-space
//! `(h_T n_O − h_O n_T)·d > 0`, a plane through the point like the others. What is left is a few
//! convex pieces.

use nalgebra::Vector3;

use super::pieces::ON_PLANE;
use super::prepared::{Prepared, Scratch};
use super::view::View;

/// Widens caps against rounding.
const CAP_MARGIN: f64 = 1e-9;

/// A circle of directions around a triangle: `axis · d ≥ cosine`. One as wide as a half-sphere has no axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cap {
    axis: Vector3<f64>,
    cosine: f64,
    sine: f64,
}

impl Cap {
    fn around([a, b, c]: [&Vector3<f64>; 3]) -> Self {
        let sum = a + b + c;
        let axis = sum / sum.norm();
        let cosine = axis.dot(a).min(axis.dot(b)).min(axis.dot(c)) - CAP_MARGIN;
        // An axis that is not a number counts as none.
        if cosine > 0.0 {
            Self { axis, cosine, sine: (1.0 - cosine * cosine).max(0.0).sqrt() }
        } else {
            Self { axis: Vector3::zeros(), cosine: 0.0, sine: 1.0 }
        }
    }

    /// Whether no direction is in both: the axes are farther apart than both radii together.
    fn apart(&self, other: &Self) -> bool {
        self.axis.dot(&other.axis) < self.cosine * other.cosine - self.sine * other.sine
    }
}

/// A triangle that does stand in front of another as seen from the point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    triangle: usize,
    /// Cosine of its cap: the widest come first, because they hide most.
    cosine: f64,
    surely_nearer: bool,
}

impl Prepared {
    /// Settles which way each triangle faces the point, and puts caps around all of them.
    pub(super) fn survey(&self, scratch: &mut Scratch) {
        let direction = &scratch.view.direction;
        scratch.facing.set(&scratch.view.volume, self.simple);
        scratch.caps.clear();
        let cap = |corners: &[u32; 3]| Cap::around(corners.map(|c| &direction[c as usize]));
        scratch.caps.extend(self.net.triangles.iter().map(cap));
    }

    /// Integral of the direction over the part of triangle `t` that is seen; nothing if none
    /// is. Needs [`Self::survey`].
    pub(super) fn visible_mean_vector(&self, t: usize, scratch: &mut Scratch) -> Option<Vector3<f64>> {
        let Scratch { view, pieces, near, caps, facing, .. } = scratch;
        let volume = view.volume[t];
        if volume == 0.0 || view.height[t] == 0.0 || (self.simple && volume < 0.0) {
            return None;
        }
        let (planes, corners, cap) = (self.planes(view, t), self.directions(view, t), caps[t]);
        near.clear();
        self.occluders.each(t, volume < 0.0, facing, |o, surely_nearer| {
            if !cap.apart(&caps[o])
                && !outside_of_one(self.directions(view, o), &planes)
                && !outside_of_one(corners, &self.planes(view, o))
            {
                near.push(Candidate { triangle: o, cosine: caps[o].cosine, surely_nearer });
            }
        });
        if near.is_empty() {
            let arcs = self.net.sides[t].iter().map(|side| view.arc(side.edge as usize) * (0.5 * side.sign));
            return Some(arcs.sum::<Vector3<f64>>() * volume.signum());
        }
        near.sort_by(|a, b| a.cosine.total_cmp(&b.cosine).then(a.triangle.cmp(&b.triangle)));
        pieces.start(&corners.map(|d| *d));
        for candidate in near.iter() {
            let o = candidate.triangle;
            let [a, b, c] = self.planes(view, o);
            if candidate.surely_nearer {
                pieces.subtract(&[a, b, c]);
            } else {
                let Some(nearer) = self.nearer_side(view, o, t) else { continue };
                pieces.subtract(&[nearer, a, b, c]);
            }
            if pieces.is_empty() {
                return None;
            }
        }
        Some(pieces.mean_vector() * volume.signum())
    }

    /// Unit normals of the planes of a triangle's cone, inward.
    fn planes(&self, view: &View, t: usize) -> [Vector3<f64>; 3] {
        let turn = view.volume[t].signum();
        self.net.sides[t].map(|side| view.edge_normal[side.edge as usize] * (turn * side.sign))
    }

    /// Directions of a triangle's corners.
    fn directions<'v>(&self, view: &'v View, t: usize) -> [&'v Vector3<f64>; 3] {
        self.net.triangles[t].map(|c| &view.direction[c as usize])
    }

    /// Normal of the plane on whose positive side triangle `o` is nearer than `t`.
    fn nearer_side(&self, view: &View, o: usize, t: usize) -> Option<Vector3<f64>> {
        let away = |t: usize| {
            let height = view.height[t];
            (self.net.normals[t] * height.signum(), height.abs())
        };
        let ((n_o, h_o), (n_t, h_t)) = (away(o), away(t));
        (n_o * h_t - n_t * h_o).try_normalize(0.0)
    }
}

/// Whether one of the planes has all corners of a triangle on its outer side.
#[inline]
fn outside_of_one([a, b, c]: [&Vector3<f64>; 3], planes: &[Vector3<f64>; 3]) -> bool {
    planes.iter().any(|plane| plane.dot(a).max(plane.dot(b)).max(plane.dot(c)) <= ON_PLANE)
}
