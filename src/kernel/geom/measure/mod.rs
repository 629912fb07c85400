//! Measures of surfaces that were deformed: what shapes alone tell. What a skin does on its skeleton is
//! measured by `kernel::measure`, which puts these figures together.

pub mod damage;
mod harm;
pub mod intersections;
mod opposite;
mod rings;
pub mod stretch;

use nalgebra::Point3;

pub use intersections::CrossingPairs;

/// Signed volume inside closed triangles: Σ a · (b × c) / 6.
pub fn volume(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> f64 {
    triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|p| points[p as usize].coords);
            a.dot(&b.cross(&c)) / 6.0
        })
        .sum()
}

/// The value below which `fraction` of the values lie; `fallback` when there is none. Sorts `values`.
pub fn percentile(values: &mut [f64], fraction: f64, fallback: f64) -> f64 {
    if values.is_empty() {
        return fallback;
    }
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * fraction).round() as usize]
}

/// Root mean square and largest distance between two skins, in percent of the rest diagonal.
pub fn error_percent(a: &[Point3<f32>], b: &[Point3<f32>], diagonal: f64) -> (f64, f64) {
    let squares: Vec<f64> =
        a.iter().zip(b).map(|(a, b)| (a.cast::<f64>() - b.cast::<f64>()).norm_squared()).collect();
    let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
    let largest = squares.iter().copied().fold(0.0, f64::max);
    (100.0 * mean.sqrt() / diagonal, 100.0 * largest.sqrt() / diagonal)
}
