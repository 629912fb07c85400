//! Joints along a curve skeleton: at branches, where limbs leave them, at bends, and within long straight
//! stretches, which could not bend otherwise.

use nalgebra::{Isometry3, Point3, Translation3, Unit, Vector3};

use super::curve::{self, Solid};
use super::field::Field;
use super::names::Names;
use super::tree::CurveTree;
use crate::kernel::geom::search::segment;
use crate::kernel::rig::from_tags::frame;
use crate::kernel::rig::{Skeleton, SkeletonError};

/// A stretch is bent where it lies this far off its chord, in rooms there…
const OFF_CHORD: f64 = 0.35;
/// …and turns by at least this angle, in degrees.
const TURN_DEG: f64 = 15.0;
/// Joints are no nearer to each other than this, in rooms.
const SHORTEST: f64 = 1.2;
/// A straight stretch longer than this gets a joint inside, in rooms.
const LONGEST: f64 = 10.0;
/// How much of a limb lies in the branch that it leaves, at most.
const WITHIN_BRANCH: f64 = 0.45;
/// A limb that is no longer than this is one bone, in rooms.
const STUB: f64 = 4.0;
/// Limbs that bend less than this have no plane of their own: a sine.
const STRAIGHT: f64 = 0.05;

/// A joint before it has a frame.
struct Place {
    name: String,
    parent: Option<usize>,
    at: Point3<f64>,
    tip: Option<Point3<f64>>,
    /// The axis that it bends about.
    hinge: Vector3<f64>,
}

/// The skeleton of a curve skeleton in that solid.
pub(super) fn skeleton(mut tree: CurveTree, solid: &Solid) -> Result<Skeleton, SkeletonError> {
    let mut places: Vec<Place> = Vec::new();
    match root(&tree, solid) {
        Root::Node(n) => grow_from(&tree, n, solid, &mut places),
        Root::MiddleOf(l) => {
            let n = tree.split(l, solid.field.room(&tree.middle_of(l)));
            grow_from(&tree, n, solid, &mut places);
        }
        Root::Whole(l) => {
            let points = &tree.limbs[l].points;
            let within = solid.field.room(&tree.middle_of(l)).min(0.25 * curve::length(points));
            places.push(Place {
                name: Names::ROOT.into(),
                parent: None,
                at: curve::point_at(points, within),
                tip: points.last().copied(),
                hinge: Vector3::x(),
            });
        }
    }
    with_frames(&places)
}

/// Where a skeleton begins.
enum Root {
    /// At a branch.
    Node(usize),
    /// In the middle of the only limb.
    MiddleOf(usize),
    /// The only limb is one bone.
    Whole(usize),
}

/// The branch nearest to the centre of mass, else the middle of the limb.
fn root(tree: &CurveTree, solid: &Solid) -> Root {
    let thick = |l: usize| solid.field.room(&tree.middle_of(l));
    let gap = |&n: &usize| (tree.nodes[n].at - tree.center).norm();
    match tree.branches().min_by(|a, b| gap(a).total_cmp(&gap(b))) {
        Some(n) => Root::Node(n),
        None if curve::length(&tree.limbs[0].points) > STUB * thick(0) => Root::MiddleOf(0),
        None => Root::Whole(0),
    }
}

/// Puts a joint at node `root`, then limb after limb, parents first.
fn grow_from(tree: &CurveTree, root: usize, solid: &Solid, places: &mut Vec<Place>) {
    let at = tree.nodes[root].at;
    places.push(Place { name: Names::ROOT.into(), parent: None, at, tip: None, hinge: Vector3::x() });
    let mut names = Names::new(tree);
    // Nodes whose limbs are still to come: the node, its joint, and the limb that led there.
    let mut waiting = vec![(root, 0, usize::MAX)];
    while let Some((n, joint, came)) = waiting.pop() {
        let mut limbs: Vec<usize> = tree.limbs_at(n).filter(|&l| l != came).collect();
        names.sort(n, &mut limbs);
        let first_new = waiting.len();
        for l in limbs {
            let far = tree.far_end(l, n);
            let mut points = tree.limbs[l].points.clone();
            if tree.limbs[l].ends[0] != n {
                points.reverse();
            }
            let goes_on = tree.degree(far) > 1;
            let chain = chain(&points, tree.nodes[n].room, goes_on, solid);
            let hinge = hinge(&at, &chain, points.last());
            let mut parent = joint;
            for (k, &at) in chain.iter().enumerate() {
                places.push(Place { name: names.joint(l, k), parent: Some(parent), at, tip: None, hinge });
                parent = places.len() - 1;
            }
            if goes_on {
                waiting.push((far, parent, l));
            } else {
                places[parent].tip = points.last().copied();
            }
        }
        // The first limb's branches come first.
        waiting[first_new..].reverse();
    }
}

/// Where the joints of a limb go that begins at a branch with that much room; where it goes on to another
/// branch, the last one is there.
fn chain(points: &[Point3<f64>], branch_room: f64, goes_on: bool, solid: &Solid) -> Vec<Point3<f64>> {
    let whole = curve::length(points);
    let leaves = branch_room.min(WITHIN_BRANCH * whole);
    let mut at = vec![leaves];
    let begins = curve::point_at(points, leaves);
    if goes_on && whole - leaves < SHORTEST * solid.field.room(&begins) {
        return points.last().copied().into_iter().collect();
    }
    let mut cuts = Vec::new();
    Stretches { points, field: solid.field }.split(leaves, whole, &mut cuts);
    // Between fingers that are finer than cells a curve may leave the mesh.
    at.extend(cuts.into_iter().filter(|&s| solid.rays.contains(&curve::point_at(points, s))));
    if goes_on {
        at.push(whole);
    }
    at.into_iter().map(|distance| curve::point_at(points, distance)).collect()
}

/// Cuts a curve into straight stretches (Ramer 1972, Douglas and Peucker 1973, relative to its thickness).
struct Stretches<'a> {
    points: &'a [Point3<f64>],
    field: &'a Field,
}

impl Stretches<'_> {
    /// Adds the distances along the curve, between `from` and `to`, where it is cut.
    fn split(&self, from: f64, to: f64, cuts: &mut Vec<f64>) {
        const SAMPLES: usize = 48;
        let point = |distance: f64| curve::point_at(self.points, distance);
        let (a, b) = (point(from), point(to));
        let samples = (1..SAMPLES).map(|k| from + (to - from) * k as f64 / SAMPLES as f64);
        let bend =
            samples.map(|s| (segment::distance(&point(s), &a, &b), s)).max_by(|p, q| p.0.total_cmp(&q.0));
        if let Some((off, s)) = bend {
            let at = point(s);
            let room = self.field.room(&at);
            let turn_deg = (at - a).angle(&(b - at)).to_degrees();
            let long = (s - from).min(to - s) >= SHORTEST * room;
            if off > OFF_CHORD * room && turn_deg >= TURN_DEG && long {
                self.split(from, s, cuts);
                cuts.push(s);
                self.split(s, to, cuts);
                return;
            }
        }
        let room = self.field.room(&point(0.5 * (from + to)));
        let pieces = ((to - from) / (LONGEST * room)).ceil().clamp(1.0, 32.0) as usize;
        cuts.extend((1..pieces).map(|k| from + (to - from) * k as f64 / pieces as f64));
    }
}

/// The normal of the plane that a limb bends in, along which a positive turn bends it on; the body's left
/// for a straight one.
fn hinge(from: &Point3<f64>, chain: &[Point3<f64>], end: Option<&Point3<f64>>) -> Vector3<f64> {
    let joints: Vec<&Point3<f64>> = std::iter::once(from).chain(chain).chain(end).collect();
    let bones: Vec<Vector3<f64>> =
        joints.windows(2).filter_map(|pair| (pair[1] - pair[0]).try_normalize(1e-12)).collect();
    // The first bone lies in the branch.
    let turns = bones.windows(2).skip(1).fold(Vector3::zeros(), |sum, pair| sum + pair[0].cross(&pair[1]));
    turns.try_normalize(STRAIGHT).unwrap_or_else(Vector3::x)
}

/// Gives every joint its frame: +Y along its bone, +X about its hinge.
fn with_frames(places: &[Place]) -> Result<Skeleton, SkeletonError> {
    let direction = |j: usize| {
        let here = places[j].at;
        let ahead = match places[j].parent {
            Some(parent) => (here - places[parent].at).try_normalize(1e-12).unwrap_or_else(Vector3::y),
            None => Vector3::y(),
        };
        let children = places.iter().filter(|place| place.parent == Some(j)).map(|place| place.at);
        let ends = children.chain(places[j].tip).filter_map(|end| (end - here).try_normalize(1e-12));
        ends.max_by(|a, b| a.dot(&ahead).total_cmp(&b.dot(&ahead))).unwrap_or(ahead)
    };
    Skeleton::from_world(places.iter().enumerate().map(|(j, place)| {
        let rotation = frame(&Unit::new_normalize(direction(j)), &place.hinge);
        let world = Isometry3::from_parts(Translation3::from(place.at), rotation);
        (place.name.clone(), place.parent, world, place.tip.map(|tip| world.inverse() * tip))
    }))
}
