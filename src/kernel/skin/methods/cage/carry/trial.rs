//! Each joint turned alone: how far the cage takes the skin from where its weights want it, and what it does to it.
//!
//! When joint j turns by R about its place and nothing else moves, linear blending takes a vertex to
//! v + g (R v − v), where g is the weight of j and all below it. That is no truth near the joint, where it is what a
//! cage improves; but it is one away from it, and everywhere within a thickness. And a cage that tears or squeezes
//! what linear blending does not has lost the skin's trust there as well.

use nalgebra::{Point3, UnitQuaternion, Vector3};
use rayon::prelude::*;

use super::turns::{Turned, turns};
use crate::kernel::coords::Coordinates;
use crate::kernel::geom::Surface;
use crate::kernel::math::Affine;
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage::rig::{CageRig, Scratch};

/// Errors between these, in thicknesses, take from none to all of the trust in a point.
const ASTRAY: [f64; 2] = [0.55, 0.95];
/// The same for skin that the joint has no weight in, in sizes of the body.
const STRAY: [f64; 2] = [0.018, 0.04];
/// Stretch that costs no trust, absolutely and beside that of linear blending; and how many times more costs all.
const TORN: [f64; 3] = [2.2, 1.25, 1.4];
/// The same for what is squeezed.
const SQUEEZED: [f64; 3] = [0.35, 0.75, 0.6];

/// For each point of the welded surface what is lost of the trust in it: 0 to 1.
pub(super) fn distrust(character: &Character, rig: &CageRig, coordinates: &Coordinates) -> Vec<f64> {
    let surface = character.mesh.surface();
    let skin = Skin::of(character, rig, coordinates);
    let triangles = RestTriangle::all(surface);
    let size = surface.diagonal();
    let mut scratch = Scratch::default();
    let mut worst = vec![0.0_f64; surface.points.len()];
    let mut worst_of_triangle = vec![0.0_f64; triangles.len()];
    for turned in turns(character, rig) {
        let parts = skin.parts(&turned);
        for turn in &turned.turns {
            let map = about(&turned.center, turn);
            let posed: Vec<Affine> = (0..rig.joint_bound())
                .map(|j| if turned.moves[j] { map } else { Affine::identity() })
                .collect();
            rig.pose(&posed, &mut scratch);
            let moved = skin.moved(&scratch.points, &map, &parts);
            worst.par_iter_mut().zip(&moved).zip(&parts).for_each(|((worst, moved), part)| {
                let error = (moved.by_cage - moved.linear).norm();
                let mut lost = ramp(error / turned.thickness, ASTRAY);
                if part.linear < 1e-3 && !turned.is_hinge {
                    lost = lost.max(ramp(error / size, STRAY));
                }
                *worst = worst.max(lost);
            });
            if turned.is_hinge {
                continue;
            }
            worst_of_triangle.par_iter_mut().zip(&triangles).for_each(|(worst, triangle)| {
                if *worst < 1.0 {
                    *worst = worst.max(triangle.damage(&moved));
                }
            });
        }
    }
    for (triangle, lost) in triangles.iter().zip(worst_of_triangle) {
        triangle.corners.iter().for_each(|i| worst[*i] = worst[*i].max(lost));
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

/// A triangle of the skin at rest: what takes its edges to a frame of its own.
struct RestTriangle {
    corners: [usize; 3],
    /// Inverse of the edges in the triangle's plane, [[a, b], [0, c]]; `None` for a sliver.
    inverse: Option<[f64; 3]>,
}

impl RestTriangle {
    fn all(surface: &Surface) -> Vec<Self> {
        let of = |(t, corners): (usize, &[u32; 3])| {
            let [a, b, c] = surface.corners(t);
            let (e1, e2) = (b - a, c - a);
            let length = e1.norm();
            let inverse = (length > 0.0).then(|| {
                let along = e1.dot(&e2) / length;
                let height = (e2 - e1 * (along / length)).norm();
                (height > 1e-3 * length).then(|| [1.0 / length, -along / (length * height), 1.0 / height])
            });
            Self { corners: corners.map(|i| i as usize), inverse: inverse.flatten() }
        };
        surface.triangles.iter().enumerate().map(of).collect()
    }

    /// Least and greatest stretch.
    fn stretch(&self, at: impl Fn(usize) -> Vector3<f64>) -> [f64; 2] {
        let Some([a, b, c]) = self.inverse else { return [1.0; 2] };
        let [p, q, r] = self.corners.map(at);
        let (e1, e2) = (q - p, r - p);
        let (u, v) = (e1 * a, e1 * b + e2 * c);
        let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
        let (mean, off) = (0.5 * (uu + vv), (0.25 * (uu - vv).powi(2) + uv * uv).sqrt());
        [(mean - off).max(0.0).sqrt(), (mean + off).sqrt()]
    }

    /// What the cage does to it that linear blending does not.
    fn damage(&self, moved: &[Moved]) -> f64 {
        let [least, most] = self.stretch(|i| moved[i].by_cage);
        if most < TORN[0] && least > SQUEEZED[0] {
            return 0.0;
        }
        let linear = self.stretch(|i| moved[i].linear);
        let torn = TORN[0].max(TORN[1] * linear[1]);
        let squeezed = SQUEEZED[0].min(SQUEEZED[1] * linear[0]);
        ramp(most, [torn, TORN[2] * torn]).max(ramp(-least, [-squeezed, -SQUEEZED[2] * squeezed - 1e-9]))
    }
}
