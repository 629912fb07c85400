//! Girth and bulge: how far the skin keeps from its bones.
//!
//! Each point is anchored to the nearest point of the rest bones; a pose carries that anchor
//! rigidly with its bone. Girth is the distance to the carried anchor over the distance at rest.
//! Bulge is the largest distance to any posed bone over the largest at rest.

use nalgebra::Point3;

use super::Scope;
use crate::kernel::geom::measure::percentile;
use crate::kernel::rig::{Anchors, Bone, Posed};

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

/// Girth and bulge of the `points` of a posed skin.
pub fn girth(
    anchors: &Anchors,
    posed: &Posed,
    rest: &[Point3<f64>],
    points: &[Point3<f64>],
    scope: Scope,
) -> Girth {
    let (near, around) = match scope {
        Scope::All => (vec![true; anchors.of_points().len()], vec![true; anchors.of_points().len()]),
        Scope::Joint(j) => (anchors.near(rest, j, 1.0), anchors.around(rest, j)),
    };
    let bones = anchors.bones();
    let moved: Vec<Bone> = bones.iter().map(|bone| carried(bone, posed)).collect();
    let mut ratios = Vec::new();
    let (mut farthest, mut farthest_at_rest) = (0.0_f64, 0.0_f64);
    for (p, anchor) in anchors.of_points().iter().enumerate().filter(|(p, _)| near[*p]) {
        let map = &posed.posed_from_rest[bones[anchor.bone].joint];
        if around[p] && anchor.distance > 1e-9 {
            ratios.push((points[p] - map.transform_point(&anchor.foot)).norm() / anchor.distance);
        }
        farthest = farthest.max(distance_to(&moved, &points[p]));
        farthest_at_rest = farthest_at_rest.max(distance_to(bones, &rest[p]));
    }
    Girth {
        p1: percentile(&mut ratios, 0.01, 1.0),
        min: ratios.first().copied().unwrap_or(1.0),
        bulge: if farthest_at_rest > 0.0 { farthest / farthest_at_rest } else { 1.0 },
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
