//! The nearest point of a segment, in the plane or in space.

use nalgebra::Point;

/// How far along the segment its point nearest to `p` is: 0 at `from`, 1 at `to`; 0 where it has no
/// length.
pub fn nearest_share<const D: usize>(p: &Point<f64, D>, from: &Point<f64, D>, to: &Point<f64, D>) -> f64 {
    let along = to - from;
    let square = along.norm_squared();
    if square > 0.0 { ((p - from).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The point of the segment nearest to `p`, and how far along it that is.
pub fn nearest<const D: usize>(
    p: &Point<f64, D>,
    from: &Point<f64, D>,
    to: &Point<f64, D>,
) -> (Point<f64, D>, f64) {
    let t = nearest_share(p, from, to);
    (from + (to - from) * t, t)
}

/// How far `p` is from the segment.
pub fn distance<const D: usize>(p: &Point<f64, D>, from: &Point<f64, D>, to: &Point<f64, D>) -> f64 {
    (nearest(p, from, to).0 - p).norm()
}
