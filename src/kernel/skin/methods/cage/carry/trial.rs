//! Each joint turned alone: how far the cage takes the skin from where its weights want it.
//!
//! When joint j turns by R about its place and nothing else moves, linear blending takes a vertex to
//! v + g (R v − v), where g is the weight of j and all below it. That is no truth near the joint, where it is what a
//! cage improves; but it is one away from it, and everywhere within a thickness.

use nalgebra::{Point3, Unit, UnitQuaternion, Vector3};
use rayon::prelude::*;

use crate::kernel::coords::Coordinates;
use crate::kernel::math::Affine;
use crate::kernel::math::spherical::perpendicular;
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage::layout::Layout;
use crate::kernel::skin::methods::cage::rig::{CageRig, Scratch};

/// How far joints are turned, to either side.
const ANGLE_DEG: f64 = 75.0;

/// One turn of a joint.
struct Trial {
    /// Number of the joint in [`Turned`].
    turned: usize,
    map: Affine,
    /// The cage's vertices after it.
    controls: Vec<Vector3<f64>>,
}

/// A joint that is turned.
struct Turned {
    /// The thickness of the skin there.
    thickness: f64,
    /// By joint of the skeleton: whether it moves with it.
    moves: Vec<bool>,
}

/// For each point of the welded surface the greatest error of all trials, in thicknesses.
pub(super) fn errors(character: &Character, rig: &CageRig, coordinates: &Coordinates) -> Vec<f64> {
    let (turned, trials) = trials(character, rig);
    let surface = character.mesh.surface();
    let mut anchors = vec![None; character.skeleton.len()];
    rig.layout().fine.iter().for_each(|fine| anchors[fine.joint] = Some(fine.anchor));
    let of_point = |(point, p): (usize, &Point3<f64>)| {
        let row = coordinates.row(point);
        let influences = character.weights.row(surface.vertex_of_point[point] as usize);
        let whole: f64 = influences.iter().map(|influence| f64::from(influence.weight)).sum();
        if row.is_empty() || whole <= 0.0 {
            return 0.0;
        }
        // What the joint moves of the vertex; what fine joints add to the cage is no error of the cage.
        let part_of = |at: &Turned| -> f64 {
            let parts = influences.iter().map(|influence| {
                let j = usize::from(influence.joint);
                let moves = |j: usize| at.moves.get(j).is_some_and(|moves| *moves);
                let counts = moves(anchors.get(j).copied().flatten().unwrap_or(j));
                if counts { f64::from(influence.weight) } else { 0.0 }
            });
            parts.sum::<f64>() / whole
        };
        let parts: Vec<f64> = turned.iter().map(part_of).collect();
        let error = |trial: &Trial| {
            let (mut sum, mut weight) = (Vector3::zeros(), 0.0);
            for entry in row {
                sum += trial.controls[entry.vertex as usize] * f64::from(entry.weight);
                weight += f64::from(entry.weight);
            }
            let wanted = p.coords + (trial.map.transform_point(p) - p) * parts[trial.turned];
            (sum / weight - wanted).norm() / turned[trial.turned].thickness
        };
        trials.iter().map(error).fold(0.0, f64::max)
    };
    surface.points.par_iter().enumerate().map(of_point).collect()
}

/// Every joint of the layout, turned about its bone and two axes square to it.
fn trials(character: &Character, rig: &CageRig) -> (Vec<Turned>, Vec<Trial>) {
    let (layout, skeleton) = (rig.layout(), &character.skeleton);
    let mut joints: Vec<usize> = layout.links.iter().flat_map(|l| [l.near.joint, l.far.joint]).collect();
    joints.sort_unstable();
    joints.dedup();
    let bound = rig.joint_bound();
    let mut scratch = Scratch::default();
    let (mut turned, mut trials) = (Vec::new(), Vec::new());
    for j in joints {
        let mut moves = vec![false; skeleton.len()];
        skeleton.subtree(j).into_iter().for_each(|k| moves[k] = true);
        let Some((thickness, along)) = around(layout, j) else { continue };
        let center = skeleton.position(j);
        let side = perpendicular(&along);
        for axis in [along, side, along.cross(&side)] {
            for sign in [-1.0, 1.0] {
                let turn = UnitQuaternion::from_axis_angle(
                    &Unit::new_normalize(axis),
                    sign * std::env::var("T_ANGLE")
                        .ok()
                        .and_then(|x| x.parse().ok())
                        .unwrap_or(ANGLE_DEG)
                        .to_radians(),
                );
                let mut map = Affine::from_rotation(turn);
                map.translation = center.coords - turn * center.coords;
                let posed: Vec<Affine> =
                    (0..bound).map(|k| if moves[k] { map } else { Affine::identity() }).collect();
                rig.pose(&posed, &mut scratch);
                let controls = scratch.points.iter().map(|p| p.coords).collect();
                trials.push(Trial { turned: turned.len(), map, controls });
            }
        }
        turned.push(Turned { thickness, moves });
    }
    (turned, trials)
}

/// The thickness around a joint and the direction of its bone.
fn around(layout: &Layout, j: usize) -> Option<(f64, Vector3<f64>)> {
    let inner = layout.sites.iter().find(|site| site.joint == j && site.links.len() > 1);
    let from = layout.links.iter().find(|link| link.near.joint == j);
    let link = from.or_else(|| layout.links.iter().find(|link| link.far.joint == j))?;
    let thickness = inner.map_or(link.thickness, |site| site.thickness);
    (thickness > 0.0).then(|| (thickness, link.direction()))
}
