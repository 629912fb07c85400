//! How far head, hands and feet reach beyond their tags: read off the mesh, else by proportion.
//!
//! A hand's reach is that of the mesh's points in a cone along the forearm, a foot's that of the
//! points below the ankle; single rays would slip out between the fingers.

use nalgebra::{Point3, Unit, Vector3};

use crate::kernel::geom::{Mesh, Surface};

/// The mesh's points, if there is a mesh.
pub(super) struct Extents<'a> {
    surface: Option<&'a Surface>,
}

impl<'a> Extents<'a> {
    pub(super) fn new(mesh: Option<&'a Mesh>) -> Self {
        Self { surface: mesh.map(Mesh::surface).filter(|surface| !surface.points.is_empty()) }
    }

    fn points(&self) -> impl Iterator<Item = &'a Point3<f64>> {
        self.surface.into_iter().flat_map(|surface| &surface.points)
    }

    /// The head's joint and the crown. A tag put on the crown itself has its joint brought down.
    pub(super) fn head(&self, neck: &Point3<f64>, tag: &Point3<f64>) -> (Point3<f64>, Point3<f64>) {
        let along = tag - neck;
        let length = along.norm();
        let width = 1.5 * length;
        let near = |p: &&Point3<f64>| {
            let flat = Vector3::new(p.x - tag.x, 0.0, p.z - tag.z);
            p.y > neck.y && flat.norm() < width && p.y < tag.y + 4.0 * length
        };
        let top = self.points().filter(near).map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        if !top.is_finite() {
            return (*tag, tag + along.cap_magnitude(length) * 1.2);
        }
        if top - tag.y < 0.35 * length {
            return (neck + along * 0.4, Point3::new(tag.x, top.max(tag.y), tag.z));
        }
        (*tag, Point3::new(tag.x, top, tag.z))
    }

    /// The end of the hand.
    pub(super) fn fingertips(&self, elbow: &Point3<f64>, wrist: &Point3<f64>) -> Point3<f64> {
        let forearm = wrist - elbow;
        let length = forearm.norm();
        let direction = forearm / length;
        let reach = self
            .points()
            .filter_map(|p| {
                let out = p - wrist;
                let along = out.dot(&direction);
                // Within about 35 degrees of the forearm's line.
                (along > 0.0 && out.norm() < 1.3 * length && along > 0.82 * out.norm()).then_some(along)
            })
            .fold(0.0, f64::max);
        let reach = if reach > 0.15 * length { reach } else { 0.7 * length };
        wrist + direction * reach
    }

    /// The ball of the foot and the tip of the toes.
    pub(super) fn toes(
        &self,
        knee: &Point3<f64>,
        ankle: &Point3<f64>,
        other_ankle: &Point3<f64>,
        forward: &Unit<Vector3<f64>>,
    ) -> (Point3<f64>, Point3<f64>) {
        let shin = (ankle - knee).norm();
        let foot: Vec<Vector3<f64>> = self.foot(knee, ankle, other_ankle).collect();
        let lowest = foot.iter().map(|out| out.y).fold(f64::INFINITY, f64::min);
        let sole = if lowest.is_finite() { lowest } else { -0.2 * shin };
        // A foot may be turned out, but not by more than 60 degrees.
        let own = foot_direction(&foot, shin).filter(|own| own.dot(forward) > 0.5);
        let direction = own.unwrap_or(forward.into_inner());
        let reach = foot.iter().map(|out| out.dot(&direction)).fold(0.0, f64::max);
        let reach = if reach > 0.15 * shin { reach } else { 0.45 * shin };
        let ball = ankle + direction * (0.65 * reach) + Vector3::y() * (0.75 * sole);
        let tip = ankle + direction * reach + Vector3::y() * (0.75 * sole);
        (ball, tip)
    }

    /// The mean horizontal direction of the feet, if they can be seen. Legs are
    /// `[knee, ankle, other ankle]`.
    pub(super) fn feet_direction(&self, legs: &[[Point3<f64>; 3]]) -> Option<Vector3<f64>> {
        let sum: Vector3<f64> = legs
            .iter()
            .filter_map(|[knee, ankle, other]| {
                let foot: Vec<_> = self.foot(knee, ankle, other).collect();
                foot_direction(&foot, (ankle - knee).norm())
            })
            .sum();
        sum.try_normalize(0.5)
    }

    /// Points below the ankle and near it, nearer than to the other one, from the ankle.
    fn foot(
        &self,
        knee: &Point3<f64>,
        ankle: &Point3<f64>,
        other_ankle: &Point3<f64>,
    ) -> impl Iterator<Item = Vector3<f64>> {
        let shin = (ankle - knee).norm();
        let ankle = *ankle;
        let to_other = other_ankle - ankle;
        self.points().map(move |p| p - ankle).filter(move |out| {
            let flat = Vector3::new(out.x, 0.0, out.z).norm();
            out.y < 0.05 * shin
                && out.y > -0.6 * shin
                && flat < 0.75 * shin
                && out.norm_squared() <= (out - to_other).norm_squared()
        })
    }
}

/// Where a foot points: its farthest part is the toes, not the heel.
fn foot_direction(foot: &[Vector3<f64>], shin: f64) -> Option<Vector3<f64>> {
    if foot.is_empty() {
        return None;
    }
    let mean: Vector3<f64> = foot.iter().map(|out| Vector3::new(out.x, 0.0, out.z)).sum::<Vector3<f64>>();
    (mean / foot.len() as f64).try_normalize(0.04 * shin)
}
