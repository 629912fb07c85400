//! Mirror planes, and which point of a mesh lies opposite of which.

use std::collections::HashMap;

use nalgebra::{Point3, Quaternion, Unit, UnitQuaternion, Vector3};

use crate::kernel::geom::Surface;
use crate::kernel::geom::surface::cells_between;

/// The points x with `normal` · x = `offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// At right angles to it.
    pub normal: Unit<Vector3<f64>>,
    /// Its distance from the origin along the normal, in metres.
    pub offset: f64,
}

impl Plane {
    /// The plane x = `offset`.
    pub fn x(offset: f64) -> Self {
        Self { normal: Vector3::x_axis(), offset }
    }

    /// How far the point is from it, positive where the normal points.
    pub fn distance(&self, p: &Point3<f64>) -> f64 {
        self.normal.dot(&p.coords) - self.offset
    }

    /// The mirror image of a point.
    pub fn reflect(&self, p: &Point3<f64>) -> Point3<f64> {
        p - self.normal.into_inner() * (2.0 * self.distance(p))
    }

    /// The mirror image of a direction.
    pub fn reflect_vector(&self, v: &Vector3<f64>) -> Vector3<f64> {
        v - self.normal.into_inner() * (2.0 * self.normal.dot(v))
    }

    /// The rotation that does to mirror images what `turn` does to originals: S R S.
    pub fn reflect_rotation(&self, turn: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        // An axis of rotation is no direction: it is mirrored and turned round.
        let axis = -self.reflect_vector(&turn.imag());
        UnitQuaternion::new_unchecked(Quaternion::from_parts(turn.w, axis))
    }
}

/// The end of a chain of points in one cell.
const END: u32 = u32::MAX;
/// Width of a cell, in tolerances.
const CELL: f64 = 4.0;

/// For each welded point of a surface the one opposite of it.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexMirror {
    partner: Vec<u32>,
}

impl VertexMirror {
    /// Partners are the nearest points to the mirror images, no farther than half of the mean edge.
    pub fn of(surface: &Surface, plane: &Plane) -> Self {
        let edges = surface.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        let lengths = edges.map(|(a, b)| (surface.points[a as usize] - surface.points[b as usize]).norm());
        let mean = lengths.sum::<f64>() / (3 * surface.triangles.len()).max(1) as f64;
        Self::within(surface, plane, (0.5 * mean).max(1e-6 * surface.diagonal()))
    }

    /// As [`Self::of`], no farther than `tolerance` metres.
    pub fn within(surface: &Surface, plane: &Plane, tolerance: f64) -> Self {
        let reach = tolerance.max(1e-9 * surface.diagonal()).max(f64::MIN_POSITIVE);
        // Cells are wider than the reach, so that most images look into few of them.
        let cell = CELL * reach;
        let key = |p: &Point3<f64>, off: f64| [p.x, p.y, p.z].map(|x| ((x + off) / cell).floor() as i64);
        let mut latest: HashMap<[i64; 3], u32> = HashMap::with_capacity(surface.points.len());
        let mut earlier = vec![END; surface.points.len()];
        for (k, p) in surface.points.iter().enumerate() {
            earlier[k] = latest.insert(key(p, 0.0), k as u32).unwrap_or(END);
        }
        let nearest = |image: &Point3<f64>| {
            let mut best = (reach * reach, END);
            for there in cells_between(key(image, -reach), key(image, reach)) {
                let mut q = latest.get(&there).copied().unwrap_or(END);
                while q != END {
                    let square = (surface.points[q as usize] - image).norm_squared();
                    if (square, q) < best {
                        best = (square, q);
                    }
                    q = earlier[q as usize];
                }
            }
            best.1
        };
        Self { partner: surface.points.iter().map(|p| nearest(&plane.reflect(p))).collect() }
    }

    /// The point opposite of point `p`, itself on the plane; `None` where there is none near enough.
    pub fn partner(&self, p: usize) -> Option<usize> {
        self.partner.get(p).copied().filter(|&q| q != END).map(|q| q as usize)
    }

    /// How many points have a partner.
    pub fn matched(&self) -> usize {
        self.partner.iter().filter(|&&q| q != END).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;

    #[test]
    fn reflecting_a_rotation_is_reflecting_before_and_after() {
        let plane = Plane { normal: Unit::new_normalize(Vector3::new(1.0, 0.3, -0.2)), offset: 0.4 };
        let turn = UnitQuaternion::from_euler_angles(0.4, -1.0, 2.0);
        let v = Vector3::new(0.3, -0.7, 0.9);
        let there = plane.reflect_rotation(&turn) * v;
        assert!((there - plane.reflect_vector(&(turn * plane.reflect_vector(&v)))).norm() < 1e-12);
        let p = Point3::from(v);
        assert!((plane.reflect(&plane.reflect(&p)) - p).norm() < 1e-12);
        assert!((plane.distance(&p) + plane.distance(&plane.reflect(&p))).abs() < 1e-12);
    }

    #[test]
    fn points_of_a_symmetric_body_find_each_other_and_strays_nobody() {
        let tube = forge::build("tube", None).expect("built in");
        let surface = tube.mesh.surface();
        // The tube lies along x from 0 to 4 with rings of 32 points: symmetric in z, not about x = 1.
        let across = VertexMirror::of(surface, &Plane { normal: Vector3::z_axis(), offset: 0.0 });
        assert_eq!(across.matched(), surface.points.len());
        for (k, p) in surface.points.iter().enumerate() {
            let q = across.partner(k).expect("matched");
            assert_eq!(across.partner(q), Some(k));
            let image = Point3::new(p.x, p.y, -p.z);
            assert!((surface.points[q] - image).norm() < 1e-5);
        }
        let off = VertexMirror::of(surface, &Plane::x(1.0));
        assert!(off.matched() < surface.points.len() * 6 / 10);
        assert_eq!(off.partner(usize::MAX), None);
        assert_eq!(VertexMirror::of(&Surface::default(), &Plane::x(0.0)).matched(), 0);
    }
}
