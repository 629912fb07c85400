//! Convex spherical polygons: cutting one convex cone out of others, and the mean vector of what is left.
//!
//! All cones have their apex at the point whose coordinates are computed, so every cut is a plane
//! through the origin and every piece a convex polygon on the unit sphere, kept as its corner
//! directions in turn.

use nalgebra::Vector3;

/// How near to a plane a direction counts as on it: sine of an angle. Parts thinner than this are
/// left to whichever side has the rest, which keeps rounding from breeding slivers.
pub(in crate::kernel::coords) const ON_PLANE: f64 = 1e-12;

/// A set of disjoint convex spherical polygons. Arrays are kept between uses.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct Pieces {
    kept: Polygons,
    before: Polygons,
    inside: Vec<Vector3<f64>>,
    shrunk: Vec<Vector3<f64>>,
    sides: Vec<f64>,
}

/// Polygons one after the other in one array.
#[derive(Debug, Default)]
struct Polygons {
    corners: Vec<Vector3<f64>>,
    ends: Vec<usize>,
}

impl Polygons {
    fn clear(&mut self) {
        self.corners.clear();
        self.ends.clear();
    }

    fn push(&mut self, corners: &[Vector3<f64>]) {
        self.corners.extend_from_slice(corners);
        self.ends.push(self.corners.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[Vector3<f64>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.corners[start..end])
    }
}

impl Pieces {
    /// Starts again from one triangle of directions.
    pub fn start(&mut self, corners: &[Vector3<f64>; 3]) {
        self.kept.clear();
        self.kept.push(corners);
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.kept.ends.is_empty()
    }

    /// Takes away the cone of directions `d` with `plane · d > 0` for every plane.
    pub fn subtract(&mut self, planes: &[Vector3<f64>]) {
        std::mem::swap(&mut self.kept, &mut self.before);
        self.kept.clear();
        for piece in self.before.iter() {
            if planes.iter().any(|plane| piece.iter().all(|d| plane.dot(d) <= ON_PLANE)) {
                self.kept.push(piece);
                continue;
            }
            self.inside.clear();
            self.inside.extend_from_slice(piece);
            for plane in planes {
                self.sides.clear();
                self.sides.extend(self.inside.iter().map(|d| plane.dot(d)));
                if self.sides.iter().all(|&side| side >= -ON_PLANE) {
                    continue;
                }
                if self.sides.iter().all(|&side| side <= ON_PLANE) {
                    self.kept.push(&self.inside);
                    break;
                }
                self.shrunk.clear();
                split(&self.inside, &self.sides, &mut self.shrunk, &mut self.kept.corners);
                self.kept.ends.push(self.kept.corners.len());
                std::mem::swap(&mut self.inside, &mut self.shrunk);
            }
        }
    }

    /// Integral of the direction over all pieces, in the turn of their corners.
    pub fn mean_vector(&self) -> Vector3<f64> {
        self.kept.iter().map(mean_vector).sum()
    }
}

/// Parts a convex polygon that reaches to both sides of a plane; `sides` is how far each corner lies
/// on the plane's positive side.
fn split(
    polygon: &[Vector3<f64>],
    sides: &[f64],
    positive: &mut Vec<Vector3<f64>>,
    negative: &mut Vec<Vector3<f64>>,
) {
    let count = polygon.len();
    for k in 0..count {
        let next = if k + 1 == count { 0 } else { k + 1 };
        let (a, b) = (sides[k], sides[next]);
        if a >= -ON_PLANE {
            positive.push(polygon[k]);
        }
        if a <= ON_PLANE {
            negative.push(polygon[k]);
        }
        if (a > ON_PLANE && b < -ON_PLANE) || (a < -ON_PLANE && b > ON_PLANE) {
            let crossing = (polygon[k] * b.abs() + polygon[next] * a.abs()).normalize();
            positive.push(crossing);
            negative.push(crossing);
        }
    }
}

/// Integral of the direction over a spherical polygon of unit corners: half the sum over its edges of
/// angle times unit normal (Ju, Schaefer and Warren 2005, §3), positive for corners that turn
/// counter-clockwise about it.
fn mean_vector(corners: &[Vector3<f64>]) -> Vector3<f64> {
    let mut sum = Vector3::zeros();
    for (k, a) in corners.iter().enumerate() {
        let b = &corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
        let cross = a.cross(b);
        let sine = cross.norm();
        if sine > 0.0 {
            sum += cross * (sine.atan2(a.dot(b)) / sine);
        }
    }
    sum * 0.5
}
