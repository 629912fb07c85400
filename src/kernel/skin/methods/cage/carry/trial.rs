//! Each joint turned alone: how far the cage takes the skin from where its weights want it.
//!
//! When joint j turns by R about its place and nothing else moves, linear blending takes a vertex to
//! v + g (R v − v), where g is the weight of j and all below it. That is no truth near the joint, where it is what a
//! cage improves; but it is one away from it, and everywhere within a thickness. What a cage tears or flattens of the
//! skin that it does own is not asked here: that is for the guard, which knows whole poses.

use nalgebra::{Point3, UnitQuaternion, Vector3};
use rayon::prelude::*;

use super::turns::{Turned, turns};
use crate::kernel::coords::Coordinates;
use crate::kernel::geom::Surface;
use crate::kernel::math::Affine;
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage::rig::{CageRig, Scratch};

/// Errors between these, in thicknesses, take from none to all of the trust in a point.
const ASTRAY: [f64; 2] = [0.9, 1.5];
/// The same for skin that the joint has no weight in, in sizes of the body.
const STRAY: [f64; 2] = [0.018, 0.04];
/// So many thicknesses more are needed at a hinge, whose templates are drawn to spread bends and twists in their
/// own way.
const HINGE: f64 = 1.8;

/// For each point of the welded surface what is lost of the trust in it: 0 to 1.
pub(super) fn distrust(character: &Character, rig: &CageRig, coordinates: &Coordinates) -> Vec<f64> {
    let surface = character.mesh.surface();
    let skin = Skin::of(character, rig, coordinates);
    let size = surface.diagonal();
    let mut scratch = Scratch::default();
    let mut worst = vec![0.0_f64; surface.points.len()];
    for turned in turns(character, rig) {
        let parts = skin.parts(&turned);
        for turn in &turned.turns {
            let map = about(&turned.center, turn);
            let posed: Vec<Affine> = (0..rig.joint_bound())
                .map(|j| if turned.moves[j] { map } else { Affine::identity() })
                .collect();
            rig.place(&posed, &[], &mut scratch);
            let moved = skin.moved(&scratch.points, &map, &parts);
            worst.par_iter_mut().zip(&moved).zip(&parts).for_each(|((worst, moved), part)| {
                let error = (moved.by_cage - moved.linear).norm();
                let own_way = if turned.is_hinge { HINGE } else { 1.0 };
                let mut lost = ramp(error / (own_way * turned.thickness), ASTRAY);
                if part.linear < 1e-3 && !turned.is_hinge {
                    lost = lost.max(ramp(error / size, STRAY));
                }
                *worst = worst.max(lost);
            });
        }
    }
    worst
}

/// How far `x` is from the first bound to the second.
fn ramp(x: f64, [none, all]: [f64; 2]) -> f64 {
    ((x - none) / (all - none)).clamp(0.0, 1.0)
}

fn about(center: &Point3<f64>, turn: &UnitQuaternion<f64>) -> Affine {
    let mut map = Affine::from_rotation(*turn);
    map.translation = center.coords - turn * center.coords;
    map
}

/// What a joint moves of a point.
struct Part {
    /// In linear blending.
    linear: f64,
    /// Of that, by joints that are blended on top of the cage.
    on_top: f64,
}

/// Where a turn takes a point.
struct Moved {
    by_cage: Vector3<f64>,
    linear: Vector3<f64>,
}

/// The points of the welded surface and what they hang on.
struct Skin<'a> {
    character: &'a Character,
    surface: &'a Surface,
    coordinates: &'a Coordinates,
    /// By joint: what a joint too fine for the cage hangs on.
    anchors: Vec<Option<usize>>,
}

impl<'a> Skin<'a> {
    fn of(character: &'a Character, rig: &CageRig, coordinates: &'a Coordinates) -> Self {
        let mut anchors = vec![None; character.skeleton.len()];
        rig.layout().fine.iter().for_each(|fine| anchors[fine.joint] = Some(fine.anchor));
        Self { character, surface: character.mesh.surface(), coordinates, anchors }
    }

    fn parts(&self, turned: &Turned) -> Vec<Part> {
        let of_point = |vertex: &u32| {
            let (mut whole, mut linear, mut on_top) = (0.0, 0.0, 0.0);
            for influence in self.character.weights.row(*vertex as usize) {
                let (j, weight) = (usize::from(influence.joint), f64::from(influence.weight));
                let moves = |j: usize| if turned.moves.get(j) == Some(&true) { weight } else { 0.0 };
                whole += weight;
                linear += moves(j);
                if let Some(anchor) = self.anchors.get(j).copied().flatten() {
                    on_top += moves(j) - moves(anchor);
                }
            }
            let unit = if whole > 0.0 { 1.0 / whole } else { 0.0 };
            Part { linear: linear * unit, on_top: on_top * unit }
        };
        self.surface.vertex_of_point.par_iter().map(of_point).collect()
    }

    fn moved(&self, controls: &[Point3<f64>], map: &Affine, parts: &[Part]) -> Vec<Moved> {
        let of_point = |(point, (p, part)): (usize, (&Point3<f64>, &Part))| {
            let way = map.transform_point(p) - p;
            let (mut sum, mut weight) = (Vector3::zeros(), 0.0);
            for entry in self.coordinates.row(point) {
                sum += controls[entry.vertex as usize].coords * f64::from(entry.weight);
                weight += f64::from(entry.weight);
            }
            let linear = p.coords + way * part.linear;
            let by_cage = if weight > 0.0 { sum / weight + way * part.on_top } else { linear };
            Moved { by_cage, linear }
        };
        self.surface.points.par_iter().zip(parts).enumerate().map(of_point).collect()
    }
}
