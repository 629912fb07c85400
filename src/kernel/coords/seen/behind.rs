//! Which triangles of a cage may be seen from behind: from inside of the cage, but on their outer side.
//!
//! The first triangle that a ray from inside meets is one that the ray leaves through, wherever the cage
//! neither crosses itself nor winds around anything but once. Of a plain cage no back is ever seen, so that
//! half of all triangles need not be looked at, neither as seen things nor as what hides them; where limbs
//! of a cage run into each other, a few are. Any doubt, such as triangles that touch, answers yes, which
//! costs time and nothing else.

use nalgebra::Vector3;
use rayon::prelude::*;

use crate::kernel::coords::cage::Net;
use crate::kernel::geom::connectivity::topology::DisjointSets;
use crate::kernel::progress::{Cancelled, Progress};

/// How near counts as touching, in the unit box and in barycentric units.
const TOUCH: f64 = 1e-9;

/// A bit for each triangle whose back may be seen.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct Behind {
    bits: Vec<u64>,
}

impl Behind {
    /// Looks at every pair of triangles.
    pub fn new(net: &Net, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let count = net.triangles.len();
        let mut doubtful = crossing(net, progress)?;
        (0..count).filter(|&t| net.is_flat(t)).for_each(|t| doubtful[t] = true);
        // What nothing crosses has the same on its outer side all over: one triangle speaks for all that
        // hang together.
        let at_edge = net.edges.triangles();
        // Where more than two meet, whose outer side is whose is not plain.
        let crowded = at_edge.iter().filter(|at| at.len() > 2).flatten();
        crowded.for_each(|(t, _)| doubtful[*t as usize] = true);
        let mut patches = DisjointSets::new(count);
        for at in at_edge.iter() {
            if let [(a, _), (b, _)] = *at
                && !doubtful[a as usize]
                && !doubtful[b as usize]
            {
                patches.join(a, b);
            }
        }
        let mut answers: Vec<Option<bool>> = vec![None; count];
        let mut bits = vec![0_u64; count.div_ceil(64)];
        for t in 0..count {
            let patch = patches.root(t as u32) as usize;
            let is_plain = !doubtful[t] && *answers[patch].get_or_insert_with(|| bounds_the_inside(net, t));
            bits[t / 64] |= u64::from(!is_plain) << (t % 64);
        }
        Ok(Self { bits: if bits.iter().all(|word| *word == 0) { Vec::new() } else { bits } })
    }

    /// Every one of so many triangles.
    #[cfg(test)]
    pub fn all(count: usize) -> Self {
        let word =
            |first: usize| (0..64).filter(|bit| first + bit < count).fold(0, |word, bit| word | 1 << bit);
        Self { bits: (0..count).step_by(64).map(word).collect() }
    }

    /// A word for each 64 triangles; none at all where no back is ever seen.
    pub fn bits(&self) -> &[u64] {
        &self.bits
    }

    /// Whether the back of triangle `t` may be seen.
    pub fn is_in(&self, t: usize) -> bool {
        self.bits.get(t / 64).is_some_and(|word| word >> (t % 64) & 1 == 1)
    }
}

/// For each triangle whether it touches another that it should not.
fn crossing(net: &Net, progress: &dyn Progress) -> Result<Vec<bool>, Cancelled> {
    let count = net.triangles.len();
    let boxes: Vec<[Vector3<f64>; 2]> = (0..count)
        .map(|t| {
            let [a, b, c] = net.corners(t);
            let margin = Vector3::repeat(TOUCH);
            [a.inf(&b).inf(&c) - margin, a.sup(&b).sup(&c) + margin]
        })
        .collect();
    let apart = |s: usize, t: usize| {
        (0..3).any(|axis| boxes[s][0][axis] > boxes[t][1][axis] || boxes[t][0][axis] > boxes[s][1][axis])
    };
    (0..count)
        .into_par_iter()
        .map(|s| {
            progress.check()?;
            Ok((0..count).any(|t| t != s && !apart(s, t) && touch(net, s.min(t), s.max(t))))
        })
        .collect()
}

/// Whether the cage winds around zero times on one side of triangle `t` and once on the other: half
/// a time around a point on it.
fn bounds_the_inside(net: &Net, t: usize) -> bool {
    let p = net.corners(t).iter().sum::<Vector3<f64>>() / 3.0;
    let half_angles: f64 = (0..net.triangles.len())
        .filter(|&other| other != t)
        .map(|other| {
            let [a, b, c] = net.corners(other).map(|x| x - p);
            let [x, y, z] = [a.norm(), b.norm(), c.norm()];
            let re = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
            a.dot(&b.cross(&c)).atan2(re)
        })
        .sum();
    (half_angles / std::f64::consts::TAU - 0.5).abs() < 1e-3
}

/// Whether two triangles meet anywhere but at the corners that they share.
fn touch(net: &Net, s: usize, t: usize) -> bool {
    let (first, second) = (net.triangles[s], net.triangles[t]);
    let shared = first.iter().filter(|c| second.contains(c)).count();
    match shared {
        0 => edges_cross(net, first, t, |_, _| true) || edges_cross(net, second, s, |_, _| true),
        1 => {
            // Only the edges opposite to the common corner can meet the other triangle elsewhere.
            edges_cross(net, first, t, |a, b| !second.contains(&a) && !second.contains(&b))
                || edges_cross(net, second, s, |a, b| !first.contains(&a) && !first.contains(&b))
        }
        2 => folded_flat(net, s, t),
        _ => true,
    }
}

/// Whether an edge of `corners` that `counts` meets triangle `t`.
fn edges_cross(net: &Net, corners: [u32; 3], t: usize, counts: impl Fn(u32, u32) -> bool) -> bool {
    (0..3).any(|k| {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        counts(a, b) && segment_meets(net, t, &net.points[a as usize], &net.points[b as usize])
    })
}

fn segment_meets(net: &Net, t: usize, from: &Vector3<f64>, to: &Vector3<f64>) -> bool {
    let (start, end) = (net.above(t, from), net.above(t, to));
    if (start > TOUCH && end > TOUCH) || (start < -TOUCH && end < -TOUCH) {
        return false;
    }
    let normal = net.normals[t];
    let corners = net.corners(t);
    let outside = |x: &Vector3<f64>, k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let inward = normal.cross(&(b - a));
        inward.dot(&(x - a)) < -TOUCH * inward.norm()
    };
    if (start - end).abs() <= 2.0 * TOUCH {
        // Along the plane: apart only if one edge of the triangle has the whole segment outside.
        let across = normal.cross(&(to - from));
        let beside =
            |sign: f64| corners.iter().all(|x| sign * across.dot(&(x - from)) > TOUCH * across.norm());
        return !(0..3).any(|k| outside(from, k) && outside(to, k)) && !beside(1.0) && !beside(-1.0);
    }
    let crossing = from + (to - from) * (start / (start - end)).clamp(0.0, 1.0);
    !(0..3).any(|k| outside(&crossing, k))
}

/// Whether two triangles on one edge lie on top of each other.
fn folded_flat(net: &Net, s: usize, t: usize) -> bool {
    let alone = net.triangles[t].iter().find(|c| !net.triangles[s].contains(c));
    let height = alone.map_or(0.0, |&c| net.above(s, &net.points[c as usize]));
    height.abs() <= TOUCH && net.normals[s].dot(&net.normals[t]) < 0.0
}
