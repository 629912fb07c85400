//! Which triangles of a cage can ever hide which others, whatever the point.
//!
//! Seen from a point on its inner side, a triangle O can be nearer than T only if some corner of O
//! lies on the point's side of T's plane and some corner of T lies beyond O's plane. Neither depends
//! on the point except for the side it is on, so both are settled once: the convex stretches of a
//! cage drop out, and what is left is a short list for each triangle.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::cage::Net;
use crate::kernel::progress::{Cancelled, Progress};

/// How far from a plane a corner counts as on it, in the unit box.
const ON_PLANE: f64 = 1e-12;

/// A triangle that can hide another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occluder {
    pub triangle: u32,
    /// A bit for each [`facing`] in which it can be the nearer one.
    may: u8,
    /// A bit for each facing in which it is the nearer one wherever both are seen.
    surely: u8,
}

/// Number of the four ways in which two triangles can face a point.
pub(super) fn facing(hidden_faces_away: bool, occluder_faces_away: bool) -> u8 {
    u8::from(hidden_faces_away) | u8::from(occluder_faces_away) << 1
}

/// Both triangles turn their inner sides to the point, as all that an inner point sees of a simple cage.
pub(super) const BOTH_INNER: u8 = 0;
const BOTH_OUTER: u8 = 3;

impl Occluder {
    /// Whether it can be the nearer one.
    pub fn may_hide(&self, facing: u8) -> bool {
        self.may >> facing & 1 == 1
    }

    /// Whether it is the nearer one wherever both are seen.
    pub fn surely_nearer(&self, facing: u8) -> bool {
        self.surely >> facing & 1 == 1
    }
}

/// For each triangle those that can hide it; of a `simple` cage only from inside.
pub(super) fn occluders(
    net: &Net,
    simple: bool,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Occluder>>, Cancelled> {
    let count = net.triangles.len();
    (0..count)
        .into_par_iter()
        .map(|t| {
            progress.check()?;
            let wanted = if simple { 1 << BOTH_INNER } else { 0b1111 };
            Ok((0..count)
                .filter(|&o| o != t && !net.is_flat(o) && !net.is_flat(t))
                .map(|o| occluder(net, o, t))
                .filter(|found| found.may & wanted != 0)
                .collect())
        })
        .collect()
}

fn occluder(net: &Net, o: usize, t: usize) -> Occluder {
    let sides = |plane: usize, of: usize| {
        let heights = net.corners(of).map(|x| net.above(plane, &x));
        (heights.iter().any(|&h| h > ON_PLANE), heights.iter().any(|&h| h < -ON_PLANE))
    };
    let (o_above_t, o_below_t) = sides(t, o);
    let (t_above_o, t_below_o) = sides(o, t);
    let triangle = o as u32;
    if !(o_above_t || o_below_t || t_above_o || t_below_o) {
        // In one plane the first in the list counts as the nearer.
        let all = if o < t && overlap_in_plane(net, o, t) { 0b1111 } else { 0 };
        return Occluder { triangle, may: all, surely: all };
    }
    let (mut may, mut surely) = (0, 0);
    for t_away in [false, true] {
        for o_away in [false, true] {
            let bit = 1 << facing(t_away, o_away);
            // A point that sees the inner side of a triangle is below its plane.
            let (o_on_near_side, o_beyond) =
                if t_away { (o_above_t, o_below_t) } else { (o_below_t, o_above_t) };
            let (t_beyond, t_on_near_side) =
                if o_away { (t_below_o, t_above_o) } else { (t_above_o, t_below_o) };
            if o_on_near_side && t_beyond {
                may |= bit;
                if !o_beyond || !t_on_near_side {
                    surely |= bit;
                }
            }
        }
    }
    if share_an_edge(net, o, t) {
        // Neighbours that face alike lie to both sides of their edge.
        may &= !(1 << BOTH_INNER | 1 << BOTH_OUTER);
    }
    Occluder { triangle, may, surely }
}

/// Whether two triangles run along a common edge in opposite ways.
fn share_an_edge(net: &Net, o: usize, t: usize) -> bool {
    let runs_against =
        |a: &super::cage::Side| net.sides[t].iter().any(|b| a.edge == b.edge && a.sign != b.sign);
    net.sides[o].iter().any(runs_against)
}

/// Whether two triangles of one plane have more than a border in common: no edge of either has the
/// other triangle on its far side.
fn overlap_in_plane(net: &Net, o: usize, t: usize) -> bool {
    let separates = |of: usize, other: usize| {
        let corners = net.corners(of);
        (0..3).any(|k| {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let inward: Vector3<f64> = net.normals[of].cross(&(b - a));
            net.corners(other).iter().all(|x| inward.dot(&(x - a)) <= ON_PLANE * inward.norm())
        })
    };
    !separates(o, t) && !separates(t, o)
}
