//! Weights by inverse distance to the bones: the simplest that works, and a baseline to teach with.
//!
//! With d_j the distance from the point to the nearest bone of joint j, Shepard's weights would be
//! w_j ∝ 1/d_j^p. To keep a joint's influence local they are cut off smoothly (Franke and Nielson
//! 1980): w_j ∝ (1/d_j − 1/R)^p, where R is the distance to the first joint beyond the allowed
//! number of influences. p = 4: with p = 1 or 2 a hand drags the belly along.
//! It knows nothing of the surface: one leg moves the skin of the other where they are close.

use nalgebra::Point3;
use rayon::prelude::*;

use super::Row;
use crate::kernel::info::Info;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::Bone;

pub(super) const INFO: Info = Info {
    id: "distance",
    label: "Inverse distance",
    explanation: "Each vertex follows the nearest bones; quick, but blind to the shape between them",
    paper: "Shepard 1968; Franke and Nielson 1980",
};

/// The power p of the inverse distance.
const POWER: i32 = 4;
/// Distances below this part of the largest count as touching.
const TOUCHING: f64 = 1e-6;

/// One row per point, at most `influences` joints each.
pub(super) fn rows(
    points: &[Point3<f64>],
    bones: &[Bone],
    influences: usize,
    progress: &dyn Progress,
) -> Result<Vec<Row>, Cancelled> {
    progress.step(0.0, "Measuring distances to the bones");
    points
        .par_iter()
        .with_min_len(256)
        .map(|p| {
            progress.check()?;
            Ok(row(p, bones, influences))
        })
        .collect()
}

/// The row of one point.
pub(super) fn row(p: &Point3<f64>, bones: &[Bone], influences: usize) -> Row {
    // Bones come joint by joint.
    let mut nearest: Row = Vec::new();
    for bone in bones {
        let distance = (bone.closest(p).0 - p).norm();
        match nearest.last_mut() {
            Some(last) if last.0 == bone.joint => last.1 = last.1.min(distance),
            _ => nearest.push((bone.joint, distance)),
        }
    }
    nearest.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let reach = nearest.get(influences).map_or(f64::INFINITY, |entry| entry.1);
    let floor = (TOUCHING * nearest.last().map_or(0.0, |entry| entry.1)).max(f64::MIN_POSITIVE);
    let first = nearest.first().copied();
    // Relative to the nearest, so that tiny distances do not overflow the power.
    let scale = first.map_or(1.0, |entry| entry.1.max(floor));
    let mut row: Row = nearest
        .into_iter()
        .take(influences)
        .map(|(j, d)| (j, (scale / d.max(floor) - scale / reach.max(floor)).max(0.0).powi(POWER)))
        .filter(|(_, w)| *w > 1e-12)
        .collect();
    if row.is_empty() {
        row.extend(first.map(|(j, _)| (j, 1.0)));
    }
    row
}
