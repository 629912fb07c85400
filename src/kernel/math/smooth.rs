//! Smooth passages between two values.

/// 0 up to 0, 1 from 1 on, 3x² − 2x³ between: level at both ends.
pub fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// The same from the first bound to the second.
pub fn smooth_between(x: f64, [from, to]: [f64; 2]) -> f64 {
    smooth((x - from) / (to - from))
}
