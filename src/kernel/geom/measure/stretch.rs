//! Stretch, strain and flips: what the deformation does to triangles and edges.
//!
//! A triangle's map from rest to deformed is F = D R⁻¹ with R the 2×2 matrix of its rest edges in
//! its plane and D the 3×2 matrix of its deformed edges; the singular values of F are its stretches.
//! A flip is a triangle whose normal points against the rest normal turned by the rotation that
//! best fits its neighbourhood (Kabsch over the edges around its corners).

use nalgebra::{Matrix2, Matrix3, Matrix3x2, Point3, Vector3};
use rayon::prelude::*;

use super::percentile;
use crate::kernel::geom::Surface;
use crate::kernel::geom::connectivity::edges::Edges;
use crate::kernel::math::Affine;

/// Stretch of one deformed skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// First percentile of the smaller singular value.
    pub p1: f64,
    /// 99th percentile of the larger one.
    pub p99: f64,
    /// The larger of the greatest stretch and the inverse of the greatest squeeze.
    pub worst: f64,
    /// Root mean square of edge stretch, in percent.
    pub strain_percent: f64,
    /// Triangles turned inside out.
    pub flips: usize,
}

/// R: the edges from the first corner of a triangle to the second and the third, in its own plane, the first along x.
pub(in crate::kernel::geom) fn edges_in_plane([a, b, c]: [Point3<f64>; 3]) -> Matrix2<f64> {
    let (u, v) = (b - a, c - a);
    let length = u.norm();
    let along = u.dot(&v) / length.max(f64::MIN_POSITIVE);
    let high = (v - u * (along / length.max(f64::MIN_POSITIVE))).norm();
    Matrix2::new(length, along, 0.0, high)
}

/// What is known of the rest triangles and edges.
pub struct RestShapes {
    /// R⁻¹ per triangle; `None` where the triangle has no area.
    inverses: Vec<Option<Matrix2<f64>>>,
    edges: Vec<([u32; 2], f64)>,
}

impl RestShapes {
    /// Works out the rest triangles and edges.
    pub fn new(surface: &Surface) -> Self {
        let smallest = surface.diagonal().powi(2) * 1e-14;
        let inverses = (0..surface.triangles.len())
            .map(|t| {
                let edges = edges_in_plane(surface.corners(t));
                if edges.determinant() > smallest { edges.try_inverse() } else { None }
            })
            .collect();
        let length = |[p, q]: [u32; 2]| (surface.points[p as usize] - surface.points[q as usize]).norm();
        let edges =
            Edges::of(&surface.triangles).points.into_iter().map(|edge| (edge, length(edge))).collect();
        Self { inverses, edges }
    }

    /// Judges the deformed `points`; strain is taken where both ends of an edge are `near`.
    pub fn stretch(&self, surface: &Surface, points: &[Point3<f64>], near: &[bool]) -> Stretch {
        let (mut least, mut most) = self.values(surface, points, |_| true);
        let p1 = percentile(&mut least, 0.01, 1.0);
        let p99 = percentile(&mut most, 0.99, 1.0);
        let squeezed = least.first().copied().unwrap_or(1.0);
        let stretched = most.last().copied().unwrap_or(1.0);
        Stretch {
            p1,
            p99,
            worst: stretched.max(1.0 / squeezed.max(1e-12)),
            strain_percent: self.strain_percent(points, near),
            flips: flips(surface, points),
        }
    }

    /// First and 99th percentile over the triangles that `counts`.
    pub fn percentiles(
        &self,
        surface: &Surface,
        points: &[Point3<f64>],
        counts: impl Fn(&[u32; 3]) -> bool + Sync,
    ) -> [f64; 2] {
        let (mut least, mut most) = self.values(surface, points, counts);
        [percentile(&mut least, 0.01, 1.0), percentile(&mut most, 0.99, 1.0)]
    }

    /// Smaller and larger singular values of the maps of the triangles that `counts`.
    fn values(
        &self,
        surface: &Surface,
        points: &[Point3<f64>],
        counts: impl Fn(&[u32; 3]) -> bool + Sync,
    ) -> (Vec<f64>, Vec<f64>) {
        let triangles =
            self.inverses.par_iter().zip(&surface.triangles).filter(|(_, corners)| counts(corners));
        triangles
            .filter_map(|(inverse, corners)| {
                let [a, b, c] = corners.map(|p| points[p as usize]);
                inverse.map(|inverse| singular_values(&(Matrix3x2::from_columns(&[b - a, c - a]) * inverse)))
            })
            .unzip()
    }

    fn strain_percent(&self, points: &[Point3<f64>], near: &[bool]) -> f64 {
        let (mut sum, mut count) = (0.0, 0_usize);
        for ([a, b], length) in &self.edges {
            let (a, b) = (*a as usize, *b as usize);
            if near[a] && near[b] && *length > 0.0 {
                sum += ((points[a] - points[b]).norm() / length - 1.0).powi(2);
                count += 1;
            }
        }
        100.0 * (sum / count.max(1) as f64).sqrt()
    }
}

/// Smaller and larger singular value of a 3×2 matrix, from the eigenvalues of FᵀF.
pub(in crate::kernel::geom) fn singular_values(f: &Matrix3x2<f64>) -> (f64, f64) {
    let (a, b, c) = (f.column(0).norm_squared(), f.column(0).dot(&f.column(1)), f.column(1).norm_squared());
    let (mean, radius) = ((a + c) / 2.0, (((a - c) / 2.0).powi(2) + b * b).sqrt());
    ((mean - radius).max(0.0).sqrt(), (mean + radius).sqrt())
}

fn flips(surface: &Surface, points: &[Point3<f64>]) -> usize {
    let normal = |[a, b, c]: [Point3<f64>; 3]| -> Vector3<f64> { (b - a).cross(&(c - a)) };
    let mut covariance = vec![Matrix3::<f64>::zeros(); points.len()];
    for (t, corners) in surface.triangles.iter().enumerate() {
        let (rest, now) = (surface.corners(t), corners.map(|p| points[p as usize]));
        let sum: Matrix3<f64> = (0..3)
            .map(|k| {
                let next = (k + 1) % 3;
                (now[next] - now[k]) * (rest[next] - rest[k]).transpose()
            })
            .sum();
        for &p in corners {
            covariance[p as usize] += sum;
        }
    }
    (0..surface.triangles.len())
        .into_par_iter()
        .filter(|&t| {
            let corners = surface.triangles[t];
            let (rest, now) = (normal(surface.corners(t)), normal(corners.map(|p| points[p as usize])));
            if rest.norm() < 1e-300 || now.norm() < 1e-300 {
                return false;
            }
            let linear: Matrix3<f64> = corners.iter().map(|&p| covariance[p as usize]).sum();
            let rotation = Affine { linear, translation: Vector3::zeros() }.nearest_rotation();
            (rotation * rest).dot(&now) < 0.0
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flat grid of 5 × 5 points in the plane z = 0.
    fn grid() -> Surface {
        let positions: Vec<Point3<f32>> =
            (0..25).map(|k| Point3::new((k % 5) as f32, (k / 5) as f32, 0.0)).collect();
        let triangles: Vec<[u32; 3]> = (0..16)
            .flat_map(|k| {
                let a = k / 4 * 5 + k % 4;
                [[a, a + 1, a + 6], [a, a + 6, a + 5]]
            })
            .collect();
        Surface::weld(&positions, &triangles)
    }

    #[test]
    fn a_known_stretch_is_read_back() {
        let surface = grid();
        let points: Vec<_> = surface.points.iter().map(|p| Point3::new(2.0 * p.x, 0.0, 0.5 * p.y)).collect();
        let stretch = RestShapes::new(&surface).stretch(&surface, &points, &[true; 25]);
        assert!((stretch.p99 - 2.0).abs() < 1e-12 && (stretch.p1 - 0.5).abs() < 1e-12);
        assert!((stretch.worst - 2.0).abs() < 1e-12);
        assert_eq!(stretch.flips, 0, "a turned plane is not a flip");
    }

    #[test]
    fn a_folded_over_corner_is_a_flip() {
        let surface = grid();
        let mut points = surface.points.clone();
        points[12] = Point3::new(3.7, 3.3, 0.0);
        let stretch = RestShapes::new(&surface).stretch(&surface, &points, &[true; 25]);
        assert!(stretch.flips >= 1);
    }
}
