//! The part of a triangle that a point sees, exactly.
//!
//! The cone of a triangle T over the point starts as one spherical triangle. Each triangle O that can
//! hide it takes away the cone of O, and where their planes cross in sight only its nearer part: with
//! both normals turned away from the point, O is nearer in the half-space
//! `(h_T n_O − h_O n_T)·d > 0`, a plane through the point like the others. What is left is a few
//! convex pieces.

use nalgebra::Vector3;

use super::occluders::{BOTH_INNER, facing};
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
        // Negated so that an axis that is not a number counts as none.
        if !(cosine > 0.0) {
            return Self { axis: Vector3::zeros(), cosine: 0.0, sine: 1.0 };
        }
        Self { axis, cosine, sine: (1.0 - cosine * cosine).max(0.0).sqrt() }
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
    /// Puts caps around all triangles.
    pub(super) fn measure_caps(&self, scratch: &mut Scratch) {
        let direction = &scratch.view.direction;
        scratch.caps.clear();
        let cap = |corners: &[u32; 3]| Cap::around(corners.map(|c| &direction[c as usize]));
        scratch.caps.extend(self.net.triangles.iter().map(cap));
    }

    /// Integral of the direction over the part of triangle `t` that is seen; nothing if none
    /// is. Needs [`Self::measure_caps`].
    pub(super) fn visible_mean_vector(&self, t: usize, scratch: &mut Scratch) -> Option<Vector3<f64>> {
        let Scratch { view, pieces, near, caps, .. } = scratch;
        let volume = view.volume[t];
        if volume == 0.0 || view.height[t] == 0.0 || (self.simple && volume < 0.0) {
            return None;
        }
        let planes = self.planes(view, t);
        near.clear();
        for occluder in &self.occluders[t] {
            let o = occluder.triangle as usize;
            let o_volume = view.volume[o];
            let facing = if self.simple { BOTH_INNER } else { facing(volume < 0.0, o_volume < 0.0) };
            if (self.simple && o_volume < 0.0) || o_volume == 0.0 || !occluder.may_hide(facing) {
                continue;
            }
            if caps[t].apart(&caps[o]) || self.outside_of_one(view, o, &planes) {
                continue;
            }
            if self.outside_of_one(view, t, &self.planes(view, o)) {
                continue;
            }
            near.push(Candidate {
                triangle: o,
                cosine: caps[o].cosine,
                surely_nearer: occluder.surely_nearer(facing),
            });
        }
        if near.is_empty() {
            let arcs = self.net.sides[t].iter().map(|side| view.arc(side.edge as usize) * (0.5 * side.sign));
            return Some(arcs.sum::<Vector3<f64>>() * volume.signum());
        }
        near.sort_by(|a, b| a.cosine.total_cmp(&b.cosine).then(a.triangle.cmp(&b.triangle)));
        pieces.start(&self.net.triangles[t].map(|c| view.direction[c as usize]));
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

    /// Whether one of the planes has all of triangle `t` on its outer side.
    fn outside_of_one(&self, view: &View, t: usize, planes: &[Vector3<f64>; 3]) -> bool {
        let corners = self.net.triangles[t].map(|c| view.direction[c as usize]);
        planes.iter().any(|plane| corners.iter().all(|d| plane.dot(d) <= ON_PLANE))
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
