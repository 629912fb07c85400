//! Where a limb ends: the point around which a cap closes the cage.
//!
//! A head, hand or foot reaches as far as the skin that its joints move; the cap's middle stands one
//! thickness short of that, so that the cap is round.

use nalgebra::{Point3, Vector3};

use super::Thickness;
use crate::kernel::rig::Character;

/// An end of a limb.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// Middle of the cap.
    pub center: Point3<f64>,
    /// The skin's distance from it.
    pub thickness: f64,
    /// Unit direction out of the limb.
    pub outwards: Vector3<f64>,
}

/// The end beyond leaf joint `j`; `incoming` is the direction of the bone that leads to it.
pub(super) fn far_end(
    character: &Character,
    thickness: &Thickness,
    j: usize,
    incoming: &Vector3<f64>,
) -> End {
    let here = character.skeleton.position(j);
    let owned = owned_points(character, j);
    let tip = character.skeleton.tip(j) - here;
    let straight = tip.try_normalize(1e-9).or_else(|| incoming.try_normalize(0.1)).unwrap_or_else(Vector3::y);
    let outwards = direction(&here, &owned).filter(|d| d.dot(&straight) > 0.3).unwrap_or(straight);
    let reach = reach(&here, &outwards, &owned).unwrap_or(tip.norm());
    let mut end = place(thickness, &here, &outwards, reach);
    // Rays between fingers see a finger; the hand is as wide as its skin.
    if let Some(wide) = width(&here, &outwards, reach, &owned) {
        end.thickness = end.thickness.max(0.7 * wide);
        end.center = here + outwards * (reach - 0.6 * end.thickness).max(0.4 * reach);
    }
    end
}

/// The end behind the first joint of a chain that leads to `next`.
pub(super) fn near_end(character: &Character, thickness: &Thickness, j: usize, next: &Point3<f64>) -> End {
    let here = character.skeleton.position(j);
    let along = (next - here).try_normalize(1e-9).unwrap_or_else(Vector3::x);
    let owned = owned_points(character, j);
    let behind = reach(&here, &-along, &owned).unwrap_or(0.0);
    let length = (next - here).norm();
    let around =
        [0.15, 0.3, 0.5].iter().find_map(|t| thickness.around(&(here + along * (length * t)), &along));
    let around = around.unwrap_or(0.25 * length).min(length);
    let inwards = (0.6 * around - behind).clamp(-behind, 0.4 * length);
    End { center: here + along * inwards, thickness: around, outwards: -along }
}

fn place(thickness: &Thickness, here: &Point3<f64>, outwards: &Vector3<f64>, reach: f64) -> End {
    let at = |share: f64| here + outwards * (reach * share);
    let around =
        [0.6, 0.8, 0.4].iter().find_map(|t| thickness.around(&at(*t), outwards)).unwrap_or(0.3 * reach);
    let around = around.min(reach.max(1e-9));
    let center = here + outwards * (reach - 0.6 * around).max(0.4 * reach);
    End { center, thickness: around, outwards: *outwards }
}

/// Rest positions of the vertices that `j` and what hangs on it move more than anything else.
fn owned_points(character: &Character, j: usize) -> Vec<Point3<f64>> {
    let mut below = vec![false; character.skeleton.len()];
    character.skeleton.subtree(j).into_iter().for_each(|k| below[k] = true);
    // A root's subtree is everything: only what it moves itself counts.
    if character.skeleton.joints()[j].parent.is_none() && character.skeleton.len() > 1 {
        below.iter_mut().enumerate().for_each(|(k, is)| *is = k == j);
    }
    character
        .weights
        .rows()
        .zip(&character.mesh.positions)
        .filter(|(row, _)| {
            let share = |i: &&crate::kernel::rig::Influence| below.get(usize::from(i.joint)) == Some(&true);
            row.iter().filter(share).map(|i| i.weight).sum::<f32>() > 0.5
        })
        .map(|(_, p)| p.cast())
        .collect()
}

/// Distance from the axis that nine in ten of the points in the outer half stay within.
fn width(here: &Point3<f64>, along: &Vector3<f64>, reach: f64, owned: &[Point3<f64>]) -> Option<f64> {
    let mut aside: Vec<f64> = owned
        .iter()
        .map(|p| p - here)
        .filter(|v| v.dot(along) > 0.5 * reach)
        .map(|v| (v - along * v.dot(along)).norm())
        .collect();
    aside.sort_by(f64::total_cmp);
    aside.get(aside.len() * 9 / 10).copied()
}

fn direction(here: &Point3<f64>, owned: &[Point3<f64>]) -> Option<Vector3<f64>> {
    let sum: Vector3<f64> = owned.iter().map(|p| p - here).sum();
    (owned.len() > 8).then(|| sum.try_normalize(1e-9)).flatten()
}

fn reach(here: &Point3<f64>, along: &Vector3<f64>, owned: &[Point3<f64>]) -> Option<f64> {
    owned.iter().map(|p| (p - here).dot(along)).max_by(f64::total_cmp).filter(|reach| *reach > 0.0)
}
