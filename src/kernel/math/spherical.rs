//! Weighted averages on the unit sphere (Buss and Fillmore 2001).
//!
//! The average of unit vectors is the point whose squared geodesic distances to them, weighted, sum
//! to the least. Two vectors have it in closed form, on the arc between them; more are found by
//! stepping along the mean of the logarithms (their algorithm A1), which converges in a few steps
//! wherever the vectors lie within one hemisphere.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Steps after which an average that does not settle is taken as it is.
const STEPS: usize = 24;
/// Vectors whose sine of the angle between them is below this are one direction, or opposite.
const TINY: f64 = 1e-9;

/// The point a share `t` of the way from `a` to `b` on the sphere. Opposite vectors have no arc
/// between them: the half turn then goes through `through`.
pub fn arc(a: &Vector3<f64>, b: &Vector3<f64>, t: f64, through: &Vector3<f64>) -> Vector3<f64> {
    let cosine = a.dot(b);
    let away = b - a * cosine;
    let sine = away.norm();
    if sine < TINY {
        if cosine > 0.0 {
            return *a;
        }
        let side = (through - a * a.dot(through)).try_normalize(TINY).unwrap_or_else(|| perpendicular(a));
        let (s, c) = (t * std::f64::consts::PI).sin_cos();
        return a * c + side * s;
    }
    let (s, c) = (t * sine.atan2(cosine)).sin_cos();
    a * c + away * (s / sine)
}

/// The weighted average of unit vectors; weights are not negative and sum to one. `through` decides
/// where opposite vectors leave it open; the average of nothing is `through`.
pub fn average(vectors: &[(f64, Vector3<f64>)], through: &Vector3<f64>) -> Vector3<f64> {
    match vectors {
        [] => *through,
        [(_, only)] => *only,
        [(_, a), (share, b)] => arc(a, b, *share, through),
        _ => settle(vectors, through),
    }
}

fn settle(vectors: &[(f64, Vector3<f64>)], through: &Vector3<f64>) -> Vector3<f64> {
    let sum: Vector3<f64> = vectors.iter().map(|(w, v)| v * *w).sum();
    let Some(mut at) = sum.try_normalize(TINY) else { return *through };
    for _ in 0..STEPS {
        let step: Vector3<f64> = vectors.iter().map(|(w, v)| logarithm(&at, v) * *w).sum();
        let length = step.norm();
        if length < 1e-13 {
            break;
        }
        let (s, c) = length.sin_cos();
        at = (at * c + step * (s / length)).normalize();
    }
    at
}

/// The tangent at `at` that leads to `v`, as long as the arc.
fn logarithm(at: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let cosine = at.dot(v);
    let away = v - at * cosine;
    let sine = away.norm();
    if sine < TINY { Vector3::zeros() } else { away * (sine.atan2(cosine) / sine) }
}

/// The weighted mean of rotations, as quaternions on one half of their sphere: near enough to the average for
/// rotations within a half turn of each other. `None` where they cancel out.
pub fn mean_rotation(
    rotations: impl IntoIterator<Item = (f64, UnitQuaternion<f64>)>,
) -> Option<UnitQuaternion<f64>> {
    let mut sum = Quaternion::new(0.0, 0.0, 0.0, 0.0);
    for (share, rotation) in rotations {
        // Both signs are one rotation.
        sum += rotation.quaternion() * if sum.dot(rotation.quaternion()) < 0.0 { -share } else { share };
    }
    UnitQuaternion::try_new(sum, TINY)
}

/// Some unit vector square to `v`.
pub fn perpendicular(v: &Vector3<f64>) -> Vector3<f64> {
    let axis = if v.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() };
    v.cross(&axis).try_normalize(0.0).unwrap_or_else(Vector3::z)
}

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;

    fn turned(degrees: f64) -> Vector3<f64> {
        let (s, c) = degrees.to_radians().sin_cos();
        Vector3::new(c, s, 0.0)
    }

    #[test]
    fn two_vectors_average_to_the_share_of_their_angle() {
        let mean = average(&[(0.25, turned(0.0)), (0.75, turned(100.0))], &Vector3::z());
        assert!((mean - turned(75.0)).norm() < 1e-12);
    }

    #[test]
    fn many_vectors_on_one_circle_average_to_the_mean_of_their_angles() {
        let vectors = [(0.2, turned(10.0)), (0.3, turned(50.0)), (0.5, turned(-40.0))];
        assert!((average(&vectors, &Vector3::z()) - turned(-3.0)).norm() < 1e-9);
    }

    #[test]
    fn the_average_turns_with_its_vectors() {
        let vectors = [(0.2, Vector3::x()), (0.5, Vector3::y()), (0.3, Vector3::z())];
        let turn = UnitQuaternion::from_euler_angles(0.3, -1.1, 2.0);
        let turned = vectors.map(|(w, v)| (w, turn * v));
        let through = Vector3::z();
        assert!((turn * average(&vectors, &through) - average(&turned, &through)).norm() < 1e-9);
    }

    #[test]
    fn opposite_vectors_meet_half_way_through_the_given_side() {
        let mean = average(&[(0.5, Vector3::x()), (0.5, -Vector3::x())], &Vector3::new(0.3, 2.0, 0.0));
        assert!((mean - Vector3::y()).norm() < 1e-12);
    }
}
