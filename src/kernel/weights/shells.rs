//! The pieces of a surface, and what can be trusted of each: closed or open, which side is out.

use rayon::prelude::*;

use crate::kernel::geom::Surface;
use crate::kernel::geom::topology::DisjointSets;

/// Connected pieces of a surface. Points without a triangle belong to none ([`Shells::NONE`]).
#[derive(Debug)]
pub struct Shells {
    /// The piece of each point.
    pub of_point: Vec<u32>,
    /// Whether every edge of the piece has two triangles that wind alike: it has an inside.
    pub closed: Vec<bool>,
    /// +1 where the winding puts the normals outside, −1 where the piece is inside out.
    pub outward: Vec<f64>,
    /// Points on an edge with a single triangle.
    pub on_border: Vec<bool>,
}

impl Shells {
    /// The piece of points without a triangle.
    pub const NONE: u32 = u32::MAX;

    /// Reads the pieces off the triangles.
    pub fn of(surface: &Surface) -> Self {
        let (of_point, count) = number(surface);
        let mut closed = vec![true; count];
        let mut volume = vec![0.0; count];
        let mut on_border = vec![false; surface.points.len()];
        let middle = nalgebra::center(&surface.bounds()[0], &surface.bounds()[1]);
        let mut edges: Vec<([u32; 2], bool)> = Vec::with_capacity(3 * surface.triangles.len());
        for (t, &[a, b, c]) in surface.triangles.iter().enumerate() {
            let [p, q, r] = surface.corners(t).map(|corner| corner - middle);
            volume[of_point[a as usize] as usize] += p.dot(&q.cross(&r));
            for (from, to) in [(a, b), (b, c), (c, a)] {
                edges.push(([from.min(to), from.max(to)], from < to));
            }
        }
        edges.par_sort_unstable();
        for uses in edges.chunk_by(|x, y| x.0 == y.0) {
            let [p, q] = uses[0].0;
            if uses.len() == 1 {
                on_border[p as usize] = true;
                on_border[q as usize] = true;
            }
            if uses.len() != 2 || uses[0].1 == uses[1].1 {
                closed[of_point[p as usize] as usize] = false;
            }
        }
        let outward = volume.iter().map(|v| if *v < 0.0 { -1.0 } else { 1.0 }).collect();
        Self { of_point, closed, outward, on_border }
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.closed.len()
    }
}

/// The piece of each point, numbered by first point, and how many there are.
fn number(surface: &Surface) -> (Vec<u32>, usize) {
    let mut sets = DisjointSets::new(surface.points.len());
    let mut of_point = vec![Shells::NONE; surface.points.len()];
    for &[a, b, c] in &surface.triangles {
        sets.join(a, b);
        sets.join(b, c);
        for p in [a, b, c] {
            of_point[p as usize] = 0;
        }
    }
    let mut count = 0;
    for p in 0..of_point.len() {
        if of_point[p] != Shells::NONE {
            // The lowest point of a piece stands for it, so it was numbered before.
            let root = sets.root(p as u32) as usize;
            of_point[p] = if root == p { count } else { of_point[root] };
            count += u32::from(root == p);
        }
    }
    (of_point, count as usize)
}
