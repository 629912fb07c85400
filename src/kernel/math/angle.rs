//! Angles that go on beyond a half turn.

use std::f64::consts::{FRAC_PI_6, TAU};

/// An account of an angle counts from here on; below it the angle speaks for itself.
const LONG: f64 = 5.0 * FRAC_PI_6;

/// Of the angles that are the same turn as `angle` the one nearest to what was `told` of it, where that is a long way
/// round. A rotation alone cannot say on which side of a half turn it came to be.
pub fn unwound(angle: f64, told: f64) -> f64 {
    if told.abs() < LONG { angle } else { angle + TAU * ((told - angle) / TAU).round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_goes_on_where_it_was_told_to() {
        for degrees in (-260..=260).map(f64::from) {
            let told = degrees.to_radians();
            let seen = told.sin().atan2(told.cos());
            assert!((unwound(seen, told) - told).abs() < 1e-9, "{degrees}");
        }
        assert_eq!(unwound(3.0, -0.3), 3.0, "a short way is not a long one the other way round");
    }
}
