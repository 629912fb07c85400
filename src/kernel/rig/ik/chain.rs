//! Chains of any length: damped least squares (Wampler 1986, Buss 2004).
//!
//! Each step solves (J Jᵀ + λ² I) y = e for the end's error e and turns the joints by Jᵀ y. Three rows
//! whatever the length of the chain, so the solve is a 3×3. λ grows with the error's share of the
//! chain's length, which keeps an end that cannot arrive from trembling; a turn is never large.

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use super::stance::Stance;

/// Steps at most.
const STEPS: usize = 80;
/// An end this near has arrived, in lengths of the chain.
const ARRIVED: f64 = 1e-7;
/// The largest turn of one joint in one step, in radians.
const LARGEST_TURN: f64 = 0.25;
/// How far one step tries to bring the end, in lengths of the chain.
const LARGEST_STEP: f64 = 0.2;
/// λ where the end is near, in lengths of the chain.
const DAMPING: f64 = 0.02;

/// Turns `joints` (from the body outwards) so that joint `end` comes to `target`, as near as it can.
pub(super) fn solve(stance: &mut Stance, joints: &[usize], end: usize, target: &Point3<f64>) {
    let Some(&first) = joints.first() else { return };
    let mut stops: Vec<Point3<f64>> = joints.iter().map(|&j| stance.position(j)).collect();
    stops.push(stance.position(end));
    let length: f64 = stops.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    if length <= 0.0 || !target.iter().all(|x| x.is_finite()) {
        return;
    }
    // What lies beyond the chain is asked for at its full length only.
    let root = stance.position(first);
    let target = root + (target - root).cap_magnitude(length);
    for _ in 0..STEPS {
        let here = stance.position(end);
        let error = target - here;
        if error.norm() <= ARRIVED * length {
            return;
        }
        let error = error.cap_magnitude(LARGEST_STEP * length);
        let arms: Vec<Vector3<f64>> = joints.iter().map(|&j| here - stance.position(j)).collect();
        // The column block of joint j is the cross product with its arm: J Jᵀ = Σ |r|² I − r rᵀ.
        let damping = DAMPING * length + 0.1 * error.norm();
        let mut square = Matrix3::identity() * (damping * damping);
        for arm in &arms {
            square += Matrix3::identity() * arm.norm_squared() - arm * arm.transpose();
        }
        let Some(inverse) = square.try_inverse() else { return };
        let y = inverse * error;
        for (&j, arm) in joints.iter().zip(&arms) {
            let turn = arm.cross(&y).cap_magnitude(LARGEST_TURN);
            stance.turn(j, &UnitQuaternion::new(turn));
        }
    }
}
