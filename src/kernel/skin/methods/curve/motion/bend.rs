//! How a curve rounds a joint: a B-spline through three control points, and where the outer two float.
//!
//! The joint is the middle control point J; on either side a bone control point lies on the link, at a
//! distance s that the joint's angle decides (linear linkage, Figure 1a). The curve is the rational
//! quadratic B-spline of the three, with the weight cos h at J for a corner of angle θ = 2h: where both
//! distances are alike it is the circular arc that touches both links, of radius r = s / tan h, and no
//! other curve between the same end points turns more gently.
//!
//! The paper asks for r ≥ d, the distance of the skin from the bone, so that no two cross-sections meet
//! inside of the bend, and leaves s to the animator. Here it is solved. Frames sit on the joint skeleton
//! (Figure 2b), not on the curve: the section at arc l before the joint is turned by φ = h (1 − l/s), and
//! its innermost point stays on its own side of the corner's middle plane while
//!
//!   d sin(h − φ) ≤ l cos h for all l in 0..s,   that is   s ≥ d h / cos h,
//!
//! since sin x ≤ x. Then r = s / tan h ≥ d h / sin h ≥ d: the paper's condition holds too. A joint that is bent
//! to the utmost would take its whole limb for that and end in a wedge: there the control points stay, and
//! the flesh inside of the bend gives way instead, so that its distance d is what the curve allows
//! ([`super::flesh`]).

use nalgebra::{Point3, Vector3};

/// The least distance of a control point from its joint, in radii of the limb: a corner that is hardly bent
/// is spread over some length all the same.
const LEAST: f64 = 1.0;
/// What the limit itself is multiplied by, so that skin inside of the bend does not touch.
const MARGIN: f64 = 1.05;
/// The greatest distance, in radii of the limb.
const MOST: f64 = 3.0;
/// Half angles beyond this ask for more length than any limb has.
const SHARPEST: f64 = 1.45;

/// The distance of both bone control points from a joint that is bent by `angle`, on a limb of `radius`.
pub fn reach(angle: f64, radius: f64) -> f64 {
    let half = (0.5 * angle).clamp(0.0, SHARPEST);
    let needed = MARGIN * half / half.cos();
    // Smooth limits: the control points glide as the joint turns.
    let wanted = (LEAST * LEAST + needed * needed).sqrt();
    radius * wanted / (1.0 + (wanted / MOST).powi(8)).powf(0.125)
}

/// The weight of the joint's control point for a corner of `cosine` of its angle: cos h from cos 2h. A corner that
/// turns right back keeps a weight above zero.
fn weight(cosine: f64) -> f64 {
    (0.5 * (1.0 + cosine.clamp(-1.0, 1.0))).sqrt().max(1e-3)
}

/// How much the tangent of the curve at `t` has of the legs before and after the joint, of these lengths.
fn pulls(t: f64, weight: f64, legs: [f64; 2]) -> [f64; 2] {
    let [a, b] = [1.0 - t, t];
    [(weight * a * a + a * b) * legs[0], (weight * b * b + a * b) * legs[1]]
}

/// How a curve turns, whatever it lies in: what the frames along it need.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Arch {
    /// The distances of the bone control points from the joint.
    pub legs: [f64; 2],
    /// The angle between its ends.
    pub angle: f64,
    /// The place of the curve, in 0..=1, whose direction the joint's own frame takes.
    pub seat: f64,
}

impl Arch {
    /// The part of the angle that the tangent has turned by at `u` of the curve. Where both legs are alike the curve
    /// is a circular arc and turns evenly: t / (1 − t) = sin(uθ/2) / sin((1 − u)θ/2) is the place at `u` of its
    /// length. With other legs it turns more towards the shorter one.
    pub fn turned(&self, u: f64) -> f64 {
        let [a, b] = self.legs;
        if (a - b).abs() <= 1e-9 * (a + b) {
            return u;
        }
        if self.angle < 1e-4 {
            let [a, b] = pulls(u, 1.0, self.legs);
            return b / (a + b).max(f64::MIN_POSITIVE);
        }
        let half = 0.5 * self.angle;
        let [late, early] = [u, 1.0 - u].map(|part| (part * half).sin());
        let (sine, cosine) = self.angle.sin_cos();
        let [a, b] = pulls(late / (late + early), weight(cosine), self.legs);
        (b * sine).atan2(a + b * cosine) / self.angle
    }

    /// The same at the joint.
    pub fn at_joint(&self) -> f64 {
        if self.legs[0] + self.legs[1] > 0.0 { self.turned(self.seat) } else { 0.5 }
    }

    /// At `arc` before the joint, where the curve before it is transposed onto `length`.
    pub fn before(&self, arc: f64, length: f64) -> f64 {
        if arc < length { self.turned(self.seat * (1.0 - arc / length)) } else { 0.0 }
    }

    /// At `arc` after the joint, where the curve after it is transposed onto `length`.
    pub fn after(&self, arc: f64, length: f64) -> f64 {
        if arc < length { self.turned(self.seat + (1.0 - self.seat) * arc / length) } else { 1.0 }
    }
}

/// The curve around one corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// The bone control point before, the joint, the one after.
    pub points: [Point3<f64>; 3],
    /// The weight of the joint's control point.
    pub weight: f64,
}

impl Corner {
    /// Around `joint`, from `before` towards the joint and from there to `after`.
    pub fn new(before: Point3<f64>, joint: Point3<f64>, after: Point3<f64>) -> Self {
        let [a, b] = [joint - before, after - joint];
        let cosine = a.dot(&b) / (a.norm() * b.norm()).max(f64::MIN_POSITIVE);
        Self { points: [before, joint, after], weight: weight(cosine) }
    }

    /// The point at `t` in 0..=1.
    pub fn at(&self, t: f64) -> Point3<f64> {
        let basis = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t) * self.weight, t * t];
        let total: f64 = basis.iter().sum();
        let sum: Vector3<f64> = self.points.iter().zip(basis).map(|(p, b)| p.coords * b).sum();
        Point3::from(sum / total)
    }

    /// The radius of curvature in the middle, c² / 4wH for a chord c and a height H of the joint above it;
    /// infinite where the corner is straight.
    pub fn radius(&self) -> f64 {
        let [a, b, c] = self.points;
        let chord = c - a;
        let square = chord.norm_squared();
        let height =
            (b - nalgebra::center(&a, &c)).cross(&chord).norm() / square.sqrt().max(f64::MIN_POSITIVE);
        if height <= 1e-12 * square.sqrt() { f64::INFINITY } else { square / (4.0 * self.weight * height) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corner of `angle` at the origin, between links along x and one turned towards y.
    fn corner(angle: f64, reach: f64) -> Corner {
        let after = Point3::new(angle.cos(), angle.sin(), 0.0) * reach;
        Corner::new(Point3::new(-reach, 0.0, 0.0), Point3::origin(), after)
    }

    #[test]
    fn equal_distances_make_a_circular_arc_that_touches_both_links() {
        for degrees in [10.0_f64, 60.0, 90.0, 150.0] {
            let angle = degrees.to_radians();
            let corner = corner(angle, 1.0);
            let radius = 1.0 / (0.5 * angle).tan();
            let center = Point3::new(-1.0, radius, 0.0);
            for k in 0..=10 {
                let p = corner.at(f64::from(k) / 10.0);
                assert!(((p - center).norm() - radius).abs() < 1e-12 * radius.max(1.0), "{degrees}°");
            }
            assert!((corner.radius() - radius).abs() < 1e-9 * radius);
        }
        assert_eq!(corner(0.0, 1.0).radius(), f64::INFINITY);
    }

    #[test]
    fn the_curve_is_no_tighter_than_the_limb_is_thick() {
        let radius = 0.3;
        for degrees in (1..=110).map(f64::from) {
            let angle = degrees.to_radians();
            let corner = corner(angle, reach(angle, radius));
            assert!(corner.radius() >= radius, "{degrees}°: the paper's condition");
        }
    }

    #[test]
    fn frames_turn_as_the_tangent_of_the_drawn_curve_does() {
        for (degrees, legs) in [(40.0_f64, [1.0, 1.0]), (90.0, [0.4, 1.0]), (120.0, [1.0, 0.3])] {
            let angle = degrees.to_radians();
            let after = Point3::new(angle.cos(), angle.sin(), 0.0) * legs[1];
            let drawn = Corner::new(Point3::new(-legs[0], 0.0, 0.0), Point3::origin(), after);
            let arch = Arch { legs, angle, seat: 0.5 };
            for u in [0.2_f64, 0.5, 0.8] {
                let [late, early] = [u, 1.0 - u].map(|part| (0.5 * part * angle).sin());
                let t = late / (late + early);
                let along = drawn.at(t + 1e-6) - drawn.at(t - 1e-6);
                let turned = along.y.atan2(along.x);
                assert!((turned - arch.turned(u) * angle).abs() < 1e-5, "{degrees}° at {u}");
            }
            assert!(arch.turned(0.0) == 0.0 && (arch.turned(1.0) - 1.0).abs() < 1e-12);
        }
        let even = Arch { legs: [0.7; 2], angle: 2.0, seat: 0.5 };
        assert_eq!(even.turned(0.3), 0.3, "a circular arc turns evenly");
    }

    #[test]
    fn control_points_glide() {
        let steps: Vec<f64> = (0..=1600).map(|k| reach((0.1 * f64::from(k)).to_radians(), 1.0)).collect();
        assert!(steps.windows(2).all(|w| w[1] >= w[0] && w[1] - w[0] < 0.01 * w[0]));
    }
}
