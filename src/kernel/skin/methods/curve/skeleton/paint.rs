//! What the weights say about joints: which of them move skin of their own, and how far along the links skin is
//! painted to bend. The curves round a joint as far as flesh allows; where an artist left a joint hard, such as a
//! robot's, they do no more than the paint.

use nalgebra::Vector3;

use super::links::Links;
use crate::kernel::geom::Mesh;
use crate::kernel::geom::measure::percentile;
use crate::kernel::rig::Weights;

/// A joint moves skin of its own where it has at least this share of some vertex.
const OWN: f32 = 0.25;
/// A share counts from here on,
const SHARE: f64 = 0.1;
/// where the joint and its parent have this part of a vertex together.
const BOTH: f64 = 0.6;
/// So many in a hundred of the vertices that are shared lie within the extent.
const MOST: f64 = 0.9;

/// For each of `count` joints whether it moves skin of its own; all of them where none does.
pub fn counting(weights: &Weights, count: usize) -> Vec<bool> {
    let mut counts = vec![false; count];
    for w in (0..weights.len()).flat_map(|i| weights.row(i)).filter(|w| w.weight >= OWN) {
        if let Some(own) = counts.get_mut(usize::from(w.joint)) {
            *own = true;
        }
    }
    if counts.contains(&true) { counts } else { vec![true; count] }
}

/// For each joint how far before and after it skin is painted to follow both it and its parent, in metres along
/// the links.
pub fn extents(mesh: &Mesh, weights: &Weights, links: &Links, bones: &[Vector3<f64>]) -> Vec<[f64; 2]> {
    let mut found: Vec<[Vec<f64>; 2]> = vec![Default::default(); bones.len()];
    let mut below: Vec<(usize, f64)> = Vec::new();
    for (i, p) in mesh.positions.iter().enumerate() {
        below.clear();
        for w in weights.row(i) {
            let mut at = Some(usize::from(w.joint));
            while let Some(j) = at.filter(|j| *j < bones.len()) {
                match below.iter_mut().find(|(of, _)| *of == j) {
                    Some((_, share)) => *share += f64::from(w.weight),
                    None => below.push((j, f64::from(w.weight))),
                }
                at = links.parents[j];
            }
        }
        for (j, share) in &below {
            let Some(before) = links.incoming[*j].map(|link| &links.all[link]) else { continue };
            let of_parent = weights.row(i).iter().filter(|w| usize::from(w.joint) == before.joint);
            let parent: f64 = of_parent.map(|w| f64::from(w.weight)).sum();
            let both = share + parent;
            if both < BOTH {
                continue;
            }
            let from = p.cast::<f64>() - before.tail;
            let arcs = [-from.dot(&before.direction), from.dot(&bones[*j])];
            for (arc, (share, list)) in arcs.iter().zip([*share, parent].iter().zip(&mut found[*j])) {
                if *arc > 0.0 && *share >= SHARE * both {
                    list.push(*arc);
                }
            }
        }
    }
    found.into_iter().map(|lists| lists.map(|mut list| percentile(&mut list, MOST, 0.0))).collect()
}
