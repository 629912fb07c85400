//! Vertex normals: smooth ones weighted by corner angles (Thürmer and Wüthrich 1998).

use nalgebra::{Point3, Vector3};

use super::Surface;

/// Smooth unit normal of each point; points without a triangle of area get +Y.
pub fn smooth(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> Vec<Vector3<f64>> {
    let mut sums = vec![Vector3::zeros(); points.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|p| points[p as usize]);
        let Some(face) = (b - a).cross(&(c - a)).try_normalize(0.0) else { continue };
        for (k, [here, next, last]) in [[a, b, c], [b, c, a], [c, a, b]].into_iter().enumerate() {
            sums[corners[k] as usize] += face * (next - here).angle(&(last - here));
        }
    }
    sums.iter().map(|sum| sum.try_normalize(0.0).unwrap_or_else(Vector3::y)).collect()
}

/// Makes `normals` one unit vector per vertex: absent, zero or non-finite ones become smooth.
pub fn complete(normals: &mut Vec<Vector3<f32>>, surface: &Surface) {
    let usable = |n: &Vector3<f32>| n.norm_squared().is_finite() && n.norm_squared() > 1e-12;
    if !normals.is_empty() && normals.iter().all(usable) {
        for normal in normals.iter_mut() {
            normal.normalize_mut();
        }
        return;
    }
    let smooth = surface.spread(&smooth(&surface.points, &surface.triangles));
    normals.resize(smooth.len(), Vector3::zeros());
    for (normal, smooth) in normals.iter_mut().zip(smooth) {
        *normal = if usable(normal) { normal.normalize() } else { smooth.cast() };
    }
}
