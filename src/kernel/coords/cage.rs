//! A closed triangle cage, and the checked form of it that the coordinates are computed from.
//!
//! [`Net`] holds the cage in a box of unit diagonal around the origin, so that every tolerance is a
//! plain number; its triangles wind outward, and each knows its edges, which two triangles share
//! and which are therefore worked out once for a point.

use std::collections::HashMap;

use nalgebra::{Point3, Vector3};

use super::CoordsError;
use crate::kernel::geom::bounds;

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

/// The edge opposite to a corner of a triangle, seen from that triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub edge: u32,
    /// +1 where the triangle runs along the edge from its lower to its higher vertex, -1 otherwise.
    pub sign: f64,
}

/// A checked cage in the unit box.
#[derive(Debug)]
pub(super) struct Net {
    pub points: Vec<Vector3<f64>>,
    pub triangles: Vec<[u32; 3]>,
    /// Vertices of each edge, the lower first.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each triangle; side `k` is opposite to corner `k`.
    pub sides: Vec<[Side; 3]>,
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
        let (mut edges, mut sides) = edges_of(&triangles);
        check_closed(&edges, &sides)?;
        if unbalanced(&edges, &sides) > 0 {
            wind_alike(&mut triangles, &edges, &sides);
            (edges, sides) = edges_of(&triangles);
            match unbalanced(&edges, &sides) {
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
            (edges, sides) = edges_of(&triangles);
        }
        let normals = triangles.iter().map(|&t| unit_normal(t.map(corner))).collect();
        Ok(Self { points, triangles, edges, sides, normals, center, diagonal })
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

fn edges_of(triangles: &[[u32; 3]]) -> (Vec<[u32; 2]>, Vec<[Side; 3]>) {
    let mut numbers: HashMap<[u32; 2], u32> = HashMap::with_capacity(triangles.len() * 3 / 2);
    let mut edges = Vec::with_capacity(triangles.len() * 3 / 2);
    let mut side = |from: u32, to: u32| {
        let key = [from.min(to), from.max(to)];
        let edge = *numbers.entry(key).or_insert_with(|| {
            edges.push(key);
            edges.len() as u32 - 1
        });
        Side { edge, sign: if from <= to { 1.0 } else { -1.0 } }
    };
    let sides = triangles.iter().map(|&[a, b, c]| [side(b, c), side(c, a), side(a, b)]).collect();
    (edges, sides)
}

/// Every edge between two vertices must be used an even number of times.
fn check_closed(edges: &[[u32; 2]], sides: &[[Side; 3]]) -> Result<(), CoordsError> {
    let mut uses = vec![0_u32; edges.len()];
    for side in sides.iter().flatten() {
        uses[side.edge as usize] += 1;
    }
    let open = edges.iter().zip(&uses).filter(|([a, b], uses)| a != b && *uses % 2 == 1).count();
    if open > 0 { Err(CoordsError::Open { edges: open }) } else { Ok(()) }
}

/// Edges that are not run along as often one way as the other.
fn unbalanced(edges: &[[u32; 2]], sides: &[[Side; 3]]) -> usize {
    let mut balance = vec![0.0; edges.len()];
    for side in sides.iter().flatten() {
        balance[side.edge as usize] += side.sign;
    }
    edges.iter().zip(&balance).filter(|([a, b], balance)| a != b && **balance != 0.0).count()
}

/// Turns triangles over so that the two at an edge run along it in opposite ways, from the first
/// triangle of each part outward. Edges of four triangles or more pass nothing on.
fn wind_alike(triangles: &mut [[u32; 3]], edges: &[[u32; 2]], sides: &[[Side; 3]]) {
    let mut at_edge: Vec<Vec<(usize, f64)>> = vec![Vec::new(); edges.len()];
    for (t, side) in sides.iter().enumerate().flat_map(|(t, sides)| sides.iter().map(move |side| (t, side))) {
        at_edge[side.edge as usize].push((t, side.sign));
    }
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut front = Vec::new();
    for first in 0..triangles.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        front.push((first, false));
        while let Some((t, is_turned)) = front.pop() {
            for side in &sides[t] {
                let [(s, s_sign), (u, u_sign)] = at_edge[side.edge as usize][..] else { continue };
                let other = if s == t { u } else { s };
                if turned[other].is_none() {
                    let turns = is_turned ^ (s_sign == u_sign);
                    turned[other] = Some(turns);
                    front.push((other, turns));
                }
            }
        }
    }
    for (triangle, turns) in triangles.iter_mut().zip(turned) {
        if turns == Some(true) {
            triangle.swap(1, 2);
        }
    }
}
