//! Whether a solid closes on itself, as a ring does: its skeleton is a tree and is cut there.

use super::cells::SolidCells;
use super::curve;
use super::tree::CurveTree;
use super::ways::Reach;

/// How much longer the way along the tree is than the way across a cut.
const DETOUR: f64 = 4.0;
/// How wide the solid is at a cut, in rooms of the limbs on both sides: less is limbs that touch.
const WIDE: f64 = 0.6;

/// Whether two limbs run into each other where the tree does not join them.
pub(super) fn is_cut(tree: &CurveTree, solid: &SolidCells, room: &[f64]) -> bool {
    // The limb that runs through a cell, and how far it is from the limb's two nodes.
    let mut marks: Vec<Option<(usize, [f64; 2])>> = vec![None; solid.len()];
    let mut cells = Vec::new();
    for (l, limb) in tree.limbs.iter().enumerate() {
        let (whole, mut gone) = (curve::length(&limb.points), 0.0);
        for (k, p) in limb.points.iter().enumerate() {
            gone += if k > 0 { (p - limb.points[k - 1]).norm() } else { 0.0 };
            if let Some(cell) = solid.cell_at(p).filter(|&cell| marks[cell].is_none()) {
                marks[cell] = Some((l, [gone, whole - gone]));
                cells.push(cell);
            }
        }
    }
    let mut reach = Reach::nothing(solid);
    reach.add(solid, room, &cells);
    let between = tree.distances();
    let along = |a: usize, b: usize| {
        let (Some((l, from)), Some((m, to))) = (marks[a], marks[b]) else { return 0.0 };
        if l == m {
            return (from[0] - to[0]).abs();
        }
        let (ends, others) = (tree.limbs[l].ends, tree.limbs[m].ends);
        let via = |i: usize, k: usize| from[i] + between[ends[i]][others[k]] + to[k];
        [via(0, 0), via(0, 1), via(1, 0), via(1, 1)].into_iter().fold(f64::INFINITY, f64::min)
    };
    (0..solid.len()).any(|k| {
        solid.neighbours(k).filter(|(next, _)| *next > k).any(|(next, step)| {
            let (a, b) = (reach.nearest[k] as usize, reach.nearest[next] as usize);
            if a == b || a >= room.len() || b >= room.len() {
                return false;
            }
            let wide = room[k].min(room[next]) >= WIDE * room[a].max(room[b]);
            let across = reach.distance[k] + reach.distance[next] + step;
            wide && along(a, b) > DETOUR * (across + room[a].max(room[b]))
        })
    })
}
