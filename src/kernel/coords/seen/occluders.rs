//! Which triangles of a cage can ever hide which others, whatever the point.
//!
//! Seen from a point on its inner side, a triangle O can be nearer than T only if some corner of O
//! lies on the point's side of T's plane and some corner of T lies beyond O's plane. Neither depends
//! on the point except for the side it is on, so both are settled once: the convex stretches of a
//! cage drop out, and what is left is a short list for each triangle.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::survey::InFront;
use crate::kernel::coords::cage::Net;
use crate::kernel::progress::{Cancelled, Progress};

/// How far from a plane a corner counts as on it, in the unit box.
const ON_PLANE: f64 = 1e-12;

/// Number of the four ways in which two triangles can face a point; a triangle faces away when it
/// turns its outer side to the point.
fn facing(hidden_faces_away: bool, occluder_faces_away: bool) -> usize {
    usize::from(hidden_faces_away) | usize::from(occluder_faces_away) << 1
}

/// Both triangles turn their inner sides to the point.
const BOTH_INNER: usize = 0;
const BOTH_OUTER: usize = 3;

/// Which triangles can hide which: for each facing a row of bits for each hidden triangle.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct Occluders {
    words: usize,
    /// Who can be nearer.
    may: [Vec<u64>; 4],
    /// Who is nearer wherever both are seen.
    surely: [Vec<u64>; 4],
}

/// A bit for each facing of one pair of triangles.
#[derive(Debug, Clone, Copy)]
struct Pair {
    may: u8,
    surely: u8,
}

impl Occluders {
    /// Looks at every pair of triangles.
    pub fn new(net: &Net, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let count = net.triangles.len();
        let words = count.div_ceil(64);
        let rows: Vec<[Vec<u64>; 8]> = (0..count)
            .into_par_iter()
            .map(|t| {
                progress.check()?;
                let mut row: [Vec<u64>; 8] = std::array::from_fn(|_| vec![0; words]);
                for o in (0..count).filter(|&o| o != t && !net.is_flat(o) && !net.is_flat(t)) {
                    let Pair { may, surely } = pair(net, o, t);
                    for facing in 0..4 {
                        row[facing][o / 64] |= u64::from(may >> facing & 1) << (o % 64);
                        row[facing + 4][o / 64] |= u64::from(surely >> facing & 1) << (o % 64);
                    }
                }
                Ok(row)
            })
            .collect::<Result<_, Cancelled>>()?;
        let gather = |k: usize| rows.iter().flat_map(|row| row[k].iter().copied()).collect();
        let (may, surely) = (std::array::from_fn(gather), std::array::from_fn(|k| gather(k + 4)));
        Ok(Self { words, may, surely })
    }

    /// The triangles of `near` that can hide `t`; `near` has a bit for each triangle that is asked for.
    pub fn of<'a>(&'a self, t: usize, seen: &'a Facing, near: &'a [u64]) -> InFrontOf<'a> {
        let row = t * self.words;
        let side = |o_away: bool| {
            let facing = facing(seen.is_away(t), o_away);
            [&self.may[facing][row..row + self.words], &self.surely[facing][row..row + self.words]]
        };
        InFrontOf { inner: side(false), outer: side(true), seen, near, at: 0, away: false, left: 0 }
    }

    /// Whether `o` faces the point and is nearer than `t` wherever both are seen.
    pub fn is_surely_nearer(&self, o: usize, t: usize, seen: &Facing) -> bool {
        seen.is_in(o) && self.surely(facing(seen.is_away(t), seen.is_away(o)), o, t)
    }

    /// The same for two triangles that turn their inner sides to the point.
    pub fn is_surely_nearer_inside(&self, o: usize, t: usize) -> bool {
        self.surely(BOTH_INNER, o, t)
    }

    fn surely(&self, facing: usize, o: usize, t: usize) -> bool {
        let word = t * self.words + o / 64;
        (self.surely[facing][word] & self.may[facing][word]) >> (o % 64) & 1 == 1
    }
}

/// Walks along the bits of the triangles that can hide one.
pub(in crate::kernel::coords) struct InFrontOf<'a> {
    /// Who may be nearer and who surely is, of those that turn their inner sides to the point.
    inner: [&'a [u64]; 2],
    /// The same of the others.
    outer: [&'a [u64]; 2],
    seen: &'a Facing,
    near: &'a [u64],
    /// The next word, and of which side.
    at: usize,
    away: bool,
    /// What is left of the word before.
    left: u64,
}

impl Iterator for InFrontOf<'_> {
    type Item = InFront;

    #[inline]
    fn next(&mut self) -> Option<InFront> {
        while self.left == 0 {
            let (side, sides) =
                if self.away { (&self.outer, &self.seen.outer) } else { (&self.inner, &self.seen.inner) };
            match sides.get(self.at) {
                Some(faces) => {
                    self.left = faces & side[0][self.at] & self.near[self.at];
                    self.at += 1;
                }
                None if self.away => return None,
                None => (self.at, self.away) = (0, true),
            }
        }
        let bit = self.left.trailing_zeros();
        self.left &= self.left - 1;
        let [_, surely] = if self.away { &self.outer } else { &self.inner };
        let word = self.at - 1;
        Some(InFront { triangle: word as u32 * 64 + bit, surely: surely[word] >> bit & 1 == 1 })
    }
}

/// Which way each triangle faces a point, a bit for each; what is seen edge-on is in neither.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct Facing {
    inner: Vec<u64>,
    /// Empty where no back is ever seen.
    outer: Vec<u64>,
}

impl Facing {
    /// From the signs of the triangles' volumes over the point; `behind` has a bit for each triangle whose
    /// outer side may be seen, or is empty where none is.
    pub fn set(&mut self, volumes: &[f64], behind: &[u64]) {
        self.inner.clear();
        self.inner.resize(volumes.len().div_ceil(64), 0);
        for (t, volume) in volumes.iter().enumerate() {
            self.inner[t / 64] |= u64::from(*volume > 0.0) << (t % 64);
        }
        self.outer.clear();
        self.outer.resize(behind.len(), 0);
        for (word, (outer, mask)) in self.outer.iter_mut().zip(behind).enumerate() {
            let mut left = *mask;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                *outer |= u64::from(volumes[word * 64 + bit as usize] < 0.0) << bit;
            }
        }
    }

    /// Whether triangle `t` is among those that face the point either way.
    pub fn is_in(&self, t: usize) -> bool {
        self.inner[t / 64] >> (t % 64) & 1 == 1 || self.is_away(t)
    }

    /// Leaves out a triangle that turned out to be hidden.
    pub fn leave_out(&mut self, t: usize) {
        for side in [&mut self.inner, &mut self.outer] {
            side.get_mut(t / 64).into_iter().for_each(|word| *word &= !(1 << (t % 64)));
        }
    }

    fn is_away(&self, t: usize) -> bool {
        self.outer.get(t / 64).is_some_and(|word| word >> (t % 64) & 1 == 1)
    }
}

/// In which facings triangle `o` can hide `t`.
fn pair(net: &Net, o: usize, t: usize) -> Pair {
    let sides = |plane: usize, of: usize| {
        let heights = net.corners(of).map(|x| net.above(plane, &x));
        (heights.iter().any(|&h| h > ON_PLANE), heights.iter().any(|&h| h < -ON_PLANE))
    };
    let (o_above_t, o_below_t) = sides(t, o);
    let (t_above_o, t_below_o) = sides(o, t);
    if !(o_above_t || o_below_t || t_above_o || t_below_o) {
        // In one plane the first in the list counts as the nearer.
        let all = if o < t && overlap_in_plane(net, o, t) { 0b1111 } else { 0 };
        return Pair { may: all, surely: all };
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
    Pair { may, surely }
}

/// Whether two triangles run along a common edge in opposite ways.
fn share_an_edge(net: &Net, o: usize, t: usize) -> bool {
    let runs_against = |a: &crate::kernel::geom::connectivity::edges::Side| {
        net.edges.sides[t].iter().any(|b| a.edge == b.edge && a.sign != b.sign)
    };
    net.edges.sides[o].iter().any(runs_against)
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
