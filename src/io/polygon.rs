//! Triangles of a polygon in space: a fan where it is convex, ears cut off where it is not, in the plane of Newell's
//! normal. n corners always give n − 2 triangles.

use earcut::Earcut;
use nalgebra::{Point3, Vector3};

/// Corner numbers of each triangle, in the polygon's winding. Fewer than three corners give none.
pub fn triangulate(corners: &[Point3<f64>]) -> Vec<[usize; 3]> {
    let n = corners.len();
    if n < 3 {
        return Vec::new();
    }
    if n > 3 {
        let flat = project(corners);
        let scale = flat.iter().flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
        let tolerance = 1e-12 * scale * scale;
        let convex = (0..n)
            .all(|k| doubled_area(flat[(k + n - 1) % n], flat[k], flat[(k + 1) % n]) >= -tolerance)
            // A star winds twice and turns left everywhere.
            && (1..n - 1).all(|k| doubled_area(flat[0], flat[k], flat[k + 1]) >= -tolerance);
        // A polygon that crosses itself or lies on a line leaves the cutter with fewer.
        if !convex && let Some(ears) = cut_ears(&flat).filter(|ears| ears.len() == n - 2) {
            return ears;
        }
    }
    (1..n - 1).map(|k| [0, k, k + 1]).collect()
}

/// Coordinates in the plane of Newell's normal, the first corner at the origin.
fn project(corners: &[Point3<f64>]) -> Vec<[f64; 2]> {
    let origin = corners[0];
    let mut normal = Vector3::zeros();
    for (k, here) in corners.iter().enumerate() {
        let next = &corners[(k + 1) % corners.len()];
        normal += (here - origin).cross(&(next - origin));
    }
    let normal = normal.try_normalize(0.0).unwrap_or_else(Vector3::z);
    let u = normal.cross(&Vector3::ith(normal.iamin(), 1.0)).normalize();
    let v = normal.cross(&u);
    corners.iter().map(|p| [(p - origin).dot(&u), (p - origin).dot(&v)]).collect()
}

fn doubled_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Triangles in the polygon's winding, which is counter-clockwise here; none where one has no area.
fn cut_ears(flat: &[[f64; 2]]) -> Option<Vec<[usize; 3]>> {
    let mut corners: Vec<usize> = Vec::new();
    Earcut::new().earcut(flat.iter().copied(), &[], &mut corners);
    let (triangles, _) = corners.as_chunks::<3>();
    let wound = |[a, b, c]: [usize; 3]| match doubled_area(flat[a], flat[b], flat[c]) {
        area if area > 0.0 => Some([a, b, c]),
        area if area < 0.0 => Some([a, c, b]),
        _ => None,
    };
    triangles.iter().map(|corners| wound(*corners)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(corners: &[Point3<f64>], triangles: &[[usize; 3]]) -> f64 {
        let doubled =
            |[a, b, c]: [usize; 3]| (corners[b] - corners[a]).cross(&(corners[c] - corners[a])).norm();
        triangles.iter().map(|&t| doubled(t) / 2.0).sum()
    }

    #[test]
    fn an_arrowhead_is_cut_at_its_notch() {
        let corners = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]].map(|[x, y]| Point3::new(x, 1.0, -y));
        let triangles = triangulate(&corners);
        assert_eq!(triangles.len(), 2);
        assert!((area(&corners, &triangles) - 1.0).abs() < 1e-12, "a fan would cover more than the polygon");
    }

    proptest! {
        /// A polygon whose corners go once around a centre is simple whatever their distances;
        /// its area is known, and a triangulation with overlaps would have more.
        #[test]
        fn a_ragged_star_is_covered_once(radii in prop::collection::vec(0.1_f64..3.0, 3..24)) {
            let n = radii.len() as f64;
            let corners: Vec<_> = radii.iter().enumerate().map(|(k, r)| {
                let angle = std::f64::consts::TAU * k as f64 / n;
                Point3::new(r * angle.cos(), 0.5, r * angle.sin())
            }).collect();
            let triangles = triangulate(&corners);
            prop_assert_eq!(triangles.len(), corners.len() - 2);
            let centre = Point3::new(0.0, 0.5, 0.0);
            let exact: f64 = (0..corners.len()).map(|k| {
                (corners[k] - centre).cross(&(corners[(k + 1) % corners.len()] - centre)).norm() / 2.0
            }).sum();
            prop_assert!((area(&corners, &triangles) - exact).abs() < 1e-9 * exact.max(1.0));
        }
    }
}
