//! Left and right of a curve skeleton: what mirrors each other becomes each other's exact image.
//!
//! Cells are no finer on one side than on the other, but ways between equal costs are, and limbs join in some
//! order. A mesh that is symmetric shall have a symmetric skeleton, so that poses can be mirrored.

use nalgebra::Point3;

use super::curve::{self, Solid};
use super::tree::{CurveTree, Limb, Node, SHORTEST};
use crate::kernel::geom::Plane;

/// Points of a limb that are compared.
const COMPARED: usize = 17;
/// How far from its image a limb may be at its farthest, in rooms and in cells.
const NEAR: [f64; 2] = [0.8, 3.0];

/// Farther off the plane than this a curve has left it, in rooms.
const OFF_PLANE: f64 = 0.3;

/// Finds each limb's opposite and makes both the mean of one and the other's image. Limbs on the plane are
/// laid into it. A limb that was found on one side only is there on the other too.
pub(super) fn symmetrise(tree: &mut CurveTree, plane: &Plane, solid: &Solid) {
    let cell = solid.cells.grid.cell;
    complete(tree, plane, solid);
    let images: Vec<Vec<Point3<f64>>> = tree
        .limbs
        .iter()
        .map(|limb| even(&limb.points, COMPARED).iter().map(|p| plane.reflect(p)).collect())
        .collect();
    let found: Vec<Option<Match>> =
        (0..tree.limbs.len()).map(|l| opposite(tree, &images[l], l, cell)).collect();
    let mutual = |l: usize| found[l].filter(|m| found[m.limb].is_some_and(|back| back.limb == l));
    let matches: Vec<Option<Match>> = (0..tree.limbs.len()).map(mutual).collect();

    // A node goes where the images of its limbs' ends say.
    let mut partner: Vec<Option<usize>> = vec![None; tree.nodes.len()];
    for (l, found) in matches.iter().enumerate() {
        let Some(found) = found else { continue };
        let mut ends = tree.limbs[found.limb].ends;
        if found.reversed {
            ends.reverse();
        }
        for (n, opposite) in tree.limbs[l].ends.into_iter().zip(ends) {
            partner[n].get_or_insert(opposite);
        }
    }
    let before = tree.nodes.clone();
    for (n, partner) in partner.iter().enumerate() {
        if let Some(m) = *partner {
            tree.nodes[n].at = nalgebra::center(&before[n].at, &plane.reflect(&before[m].at));
            tree.nodes[n].room = 0.5 * (before[n].room + before[m].room);
        }
    }
    let curves: Vec<Vec<Point3<f64>>> = tree.limbs.iter().map(|limb| limb.points.clone()).collect();
    for (l, found) in matches.iter().enumerate() {
        if let Some(found) = found {
            let count = curves[l].len().max(curves[found.limb].len());
            let (own, mut other) = (even(&curves[l], count), even(&curves[found.limb], count));
            if found.reversed {
                other.reverse();
            }
            let mean = own.iter().zip(&other).map(|(p, q)| nalgebra::center(p, &plane.reflect(q)));
            tree.limbs[l].points = mean.collect();
            tree.limbs[l].opposite = Some(found.limb);
        }
        let [first, last] = tree.limbs[l].ends.map(|n| tree.nodes[n].at);
        let points = &mut tree.limbs[l].points;
        let end = points.len() - 1;
        (points[0], points[end]) = (first, last);
    }
    tree.plane = Some(*plane);
}

/// Adds the image of each limb that ends in a tip with nothing opposite of it, where the solid holds it. Of one
/// that runs along the plane first, as a head that ends in an ear, that is what leaves the plane.
fn complete(tree: &mut CurveTree, plane: &Plane, solid: &Solid) {
    for l in 0..tree.limbs.len() {
        let [a, b] = tree.limbs[l].ends;
        let (base, tip) = if tree.degree(a) > 1 { (a, b) } else { (b, a) };
        if tree.degree(tip) != 1 || tree.degree(base) < 3 {
            continue;
        }
        let mut points = tree.limbs[l].points.clone();
        if tree.limbs[l].ends[0] != base {
            points.reverse();
        }
        let leaves = leaves_plane(&points, plane, solid);
        let image: Vec<Point3<f64>> = points[leaves..].iter().map(|p| plane.reflect(p)).collect();
        let (long, end) = (curve::length(&image), image[image.len() - 1]);
        let middle = curve::point_at(&image, 0.5 * long);
        let apart = 2.0 * solid.field.room(&plane.reflect(&middle)).max(NEAR[1] * solid.cells.grid.cell);
        let taken = |p: &Point3<f64>| (p - middle).norm().min((p - end).norm()) < apart;
        let stub = long < SHORTEST * solid.field.room(&points[leaves]);
        if stub || tree.limbs.iter().any(|limb| limb.points.iter().any(taken)) {
            continue;
        }
        let opposite = plane.reflect(&tree.nodes[base].at);
        let branch = if leaves > 0 {
            Some(tree.nodes.len())
        } else {
            let gap = |n: &usize| (tree.nodes[*n].at - opposite).norm();
            let nearest = tree.branches().min_by(|a, b| gap(a).total_cmp(&gap(b)));
            nearest.filter(|n| gap(n) <= tree.nodes[base].room)
        };
        let Some(branch) = branch.filter(|_| image.iter().all(|p| solid.cells.holds(p))) else { continue };
        if leaves > 0 {
            tree.nodes.push(Node { at: points[leaves], room: solid.field.room(&points[leaves]) });
            let outer = points.split_off(leaves);
            points.push(outer[0]);
            tree.limbs[l] = Limb { ends: [base, branch], points, opposite: None };
            tree.limbs.push(Limb { ends: [branch, tip], points: outer, opposite: None });
        }
        let mut points = image;
        points[0] = tree.nodes[branch].at;
        tree.nodes.push(Node { at: end, ..tree.nodes[tip].clone() });
        tree.limbs.push(Limb { ends: [branch, tree.nodes.len() - 1], points, opposite: None });
    }
}

/// The point of a curve where it leaves the plane; 0 for one that leaves it before it leaves its branch.
fn leaves_plane(points: &[Point3<f64>], plane: &Plane, solid: &Solid) -> usize {
    let room = |p: &Point3<f64>| solid.field.room(p);
    let off = |p: &Point3<f64>| plane.distance(p).abs() > OFF_PLANE * room(p);
    let leaves = points.iter().position(off).map_or(0, |k| k.saturating_sub(1));
    if curve::length(&points[..=leaves]) < SHORTEST * room(&points[0]) { 0 } else { leaves }
}

/// A limb that lies where another's image does, perhaps from its other end on.
#[derive(Debug, Clone, Copy)]
struct Match {
    limb: usize,
    reversed: bool,
}

fn opposite(tree: &CurveTree, image: &[Point3<f64>], l: usize, cell: f64) -> Option<Match> {
    let rooms = tree.limbs[l].ends.map(|n| tree.nodes[n].room);
    let near = (NEAR[0] * rooms[0].max(rooms[1])).max(NEAR[1] * cell);
    let mut best: Option<(f64, Match)> = None;
    for (m, limb) in tree.limbs.iter().enumerate() {
        let mut points = even(&limb.points, COMPARED);
        for reversed in [false, true] {
            let gap = image.iter().zip(&points).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
            if gap <= near && best.as_ref().is_none_or(|(least, _)| gap < *least) {
                best = Some((gap, Match { limb: m, reversed }));
            }
            points.reverse();
        }
    }
    best.map(|(_, found)| found)
}

/// `count` points of a curve at equal distances.
fn even(points: &[Point3<f64>], count: usize) -> Vec<Point3<f64>> {
    let whole = curve::length(points);
    curve::resampled(points, whole / (count - 1).max(1) as f64)
}
