//! Whether a cage is simple: no triangle crosses another and it winds once around what is inside.
//!
//! The first triangle that a ray from inside of a simple cage meets is always one that the ray
//! leaves through, so only those need be looked at, as seen things and as what hides them. Any
//! doubt, such as triangles that touch, answers no, which costs time and nothing else.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::cage::Net;
use crate::kernel::progress::{Cancelled, Progress};

/// How near counts as touching, in the unit box and in barycentric units.
const TOUCH: f64 = 1e-9;

/// Whether the cage is simple.
pub(super) fn is_simple(net: &Net, progress: &dyn Progress) -> Result<bool, Cancelled> {
    let count = net.triangles.len();
    if (0..count).any(|t| net.is_flat(t)) {
        return Ok(false);
    }
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
    let crossings: Vec<bool> = (0..count)
        .into_par_iter()
        .map(|s| {
            progress.check()?;
            Ok((s + 1..count).any(|t| !apart(s, t) && touch(net, s, t)))
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(!crossings.contains(&true) && net.one_of_each_part().into_iter().all(|t| bounds_the_inside(net, t)))
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
