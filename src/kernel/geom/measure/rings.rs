//! The rings of neighbours around points, and how the skin has turned there.

use nalgebra::{Matrix3, Point3, Vector3};

use crate::kernel::math::Affine;

/// The neighbours of each point, once for each triangle that they share.
pub(super) struct Rings {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Rings {
    pub(super) fn new(count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut starts = vec![0_u32; count + 1];
        triangles.iter().flatten().for_each(|p| starts[*p as usize + 1] += 2);
        (0..count).for_each(|p| starts[p + 1] += starts[p]);
        let mut next = starts.clone();
        let mut neighbours = vec![0; starts[count] as usize];
        for corners in triangles {
            for k in 0..3 {
                for other in [corners[(k + 1) % 3], corners[(k + 2) % 3]] {
                    let at = &mut next[corners[k] as usize];
                    neighbours[*at as usize] = other;
                    *at += 1;
                }
            }
        }
        Self { starts, neighbours }
    }

    fn of(&self, p: usize) -> &[u32] {
        &self.neighbours[self.starts[p] as usize..self.starts[p + 1] as usize]
    }

    /// The rotation that takes the two rings around a point best from rest to where they are.
    pub(super) fn rotation(&self, p: usize, rest: &[Point3<f64>], now: &[Point3<f64>]) -> Matrix3<f64> {
        let (mut count, mut from, mut to) = (0.0, Vector3::zeros(), Vector3::zeros());
        let mut products = Matrix3::zeros();
        // Relative to the point itself, so that nothing is lost to rounding far from the origin.
        let mut add = |q: usize| {
            let (a, b) = (rest[q] - rest[p], now[q] - now[p]);
            count += 1.0;
            from += a;
            to += b;
            products += b * a.transpose();
        };
        let mut ring = |q: usize| {
            add(q);
            self.of(q).iter().for_each(|r| add(*r as usize));
        };
        ring(p);
        self.of(p).iter().for_each(|q| ring(*q as usize));
        let linear = products - to * from.transpose() / count;
        Affine { linear, translation: Vector3::zeros() }.nearest_rotation().to_rotation_matrix().into_inner()
    }
}
