//! Which bones warm a point: the nearest that it sees through the inside of the mesh.
//!
//! Baran and Popović 2007, §4: the heat of point i is H_ii = k c / d(i)², with d(i) the distance to
//! the nearest bone whose shortest segment to the point stays inside of the mesh, k the number of
//! joints at that distance, and nothing where there is none. Departures: where a piece of the
//! mesh is closed, a segment that leaves the point outwards is outside and counts as hidden, which
//! needs no second ray; where it is open, outside has no meaning, and such bones only count as
//! farther, by the factor that Blender uses. And joints, not bones, share at equal distance, so that
//! a joint with three children does not outvote its parent. Of bones that poke out of the mesh only
//! the inner part gives heat.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::shells::Shells;
use crate::kernel::geom::{Rays, Surface, normals};
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::Bone;

/// The constant c of the paper. Pinocchio and Blender say c = 1 but scale their Laplacians by parts
/// of the area; with the true Laplacian the same transitions take c = 4 (measured on a cylinder:
/// Blender's weights fall off as exp(−2 x / r)).
pub(super) const CONDUCTION: f64 = 4.0;
/// Distances that differ by less than this part are equal.
const EQUAL: f64 = 1e-4;
/// The least distance that heat is computed with, in diagonals.
const LEAST_DISTANCE: f64 = 1e-4;
/// How deep under the surface a point looks from, in diagonals.
const SKIN: f64 = 2e-5;
/// The same where the surface may be cracked; twice the depth, since only half of it is taken.
const OPEN_SKIN: f64 = 4e-3;
/// How far under the surface a bone ends that pokes out of it, in diagonals.
const CUT_END: f64 = 5e-3;
/// The last part of the way to the bone that nothing blocks.
const BONE_END: f64 = 1e-3;
/// The farthest that an unseen bone counts, in diagonals: from afar all weights would be alike.
const UNSEEN_DISTANCE: f64 = 0.05;
/// A point that is hidden from this many of its nearest bones counts as hidden from all.
const MOST_RAYS: usize = 24;

/// What warms one point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    /// H_ii, per square metre; zero where nothing is seen.
    pub conduction: f64,
    /// The joints that share it, equally.
    pub joints: Vec<usize>,
}

impl Heat {
    fn from(mut joints: Vec<usize>, distance: f64, diagonal: f64) -> Self {
        joints.sort_unstable();
        joints.dedup();
        let distance = distance.max(LEAST_DISTANCE * diagonal).max(f64::MIN_POSITIVE.sqrt());
        Self { conduction: joints.len() as f64 * CONDUCTION / (distance * distance), joints }
    }
}

/// The heat of every point.
pub fn look(
    surface: &Surface,
    shells: &Shells,
    rays: &Rays,
    bones: &[Bone],
    progress: &dyn Progress,
) -> Result<Vec<Heat>, Cancelled> {
    let normals = normals::smooth(&surface.points, &surface.triangles);
    progress.check()?;
    let diagonal = surface.diagonal();
    let inner: Vec<Bone> = if has_inside(shells) {
        bones.iter().flat_map(|bone| inside_of(rays, bone, diagonal)).collect()
    } else {
        bones.to_vec()
    };
    let bones = inner.as_slice();
    surface
        .points
        .par_iter()
        .enumerate()
        .with_min_len(64)
        .map(|(i, p)| {
            progress.check()?;
            let shell = shells.of_point[i];
            if shell == Shells::NONE {
                return Ok(Heat::default());
            }
            let inward = -normals[i] * shells.outward[shell as usize];
            let closed = shells.closed[shell as usize];
            let candidates = candidates(p, &inward, closed, bones);
            let sees = |q: &Point3<f64>| {
                // From a hair's breadth inside: at the point itself a ray that leaves at once
                // through one of its own triangles could not be told from one that stays inside.
                // In an open piece the neighbours across a crack may overlap: start beyond them.
                let from = if closed {
                    p + inward * (SKIN * diagonal)
                } else {
                    p + (q - p).cap_magnitude(OPEN_SKIN * diagonal) * 0.5
                };
                // A bone may end on the surface itself.
                !rays.blocked(&from, &(q + (from - q) * BONE_END))
            };
            Ok(nearest_seen(&candidates, sees, diagonal))
        })
        .collect()
}

/// The heat of a point from its nearest bones, seen or not: for a mesh with no inside at all.
pub fn nearest(p: &Point3<f64>, bones: &[Bone], diagonal: f64) -> Heat {
    let distance = |bone: &Bone| (bone.closest(p).0 - p).norm();
    let least = bones.iter().map(distance).fold(f64::INFINITY, f64::min);
    let joints = bones.iter().filter(|bone| distance(bone) <= least * (1.0 + EQUAL)).map(|bone| bone.joint);
    Heat::from(joints.collect(), least.min(UNSEEN_DISTANCE * diagonal), diagonal)
}

/// Whether inside and outside mean something: most points belong to closed pieces.
fn has_inside(shells: &Shells) -> bool {
    let in_closed = |shell: &&u32| **shell != Shells::NONE && shells.closed[**shell as usize];
    2 * shells.of_point.iter().filter(in_closed).count() > shells.of_point.len()
}

/// The parts of a bone that lie inside of the mesh, ends that poke out drawn in a little; the whole
/// bone where none does.
fn inside_of(rays: &Rays, bone: &Bone, diagonal: f64) -> Vec<Bone> {
    let along = bone.tail - bone.head;
    let length = bone.length();
    let mut cuts: Vec<f64> = rays.hits(&bone.head, &along, 1.0).iter().map(|hit| hit.t).collect();
    cuts.insert(0, 0.0);
    cuts.push(1.0);
    let parts: Vec<Bone> = cuts
        .windows(2)
        .filter(|cut| (cut[1] - cut[0]) * length > 1e-6 * diagonal)
        .filter(|cut| rays.contains(&(bone.head + along * (0.5 * (cut[0] + cut[1])))))
        .map(|cut| {
            let draw_in = (CUT_END * diagonal / length).min(0.25 * (cut[1] - cut[0]));
            let from = if cut[0] > 0.0 { cut[0] + draw_in } else { 0.0 };
            let to = if cut[1] < 1.0 { cut[1] - draw_in } else { 1.0 };
            Bone { head: bone.head + along * from, tail: bone.head + along * to, ..*bone }
        })
        .collect();
    if parts.is_empty() { vec![*bone] } else { parts }
}

/// A bone as a point sees it.
struct Candidate {
    joint: usize,
    /// The nearest point of the bone.
    target: Point3<f64>,
    /// Its distance, lengthened where it lies on the outer side.
    distance: f64,
}

/// The bones on the inner side, nearest first.
fn candidates(p: &Point3<f64>, inward: &Vector3<f64>, closed: bool, bones: &[Bone]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = bones
        .iter()
        .filter_map(|bone| {
            let target = bone.closest(p).0;
            let offset = target - p;
            let distance = offset.norm();
            let cosine = if distance > 0.0 { offset.dot(inward) / distance } else { 1.0 };
            if closed && cosine < 0.0 {
                return None;
            }
            Some(Candidate { joint: bone.joint, target, distance: distance / (0.5 * (cosine + 1.001)) })
        })
        .collect();
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.joint.cmp(&b.joint)));
    found
}

fn nearest_seen(candidates: &[Candidate], sees: impl Fn(&Point3<f64>) -> bool, diagonal: f64) -> Heat {
    let mut rays = 0;
    let mut limit = f64::INFINITY;
    let mut distance = 0.0;
    let mut joints = Vec::new();
    // Bones that meet in a joint share its point: one ray answers for all of them.
    let mut last: Option<(Point3<f64>, bool)> = None;
    for candidate in candidates {
        if candidate.distance > limit || (joints.is_empty() && rays == MOST_RAYS) {
            break;
        }
        let seen = match last {
            Some((target, seen)) if target == candidate.target => seen,
            _ => {
                rays += 1;
                sees(&candidate.target)
            }
        };
        last = Some((candidate.target, seen));
        if seen {
            if joints.is_empty() {
                distance = candidate.distance;
                limit = distance * (1.0 + EQUAL);
            }
            joints.push(candidate.joint);
        }
    }
    if joints.is_empty() { Heat::default() } else { Heat::from(joints, distance, diagonal) }
}
