//! Self-intersections: pairs of triangles that share no point and cross each other.
//!
//! Candidate pairs come from a tree of bounding boxes; two triangles cross where an edge of one
//! passes through the other, its border included. Triangles that lie in one plane do not count.

use nalgebra::Point3;
use rayon::prelude::*;

use crate::kernel::geom::Rays;

/// The crossing pairs of one skin, each with the lower triangle first, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CrossingPairs {
    pairs: Vec<(u32, u32)>,
}

impl CrossingPairs {
    /// Finds all crossing pairs.
    pub fn of(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> Self {
        let corners = |t: usize| triangles[t].map(|p| points[p as usize]);
        let tree = Rays::over(points, triangles);
        let pairs = (0..triangles.len())
            .into_par_iter()
            .flat_map_iter(|t| {
                let mut others = tree.overlapping(t);
                others.retain(|&other| {
                    let apart = !triangles[t].iter().any(|p| triangles[other].contains(p));
                    other > t && apart && cross(&corners(t), &corners(other))
                });
                others.sort_unstable();
                others.into_iter().map(move |other| (t as u32, other as u32))
            })
            .collect();
        Self { pairs }
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether nothing crosses.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.pairs.iter().copied()
    }

    /// How many of these pairs are not among `others`.
    pub fn beyond(&self, others: &Self) -> usize {
        self.pairs.iter().filter(|pair| others.pairs.binary_search(pair).is_err()).count()
    }
}

/// Whether an edge of one triangle pierces the other.
fn cross(a: &[Point3<f64>; 3], b: &[Point3<f64>; 3]) -> bool {
    let edges = |t: &[Point3<f64>; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let longest = edges(a).iter().chain(&edges(b)).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
    let slack = TOUCH * longest.powi(3);
    let through = |from, to| edges(from).iter().any(|(p, q)| pierces(p, q, to, slack));
    through(a, b) || through(b, a)
}

/// Volumes below this share of the longest edge's cube count as zero. A symmetric bend makes
/// mirrored triangles cross exactly edge on edge; rounding must not decide whether those count.
const TOUCH: f64 = 1e-6;

/// Six times the signed volume of the tetrahedron p, a, b, c.
fn orient(p: &Point3<f64>, a: &Point3<f64>, b: &Point3<f64>, c: &Point3<f64>) -> f64 {
    (a - p).dot(&(b - p).cross(&(c - p)))
}

/// Whether the segment `p`–`q` crosses the triangle's plane within the triangle or on its border.
fn pierces(p: &Point3<f64>, q: &Point3<f64>, [a, b, c]: &[Point3<f64>; 3], slack: f64) -> bool {
    let (above, below) = (orient(p, a, b, c), orient(q, a, b, c));
    if above.abs() <= slack || below.abs() <= slack || (above > 0.0) == (below > 0.0) {
        return false;
    }
    let sides = [orient(p, q, a, b), orient(p, q, b, c), orient(p, q, c, a)];
    sides.iter().all(|s| *s >= -slack) || sides.iter().all(|s| *s <= slack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piercing_triangles_cross_and_neighbours_do_not() {
        let points = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0], // floor
            [0.5, 0.5, -1.0],
            [0.6, 0.5, 1.0],
            [0.5, 0.7, 1.0], // a spike through it
            [2.0, 2.0, 0.0], // completes the floor
            [5.0, 5.0, -1.0],
            [5.1, 5.0, 1.0],
            [5.0, 5.1, 1.0], // a spike beside it
        ]
        .map(|[x, y, z]| Point3::new(x, y, z));
        let pairs = CrossingPairs::of(&points, &[[0, 1, 2], [3, 4, 5], [1, 6, 2], [7, 8, 9]]);
        assert_eq!(pairs.pairs, vec![(0, 1)]);
        assert_eq!(pairs.beyond(&pairs), 0);
    }
}
