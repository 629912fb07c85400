//! An independent judge: many rays from a point, the first triangle that each meets, and its
//! barycentric coordinates there over the distance, added up.

use nalgebra::{Point3, Vector3};

use super::shapes::*;
use super::{farthest_apart, rows};
use crate::kernel::coords::{Cage, Kind, Place};

/// Weights by `count` directions of a Fibonacci spiral.
fn by_rays(cage: &Cage, p: &Point3<f64>, count: usize) -> Vec<f64> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let corners: Vec<[Vector3<f64>; 3]> =
        cage.triangles.iter().map(|t| t.map(|c| cage.positions[c as usize] - p)).collect();
    let mut weights = vec![0.0; cage.positions.len()];
    for k in 0..count {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
        let (sine, cosine) = (golden * k as f64).sin_cos();
        let radius = (1.0 - z * z).sqrt();
        let direction = Vector3::new(radius * cosine, radius * sine, z);
        let mut first: Option<(f64, usize, [f64; 3])> = None;
        for (t, [a, b, c]) in corners.iter().enumerate() {
            let volume = a.dot(&b.cross(c));
            let shares = [b.cross(c), c.cross(a), a.cross(b)].map(|n| n.dot(&direction) / volume);
            let sum: f64 = shares.iter().sum();
            if shares.iter().all(|s| *s >= 0.0) && first.is_none_or(|(nearest, ..)| 1.0 / sum < nearest) {
                first = Some((1.0 / sum, t, shares.map(|s| s / sum)));
            }
        }
        let Some((distance, t, barycentric)) = first else { continue };
        for (c, share) in cage.triangles[t].iter().zip(barycentric) {
            weights[*c as usize] += share / distance;
        }
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|w| w / sum).collect()
}

fn worst(cage: &Cage, points: &[Point3<f64>], count: usize) -> f64 {
    let exact = rows(cage, points, Kind::Positive);
    assert!(exact.iter().all(|row| row.1 == Place::Inside));
    points
        .iter()
        .zip(exact)
        .map(|(p, (row, _))| farthest_apart(&row, &by_rays(cage, p, count)))
        .fold(0.0, f64::max)
}

fn in_the_u() -> [Point3<f64>; 4] {
    [[0.4, 2.6, 0.5], [2.7, 1.9, 0.2], [0.55, 1.2, 0.7], [1.6, 0.5, 0.35]].map(Point3::from)
}

#[test]
fn exact_rows_agree_with_rays() {
    assert!(worst(&u_shape(), &in_the_u(), 40_000) < 2e-3);
    let crossing = [Point3::new(-0.7, 0.2, 0.4), Point3::new(1.7, 1.2, -0.3), Point3::new(0.6, 0.1, 0.5)];
    assert!(worst(&crossing_cubes(), &crossing, 40_000) < 2e-3);
    assert!(
        worst(&pushed_ball(), &[Point3::new(0.5, 0.1, -0.3), Point3::new(0.01, 0.02, -1.3)], 20_000) < 4e-3
    );
    let middle = |along: f64| Point3::new((5.0 * along).cos(), (5.0 * along).sin(), 0.05);
    assert!(worst(&bent_tube(10, 10, 1.0), &[0.2, 0.5, 0.8].map(middle), 20_000) < 4e-3);
}

#[test]
#[ignore = "a million rays for each point"]
fn exact_rows_agree_with_a_million_rays() {
    let error = worst(&u_shape(), &in_the_u(), 1_000_000);
    println!("U: {error:.2e}");
    assert!(error < 1e-3);
    let middle = |along: f64| Point3::new((5.0 * along).cos(), (5.0 * along).sin(), 0.05);
    let error = worst(&bent_tube(10, 10, 1.0), &[0.1, 0.3, 0.5, 0.8].map(middle), 1_000_000);
    println!("bent tube: {error:.2e}");
    assert!(error < 1e-3);
    let error =
        worst(&crossing_cubes(), &[Point3::new(-0.7, 0.2, 0.4), Point3::new(0.6, 0.1, 0.5)], 1_000_000);
    println!("crossing cubes: {error:.2e}");
    assert!(error < 1e-3);
    let error =
        worst(&pushed_ball(), &[Point3::new(0.5, 0.1, -0.3), Point3::new(0.01, 0.02, -1.3)], 1_000_000);
    println!("pushed ball: {error:.2e}");
    assert!(error < 1e-3);
    let error =
        worst(&crumpled_ball(), &[Point3::new(0.1, 0.2, 0.1), Point3::new(-0.3, 0.1, -0.4)], 1_000_000);
    println!("crumpled ball: {error:.2e}");
    assert!(error < 1e-3);
}
