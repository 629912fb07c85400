//! An order of points in which neighbours are mostly near each other.

use nalgebra::Point3;

use super::bounds::bounds;

/// Ten bits of each coordinate in turn: near codes are mostly near points.
pub fn morton_codes(points: impl Iterator<Item = Point3<f32>> + Clone) -> Vec<u32> {
    let Some([low, high]) = bounds(points.clone()) else { return Vec::new() };
    let widest = (high - low).amax().max(f32::MIN_POSITIVE);
    let spread = |x: f32| {
        let x = (x * 1023.0) as u32;
        (0..10).fold(0, |code, bit| code | (x >> bit & 1) << (3 * bit))
    };
    let code = |p: Point3<f32>| {
        let at = (p - low) / widest;
        spread(at.x) | spread(at.y) << 1 | spread(at.z) << 2
    };
    points.map(code).collect()
}
