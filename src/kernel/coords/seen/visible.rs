//! The part of a triangle that a point sees, exactly.
//!
//! The cone of a triangle T over the point starts as one spherical triangle. Each triangle O that can
//! hide it takes away the cone of O, and where their planes cross in sight only its nearer part: with
//! both normals turned away from the point, O is nearer in the half-space
//! `(h_T n_O − h_O n_T)·d > 0`, a plane through the point like the others. What is left is a few
//! convex pieces.

use nalgebra::Vector3;

use super::view::View;
use crate::kernel::coords::prepared::{Prepared, Scratch};

impl Prepared {
    /// Integral of the direction over the part of triangle `t` that is seen; nothing if none is. The
    /// survey must have been taken.
    pub(in crate::kernel::coords) fn visible_mean_vector(
        &self,
        t: usize,
        scratch: &mut Scratch,
    ) -> Option<Vector3<f64>> {
        let Scratch { view, pieces, near, survey, .. } = scratch;
        if !survey.is_seen(t) || view.height[t] == 0.0 {
            return None;
        }
        let turn = view.volume[t].signum();
        let cone = survey.cone(t);
        near.clear();
        near.extend(survey.in_front_of(t).filter(|o| !cone.is_apart(survey.cone(o.triangle as usize))));
        if near.is_empty() {
            let arcs =
                self.net.edges.sides[t].iter().map(|side| view.arc(side.edge as usize) * (0.5 * side.sign));
            return Some(arcs.sum::<Vector3<f64>>() * turn);
        }
        // The widest first, because they hide most.
        let width = |o: u32| survey.cone(o as usize).cosine;
        near.sort_unstable_by(|a, b| {
            width(a.triangle).total_cmp(&width(b.triangle)).then(a.triangle.cmp(&b.triangle))
        });
        pieces.start(&cone.corners());
        for candidate in near.iter() {
            let o = candidate.triangle as usize;
            let [a, b, c] = survey.cone(o).planes;
            if candidate.surely {
                pieces.subtract(&[a, b, c]);
            } else {
                let Some(nearer) = self.nearer_side(view, o, t) else { continue };
                pieces.subtract(&[nearer, a, b, c]);
            }
            if pieces.is_empty() {
                survey.leave_out(t);
                return None;
            }
        }
        Some(pieces.mean_vector() * turn)
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
