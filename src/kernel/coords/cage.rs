//! A closed triangle cage, and the checked form of it that the coordinates are computed from.
//!
//! [`Net`] holds the cage in a box of unit diagonal around the origin, so that every tolerance is a
//! plain number; its triangles wind outward, and each knows its edges, which two triangles share
//! and which are therefore worked out once for a point.

use nalgebra::{Point3, Vector3};

use super::CoordsError;
use crate::kernel::geom::bounds;
use crate::kernel::geom::connectivity::edges::Edges;

/// Twice the area below which a triangle of the unit box has no plane.
const FLAT: f64 = 1e-14;

/// A closed triangle cage. Plain data: [`super::Prepared::new`] checks it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cage {
    /// Position of each cage vertex `c`.
    pub positions: Vec<Point3<f64>>,
    /// Cage vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// A checked cage in the unit box.
#[derive(Debug)]
pub(super) struct Net {
    pub points: Vec<Vector3<f64>>,
    pub triangles: Vec<[u32; 3]>,
    /// Where the triangles meet.
    pub edges: Edges,
    /// Unit normal of each triangle, outward; zero for a triangle without area.
    pub normals: Vec<Vector3<f64>>,
    center: Point3<f64>,
    diagonal: f64,
}

impl Net {
    /// Checks that the cage is finite and closed, and turns its triangles outward.
    pub fn new(cage: &Cage) -> Result<Self, CoordsError> {
        let count = cage.positions.len();
        if let Some(index) = cage.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(CoordsError::NotFinite { what: "cage vertex", index });
        }
        for (triangle, corners) in cage.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&c| c as usize >= count) {
                return Err(CoordsError::Index { triangle, vertex, count });
            }
        }
        let used = cage.triangles.iter().flatten().map(|&c| cage.positions[c as usize]);
        let [low, high] = bounds(used).ok_or(CoordsError::Empty)?;
        let diagonal = (high - low).norm();
        if !(diagonal > 0.0 && diagonal.is_finite()) {
            return Err(CoordsError::Empty);
        }
        let center = nalgebra::center(&low, &high);
        let points: Vec<_> = cage.positions.iter().map(|p| (p - center) / diagonal).collect();
        let mut triangles = cage.triangles.clone();
        let mut edges = Edges::of(&triangles);
        check_closed(&edges)?;
        if unbalanced(&edges) > 0 {
            edges.wind_alike(&mut triangles);
            edges = Edges::of(&triangles);
            match unbalanced(&edges) {
                0 => {}
                uneven => return Err(CoordsError::OneSided { edges: uneven }),
            }
        }
        let corner = |c: u32| points[c as usize];
        let volume: f64 =
            triangles.iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c)))).sum();
        if volume < 0.0 {
            for triangle in &mut triangles {
                triangle.swap(1, 2);
            }
            edges = Edges::of(&triangles);
        }
        let normals = triangles.iter().map(|&t| unit_normal(t.map(corner))).collect();
        Ok(Self { points, triangles, edges, normals, center, diagonal })
    }

    /// A point in the cage's own space brought to the unit box.
    pub fn to_unit(&self, p: &Point3<f64>) -> Vector3<f64> {
        (p - self.center) / self.diagonal
    }

    /// Corners of triangle `t`.
    pub fn corners(&self, t: usize) -> [Vector3<f64>; 3] {
        self.triangles[t].map(|c| self.points[c as usize])
    }

    /// Whether triangle `t` is a line or a point.
    pub fn is_flat(&self, t: usize) -> bool {
        self.normals[t] == Vector3::zeros()
    }

    /// How far `x` lies outside of the plane of triangle `t`.
    pub fn above(&self, t: usize, x: &Vector3<f64>) -> f64 {
        self.normals[t].dot(&(x - self.points[self.triangles[t][0] as usize]))
    }
}

fn unit_normal([a, b, c]: [Vector3<f64>; 3]) -> Vector3<f64> {
    let normal = (b - a).cross(&(c - a));
    let size = normal.norm();
    if size > FLAT { normal / size } else { Vector3::zeros() }
}

/// Every edge between two vertices must be used an even number of times.
fn check_closed(edges: &Edges) -> Result<(), CoordsError> {
    let open = edges.points.iter().zip(edges.uses()).filter(|([a, b], uses)| a != b && uses.count() % 2 == 1);
    match open.count() {
        0 => Ok(()),
        open => Err(CoordsError::Open { edges: open }),
    }
}

/// Edges that are not run along as often one way as the other.
fn unbalanced(edges: &Edges) -> usize {
    edges.points.iter().zip(edges.uses()).filter(|([a, b], uses)| a != b && uses.up != uses.down).count()
}
