//! Each joint turned alone: how far the cage takes the skin from where its weights want it.
//!
//! When joint j turns by R about its place and nothing else moves, linear blending takes a vertex to
//! v + g (R v − v), where g is the weight of j and all below it. That is no truth near the joint, where it is what a
//! cage improves; but it is one away from it, and everywhere within a thickness. What a cage tears or flattens of the
//! skin that it does own is not asked here: that is for the guard, which knows whole poses.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::strangers::Strangers;
use super::turns::{Turned, turns};
use crate::kernel::coords::Coordinates;
use crate::kernel::geom::Surface;
use crate::kernel::math::Affine;
use crate::kernel::rig::{Character, Humanoid};
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Scratch};

/// Errors between these, in thicknesses, take from none to all of the trust in a point.
const ASTRAY: [f64; 2] = [0.9, 1.5];
/// Skin that the joint has no weight in may move by this, in heights of the body: less than an eye notices. Only the
/// weights of a body say where it rests; those of a teaching shape end where its bend has only begun.
const STRAY: f64 = 0.008;
/// So many thicknesses more are needed at a hinge, whose templates are drawn to spread bends and twists in their
/// own way.
const HINGE: f64 = 1.8;

/// A joint to turn, and what it moves.
pub(super) struct JointTurn {
    pub turned: Turned,
    /// By point of the welded surface.
    pub parts: Vec<Part>,
}

/// Every joint that the cage follows or passes over.
pub(super) fn trials(character: &Character, rig: &CageRig) -> Vec<JointTurn> {
    let anchors = rig.layout().anchors(character.skeleton.len());
    let trial = |turned: Turned| JointTurn { parts: parts(character, &anchors, &turned), turned };
    turns(character, rig).into_par_iter().map(trial).collect()
}

/// For each point of the welded surface what is lost of the trust in it: 0 to 1.
pub(super) fn distrust(
    character: &Character,
    rig: &CageRig,
    coordinates: &Coordinates,
    strangers: &Strangers,
    trials: &[JointTurn],
) -> Vec<f64> {
    let surface = character.mesh.surface();
    let skin = Skin { surface, coordinates, strangers };
    let height = surface.height();
    let is_body = Humanoid::detect(&character.skeleton).is_some();
    let mut scratch = Scratch::default();
    let mut worst = vec![0.0_f64; surface.points.len()];
    for JointTurn { turned, parts } in trials {
        for turn in &turned.turns {
            let map = turned.place(rig, turn, &mut scratch);
            let moved = skin.moved(&scratch.points, &map, parts);
            worst.par_iter_mut().zip(&moved).zip(parts).for_each(|((worst, moved), part)| {
                let error = (moved.by_cage - moved.linear).norm();
                let own_way = if turned.is_hinge { HINGE } else { 1.0 };
                let mut lost = ramp(error / (own_way * turned.thickness), ASTRAY);
                if part.linear < 1e-3 && (!turned.is_hinge || is_body) && error > STRAY * height {
                    // What is left of it is what it may be.
                    lost = lost.max(1.0 - STRAY * height / error);
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

/// What a joint moves of a point.
pub(super) struct Part {
    /// In linear blending.
    pub linear: f64,
    /// Of that, by joints that are blended on top of the cage.
    on_top: f64,
}

/// Where a turn takes a point.
struct Moved {
    by_cage: Vector3<f64>,
    linear: Vector3<f64>,
}

/// What a joint moves of each point of the welded surface; `anchors` has by joint what one too fine for the cage
/// hangs on.
fn parts(character: &Character, anchors: &[Option<usize>], turned: &Turned) -> Vec<Part> {
    let moves = |j: usize| if turned.moves.get(j) == Some(&true) { 1.0 } else { 0.0 };
    let moves_on_top = |j: usize| {
        let anchor = anchors.get(j).copied().flatten();
        anchor.map_or(0.0, |anchor| moves(j) - moves(anchor))
    };
    let of_point = |v: &u32| Part {
        linear: character.weights.part(*v as usize, moves),
        on_top: character.weights.part(*v as usize, moves_on_top),
    };
    character.mesh.surface().vertex_of_point.iter().map(of_point).collect()
}

/// The points of the welded surface and what they hang on.
struct Skin<'a> {
    surface: &'a Surface,
    coordinates: &'a Coordinates,
    strangers: &'a Strangers,
}

impl Skin<'_> {
    fn moved(&self, controls: &[Point3<f64>], map: &Affine, parts: &[Part]) -> Vec<Moved> {
        let of_point = |(point, (p, part)): (usize, (&Point3<f64>, &Part))| {
            let turned = |p: &Point3<f64>, by: f64| p.coords + (map.transform_point(p) - p) * by;
            let (taken, middle) = &self.strangers.taken[point];
            let mut weight = f64::from(*taken);
            let mut sum = turned(middle, part.linear - part.on_top) * weight;
            for (c, kept) in self.strangers.row(self.coordinates, point) {
                sum += controls[c].coords * kept;
                weight += kept;
            }
            let linear = turned(p, part.linear);
            let by_cage =
                if weight > 0.0 { turned(p, part.on_top) - p.coords + sum / weight } else { linear };
            Moved { by_cage, linear }
        };
        self.surface.points.par_iter().zip(parts).enumerate().map(of_point).collect()
    }
}
