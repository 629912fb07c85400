//! Where skin hangs on the bones at rest, and how thick limbs are.
//!
//! Each point is anchored to the nearest point of the rest bones. The radius of the limb around a joint is
//! what nine in ten of the points near it keep from their bones.

use nalgebra::Point3;

use super::{Bone, Skeleton};
use crate::kernel::geom::Surface;
use crate::kernel::geom::measure::percentile;

/// Rounding in the file must not decide whether a vertex counts as near.
const SLACK: f64 = 1.0 + 1e-4;

/// Where each point of the rest surface hangs.
pub struct Anchors {
    bones: Vec<Bone>,
    joint_positions: Vec<Point3<f64>>,
    anchors: Vec<Anchor>,
    /// Per joint: what nine in ten of the points that hang near it do not exceed.
    radii: Vec<f64>,
}

/// Where one point hangs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// On which of the bones.
    pub bone: usize,
    /// The nearest point of that bone.
    pub foot: Point3<f64>,
    /// How far that is.
    pub distance: f64,
}

impl Anchors {
    /// Finds the nearest rest bone of every point.
    pub fn new(surface: &Surface, skeleton: &Skeleton) -> Self {
        let bones = skeleton.bones();
        let anchors: Vec<Anchor> = surface
            .points
            .iter()
            .filter_map(|p| {
                let feet = bones.iter().enumerate().map(|(bone, b)| {
                    let (foot, _) = b.closest(p);
                    Anchor { bone, foot, distance: (p - foot).norm() }
                });
                feet.min_by(|a, b| a.distance.total_cmp(&b.distance))
            })
            .collect();
        let joint_positions: Vec<_> = (0..skeleton.len()).map(|j| skeleton.position(j)).collect();
        let radii = (0..skeleton.len()).map(|j| limb_radius(j, skeleton, &bones, &anchors)).collect();
        Self { bones, joint_positions, anchors, radii }
    }

    /// The bones at rest.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Where each point hangs; empty where there are no bones.
    pub fn of_points(&self) -> &[Anchor] {
        &self.anchors
    }

    /// The radius of the limb around joint `j`.
    pub fn radius(&self, j: usize) -> f64 {
        self.radii[j]
    }

    /// Whether each of the `rest` points hangs within `radii` limb radii of joint `j`, along
    /// the bones that meet there. Points beyond the end of a bone hang on that end, but are as far
    /// away as they are.
    pub fn near(&self, rest: &[Point3<f64>], j: usize, radii: f64) -> Vec<bool> {
        let (center, reach) = (self.joint_positions[j], self.radii[j] * radii * SLACK);
        let hangs_near = |(anchor, p): (&Anchor, &Point3<f64>)| {
            let bone = &self.bones[anchor.bone];
            let square = reach * reach + anchor.distance * anchor.distance * SLACK;
            (bone.joint == j || bone.child == Some(j))
                && (anchor.foot - center).norm() <= reach
                && (p - center).norm_squared() <= square
        };
        self.anchors.iter().zip(rest).map(hangs_near).collect()
    }

    /// Whether each rest point is no farther from joint `j` than the limb is thick: the
    /// flesh around the joint itself, whose anchors no bend moves.
    pub fn around(&self, rest: &[Point3<f64>], j: usize) -> Vec<bool> {
        let mut near = self.near(rest, j, 1.0);
        let reach = self.radii[j] * SLACK;
        near.iter_mut()
            .zip(rest)
            .for_each(|(near, p)| *near &= (p - self.joint_positions[j]).norm() <= reach);
        near
    }
}

/// How thick the limb is at joint `j`: of the points anchored within their median distance of the
/// joint, the distance that nine in ten do not exceed.
fn limb_radius(j: usize, skeleton: &Skeleton, bones: &[Bone], anchors: &[Anchor]) -> f64 {
    let center = skeleton.position(j);
    let hang_near = |reach: f64| -> Vec<f64> {
        let meets = |bone: &Bone| bone.joint == j || bone.child == Some(j);
        let near = anchors.iter().filter(|anchor| {
            let bone = &bones[anchor.bone];
            meets(bone) && (anchor.foot - center).norm() <= reach.min(0.5 * bone.length())
        });
        near.map(|anchor| anchor.distance).collect()
    };
    let median = percentile(&mut hang_near(f64::INFINITY), 0.5, 0.0);
    percentile(&mut hang_near(median), 0.9, median)
}
