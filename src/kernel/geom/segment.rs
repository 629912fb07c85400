//! The nearest point of a segment.

use nalgebra::Point3;

/// How far along the segment its point nearest to `p` is: 0 at `from`, 1 at `to`; 0 where it has no
/// length.
pub fn nearest_share(p: &Point3<f64>, from: &Point3<f64>, to: &Point3<f64>) -> f64 {
    let along = to - from;
    let square = along.norm_squared();
    if square > 0.0 { ((p - from).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 }
}
