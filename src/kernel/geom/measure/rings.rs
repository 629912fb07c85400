//! The rings of neighbours around points, and how the skin has turned there.

use nalgebra::{Matrix3, Point3, Vector3};

use crate::kernel::math::Affine;
use crate::kernel::math::rows::Rows;

/// The neighbours of each point, once for each triangle that they share.
pub(super) struct Rings {
    neighbours: Rows<u32>,
    /// For each point how often points are counted in its two rings, and the sum of where those are at rest.
    at_rest: Vec<(f64, Vector3<f64>)>,
}

/// Sums over a point and its neighbours: of where they are now, and of that times where they are at rest.
#[derive(Debug, Clone, Copy)]
struct RingSum {
    now: Vector3<f64>,
    products: Matrix3<f64>,
}

/// How the skin has turned around points, worked out where it is asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns {
    sums: Vec<Option<RingSum>>,
    turns: Vec<Option<Matrix3<f64>>>,
}

impl Turns {
    /// Forgets another skin.
    pub(super) fn clear(&mut self, count: usize) {
        self.sums.clear();
        self.sums.resize(count, None);
        self.turns.clear();
        self.turns.resize(count, None);
    }
}

impl Rings {
    pub(super) fn new(rest: &[Point3<f64>], triangles: &[[u32; 3]]) -> Self {
        let count = rest.len();
        let beside = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (a, c), (b, c), (b, a), (c, a), (c, b)]);
        let mut rings = Self { neighbours: Rows::from_pairs(count, beside), at_rest: Vec::new() };
        let one_ring: Vec<(f64, Vector3<f64>)> = (0..count)
            .map(|p| {
                rings
                    .with_neighbours(p)
                    .fold((0.0, Vector3::zeros()), |(n, sum), q| (n + 1.0, sum + (rest[q] - rest[0])))
            })
            .collect();
        rings.at_rest = (0..count)
            .map(|p| {
                let ring = rings.with_neighbours(p).map(|q| one_ring[q]);
                ring.fold((0.0, Vector3::zeros()), |a, b| (a.0 + b.0, a.1 + b.1))
            })
            .collect();
        rings
    }

    fn with_neighbours(&self, p: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(p).chain(self.neighbours.row(p).iter().map(|q| *q as usize))
    }

    /// The rotation that takes the two rings around a point best from rest to where they are; `turns` keeps what
    /// was worked out of the same skin.
    pub(super) fn rotation(
        &self,
        p: usize,
        [rest, now]: [&[Point3<f64>]; 2],
        turns: &mut Turns,
    ) -> Matrix3<f64> {
        if let Some(turn) = turns.turns[p] {
            return turn;
        }
        let mut two_rings = RingSum { now: Vector3::zeros(), products: Matrix3::zeros() };
        for q in self.with_neighbours(p) {
            let ring = turns.sums[q].get_or_insert_with(|| self.sum(q, rest, now));
            two_rings.now += ring.now;
            two_rings.products += ring.products;
        }
        let (count, from) = self.at_rest[p];
        let linear = two_rings.products - two_rings.now * from.transpose() / count;
        let turn = Affine { linear, translation: Vector3::zeros() }.nearest_rotation();
        *turns.turns[p].insert(turn.to_rotation_matrix().into_inner())
    }

    /// Relative to the first point, so that little is lost to rounding far from the origin.
    fn sum(&self, p: usize, rest: &[Point3<f64>], now: &[Point3<f64>]) -> RingSum {
        let mut sum = RingSum { now: Vector3::zeros(), products: Matrix3::zeros() };
        for q in self.with_neighbours(p) {
            let (a, b) = (rest[q] - rest[0], now[q] - now[0]);
            sum.now += b;
            sum.products += b * a.transpose();
        }
        sum
    }
}
