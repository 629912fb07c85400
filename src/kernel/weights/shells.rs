//! The pieces of a surface, and what can be trusted of each: closed or open, which side is out.

use crate::kernel::geom::Surface;
use crate::kernel::geom::connectivity::edges::Edges;
use crate::kernel::geom::connectivity::topology::components;

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
        let (of_point, count) = components(surface);
        let mut closed = vec![true; count];
        let mut volume = vec![0.0; count];
        let mut on_border = vec![false; surface.points.len()];
        let middle = nalgebra::center(&surface.bounds()[0], &surface.bounds()[1]);
        for (t, corners) in surface.triangles.iter().enumerate() {
            let [p, q, r] = surface.corners(t).map(|corner| corner - middle);
            volume[of_point[corners[0] as usize] as usize] += p.dot(&q.cross(&r));
        }
        let edges = Edges::of(&surface.triangles);
        for ([p, q], uses) in edges.points.iter().zip(edges.uses()) {
            if uses.count() == 1 {
                on_border[*p as usize] = true;
                on_border[*q as usize] = true;
            }
            if [uses.up, uses.down] != [1, 1] {
                closed[of_point[*p as usize] as usize] = false;
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
