//! The cotangent Laplacian of a triangle mesh, robust to bad triangles.
//!
//! For a function u on the points, (L u)_i = Σ_k w_ik (u_i − u_k) with w_ik = ½ Σ cot over the
//! angles opposite to edge ik (Pinkall and Polthier 1993), and a lumped area A_i, a third of the
//! triangles around point i. After Sharp and Crane 2020 ("A Laplacian for nonmanifold triangle
//! meshes"): edge lengths are mollified (their intrinsic mollification) so that every triangle, even a flat one, has
//! area; an edge may have any number of triangles. We depart in that edges are not flipped to
//! Delaunay; instead a negative w_ik is raised to a small positive value, which keeps what the
//! flips are for: a matrix with the maximum principle, so that solutions stay between their data.
//! Triangles repeated by a file count once.

use rayon::prelude::*;

use crate::kernel::geom::Surface;

/// How far the triangle inequality must be from equality, in mean edge lengths.
const MOLLIFY: f64 = 1e-5;
/// The least weight of an edge: less would cut a point off its neighbours.
const LEAST_WEIGHT: f64 = 1e-3;

/// Weights of the edges and areas of the points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Laplacian {
    /// Points `[lower, higher]` of each edge, rising, and its weight w > 0 (no unit).
    pub edges: Vec<([u32; 2], f64)>,
    /// Lumped area A_i of each point, in square metres; zero for points without a triangle.
    pub areas: Vec<f64>,
}

impl Laplacian {
    /// Assembles the edges and areas. The same bits on any number of threads.
    pub fn new(surface: &Surface) -> Self {
        let triangles = unique_triangles(&surface.triangles);
        let lengths: Vec<[f64; 3]> = triangles
            .par_iter()
            .map(|&[a, b, c]| {
                let [a, b, c] = [a, b, c].map(|p| surface.points[p as usize]);
                [(c - b).norm(), (a - c).norm(), (b - a).norm()]
            })
            .collect();
        let mollify = mollification(&lengths);

        let mut areas = vec![0.0; surface.points.len()];
        let mut halves: Vec<([u32; 2], f64)> = Vec::with_capacity(3 * triangles.len());
        for (corners, lengths) in triangles.iter().zip(&lengths) {
            let sides = lengths.map(|l| l + mollify);
            let area = heron(sides);
            for k in 0..3 {
                areas[corners[k] as usize] += area / 3.0;
                let [opposite, next, last] = [sides[k], sides[(k + 1) % 3], sides[(k + 2) % 3]];
                let cotangent = (next * next + last * last - opposite * opposite) / (4.0 * area);
                let (p, q) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
                halves.push(([p.min(q), p.max(q)], 0.5 * cotangent));
            }
        }
        // A stable sort keeps the order of the sums, and with it their last bits.
        halves.par_sort_by_key(|half| half.0);
        let mut edges: Vec<([u32; 2], f64)> = Vec::with_capacity(halves.len() / 2 + 1);
        for (edge, weight) in halves {
            match edges.last_mut() {
                Some(last) if last.0 == edge => last.1 += weight,
                _ => edges.push((edge, weight)),
            }
        }
        for (_, weight) in &mut edges {
            *weight = if weight.is_finite() { weight.max(LEAST_WEIGHT) } else { 1.0 };
        }
        Self { edges, areas }
    }
}

/// Each set of three corners once, in the order of first appearance.
fn unique_triangles(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut order: Vec<([u32; 3], u32)> = triangles
        .par_iter()
        .enumerate()
        .map(|(t, corners)| {
            let mut key = *corners;
            key.sort_unstable();
            (key, t as u32)
        })
        .collect();
    order.par_sort_unstable();
    order.dedup_by_key(|entry| entry.0);
    let mut kept: Vec<u32> = order.into_iter().map(|(_, t)| t).collect();
    kept.par_sort_unstable();
    kept.into_iter().map(|t| triangles[t as usize]).collect()
}

/// The length δ to add to every edge so that no triangle is flat.
fn mollification(lengths: &[[f64; 3]]) -> f64 {
    if lengths.is_empty() {
        return 0.0;
    }
    let mean = lengths.iter().flatten().sum::<f64>() / (3 * lengths.len()) as f64;
    let margin = MOLLIFY * mean;
    lengths
        .iter()
        .flat_map(|&[a, b, c]| [a + b - c, b + c - a, c + a - b])
        .map(|slack| margin - slack)
        .fold(0.0, f64::max)
}

/// Area of a triangle from its sides, stable for slivers (Kahan).
fn heron(mut sides: [f64; 3]) -> f64 {
    sides.sort_by(|a, b| b.total_cmp(a));
    let [a, b, c] = sides;
    let product = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
    0.25 * product.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::*;

    fn weight(laplacian: &Laplacian, p: u32, q: u32) -> f64 {
        laplacian.edges.iter().find(|edge| edge.0 == [p, q]).expect("an edge").1
    }

    #[test]
    fn a_square_has_the_weights_of_the_five_point_stencil() {
        let positions = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Point3::new(x, y, 0.0));
        let laplacian = Laplacian::new(&Surface::weld(&positions, &[[0, 1, 2], [0, 2, 3]]));
        assert!((weight(&laplacian, 0, 1) - 0.5).abs() < 1e-4);
        assert!(weight(&laplacian, 0, 2) <= 2.0 * LEAST_WEIGHT, "right angles do not see the diagonal");
        assert!((laplacian.areas.iter().sum::<f64>() - 1.0).abs() < 1e-4);
    }

    #[test]
    fn repeated_and_turned_triangles_count_once() {
        let positions = [[0.0, 0.0], [1.0, 0.0], [0.3, 1.0]].map(|[x, y]| Point3::new(x, y, 0.0));
        let once = Laplacian::new(&Surface::weld(&positions, &[[0, 1, 2]]));
        let often = Laplacian::new(&Surface::weld(&positions, &[[0, 1, 2], [1, 2, 0], [2, 1, 0]]));
        assert_eq!(once, often);
    }

    #[test]
    fn flat_triangles_give_finite_positive_weights() {
        let positions = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]].map(|[x, y]| Point3::new(x, y, 0.0));
        let laplacian = Laplacian::new(&Surface::weld(&positions, &[[0, 1, 2], [0, 1, 3], [1, 2, 3]]));
        assert!(laplacian.edges.iter().all(|(_, w)| w.is_finite() && *w > 0.0));
        assert!(laplacian.areas.iter().all(|a| a.is_finite() && *a > 0.0));
    }
}
