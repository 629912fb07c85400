//! Girth and bulge: how far the skin keeps from its bones.
//!
//! Each point is anchored to the nearest point of the rest bones; a pose carries that anchor
//! rigidly with its bone. Girth is the distance to the carried anchor over the distance at rest.
//! Bulge is the largest distance to any posed bone over the largest at rest.

use nalgebra::Point3;

use super::{Scope, percentile};
use crate::kernel::geom::Surface;
use crate::kernel::rig::{Bone, Posed, Skeleton};

/// Rounding in the file must not decide whether a vertex counts as near.
const SLACK: f64 = 1.0 + 1e-4;

/// Girth and bulge of one deformed skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Girth {
    /// The least.
    pub min: f64,
    /// The first percentile.
    pub p1: f64,
    /// Largest distance to the posed bones over the largest at rest.
    pub bulge: f64,
}

/// Where each point of the rest surface hangs.
pub struct Anchors {
    bones: Vec<Bone>,
    joint_positions: Vec<Point3<f64>>,
    /// Per point: bone, nearest point on it, distance.
    anchors: Vec<Anchor>,
    /// Per joint: median distance of the points that hang near it.
    radii: Vec<f64>,
}

struct Anchor {
    bone: usize,
    foot: Point3<f64>,
    distance: f64,
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

    /// The radius of the limb around joint `j`.
    pub fn radius(&self, j: usize) -> f64 {
        self.radii[j]
    }

    /// Whether each of the `rest` points hangs within `radii` limb radii of the scope's joint, along
    /// the bones that meet there. Points beyond the end of a bone hang on that end, but are as far
    /// away as they are.
    pub fn near(&self, rest: &[Point3<f64>], scope: Scope, radii: f64) -> Vec<bool> {
        let Scope::Joint(j) = scope else { return vec![true; self.anchors.len()] };
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

    /// Whether each rest point is no farther from the scope's joint than the limb is thick: the
    /// flesh around the joint itself, whose anchors no bend moves.
    fn around(&self, rest: &[Point3<f64>], scope: Scope) -> Vec<bool> {
        let mut near = self.near(rest, scope, 1.0);
        if let Scope::Joint(j) = scope {
            let reach = self.radii[j] * SLACK;
            near.iter_mut()
                .zip(rest)
                .for_each(|(near, p)| *near &= (p - self.joint_positions[j]).norm() <= reach);
        }
        near
    }

    /// Girth and bulge of the `points` of a posed skin.
    pub fn girth(&self, posed: &Posed, rest: &[Point3<f64>], points: &[Point3<f64>], scope: Scope) -> Girth {
        let (near, around) = (self.near(rest, scope, 1.0), self.around(rest, scope));
        let moved: Vec<Bone> = self.bones.iter().map(|bone| carried(bone, posed)).collect();
        let mut ratios = Vec::new();
        let (mut farthest, mut farthest_at_rest) = (0.0_f64, 0.0_f64);
        for (p, anchor) in self.anchors.iter().enumerate().filter(|(p, _)| near[*p]) {
            let map = &posed.posed_from_rest[self.bones[anchor.bone].joint];
            if around[p] && anchor.distance > 1e-9 {
                ratios.push((points[p] - map.transform_point(&anchor.foot)).norm() / anchor.distance);
            }
            farthest = farthest.max(distance_to(&moved, &points[p]));
            farthest_at_rest = farthest_at_rest.max(distance_to(&self.bones, &rest[p]));
        }
        Girth {
            p1: percentile(&mut ratios, 0.01, 1.0),
            min: ratios.first().copied().unwrap_or(1.0),
            bulge: if farthest_at_rest > 0.0 { farthest / farthest_at_rest } else { 1.0 },
        }
    }
}

/// The bone where the pose puts it; a bone to a child ends at the posed child.
fn carried(bone: &Bone, posed: &Posed) -> Bone {
    let map = &posed.posed_from_rest[bone.joint];
    let tail = match bone.child {
        Some(child) => posed.world_from_joint[child].translation.into(),
        None => map.transform_point(&bone.tail),
    };
    Bone { head: map.transform_point(&bone.head), tail, ..*bone }
}

fn distance_to(bones: &[Bone], p: &Point3<f64>) -> f64 {
    bones.iter().map(|bone| (p - bone.closest(p).0).norm()).fold(f64::INFINITY, f64::min)
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
