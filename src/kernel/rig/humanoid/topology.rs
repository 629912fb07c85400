//! What the shape of a skeleton says where its names fail: arms and legs are pairs of mirrored
//! chains that leave one joint; the legs end lowest, the arms are the longest of the others.

use std::collections::HashSet;

use nalgebra::{Point3, Vector3};

use super::names;
use crate::kernel::rig::Skeleton;

/// Two chains of joints that leave one joint as mirror images.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The joint they leave.
    pub at: usize,
    /// Joints of each chain, from the body outwards.
    pub chains: [Vec<usize>; 2],
    /// Mean length of the chains, in metres.
    length: f64,
    /// Mean height of their ends, in metres.
    end_height: f64,
}

/// The legs and the arms, if both are there.
pub fn limbs(skeleton: &Skeleton) -> Option<(Pair, Pair)> {
    let pairs = pairs(skeleton);
    let lowest = pairs.iter().map(|pair| pair.end_height).fold(f64::INFINITY, f64::min);
    let size = size(skeleton);
    // Feet may have toes that end as low: of all that reach the ground the longest are the legs.
    let legs = pairs
        .iter()
        .filter(|pair| pair.end_height < lowest + 0.1 * size)
        .filter(|pair| skeleton.position(pair.at).y - pair.end_height > 0.2 * size)
        .max_by(|a, b| a.length.total_cmp(&b.length))?;
    let arms = pairs
        .iter()
        .filter(|pair| is_ancestor(skeleton, legs.at, pair.at))
        .filter(|pair| !pair.chains.iter().any(|chain| legs.chains.iter().any(|leg| leg[0] == chain[0])))
        .filter(|pair| pair.length > 0.15 * size)
        .max_by(|a, b| a.length.total_cmp(&b.length))?;
    Some((legs.clone(), arms.clone()))
}

/// Whether `a` is `j` or above it.
pub fn is_ancestor(skeleton: &Skeleton, a: usize, j: usize) -> bool {
    path_up(skeleton, j).any(|k| k == a)
}

/// `j`, its parent, and so on to the root.
pub fn path_up(skeleton: &Skeleton, j: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(j), |&k| skeleton.joints()[k].parent)
}

/// The lowest joint above all of the given ones (which may be one of them).
pub fn common_ancestor(skeleton: &Skeleton, joints: &[usize]) -> Option<usize> {
    let (&first, rest) = joints.split_first()?;
    let mut common: Vec<usize> = path_up(skeleton, first).collect();
    for &joint in rest {
        let above: HashSet<usize> = path_up(skeleton, joint).collect();
        common.retain(|a| above.contains(a));
    }
    common.first().copied()
}

/// The longest ways down from every joint.
pub struct MainChains {
    /// The child with which the longest way down from each joint begins.
    next: Vec<Option<usize>>,
}

impl MainChains {
    /// Finds them, helpers and ends by name left out.
    pub fn of(skeleton: &Skeleton) -> Self {
        let step = |from: usize, j: usize| (skeleton.position(j) - skeleton.position(from)).norm();
        // The length of the longest way from each joint down to a leaf: children come after their parents.
        let mut down = vec![0.0_f64; skeleton.len()];
        for j in (0..skeleton.len()).rev() {
            if let Some(parent) = skeleton.joints()[j].parent {
                down[parent] = down[parent].max(step(parent, j) + down[j]);
            }
        }
        let next = |here: usize| {
            let length = |c: usize| step(here, c) + down[c];
            let children = skeleton.children(here).iter().copied();
            children
                .filter(|&c| !names::read(&skeleton.joints()[c].name).stranger)
                .max_by(|&a, &b| length(a).total_cmp(&length(b)).then(b.cmp(&a)))
        };
        Self { next: (0..skeleton.len()).map(next).collect() }
    }

    /// The joints from `j` along the longest way down.
    pub fn from(&self, j: usize) -> Vec<usize> {
        std::iter::successors(Some(j), |here| self.next[*here]).collect()
    }
}

/// Height of the skeleton's box, or its diagonal if that is flat.
pub fn size(skeleton: &Skeleton) -> f64 {
    let positions = (0..skeleton.len()).map(|j| skeleton.position(j));
    let Some([low, high]) = crate::kernel::geom::bounds(positions) else { return 0.0 };
    let extent: Vector3<f64> = high - low;
    extent.y.max(0.3 * extent.norm())
}

fn pairs(skeleton: &Skeleton) -> Vec<Pair> {
    let (size, chains) = (size(skeleton), MainChains::of(skeleton));
    let mut pairs = Vec::new();
    for at in 0..skeleton.len() {
        let children = skeleton.children(at);
        for (k, &a) in children.iter().enumerate() {
            for &b in &children[k + 1..] {
                pairs.extend(mirrored(skeleton, at, [chains.from(a), chains.from(b)], size));
            }
        }
    }
    pairs
}

/// The pair, if the chains are mirror images of at least two joints each.
fn mirrored(skeleton: &Skeleton, at: usize, chains: [Vec<usize>; 2], size: f64) -> Option<Pair> {
    if chains.iter().any(|chain| chain.len() < 2) || chains[0].len().abs_diff(chains[1].len()) > 1 {
        return None;
    }
    let from = skeleton.position(at);
    let lengths = chains.each_ref().map(|chain| {
        let stops: Vec<Point3<f64>> =
            std::iter::once(from).chain(chain.iter().map(|&j| skeleton.position(j))).collect();
        stops.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum::<f64>()
    });
    let ends = chains.each_ref().map(|chain| chain.last().map_or(from, |&j| skeleton.position(j)));
    let across = Vector3::new(ends[0].x - ends[1].x, 0.0, ends[0].z - ends[1].z);
    let lateral = across.try_normalize(0.02 * size)?;
    let out = ends.map(|end| (end - from).dot(&lateral));
    let alike = (lengths[0] - lengths[1]).abs() < 0.25 * lengths[0].max(lengths[1])
        && (ends[0].y - ends[1].y).abs() < 0.1 * size
        && out[0] > 0.0
        && out[1] < 0.0
        && (out[0] + out[1]).abs() < 0.4 * (out[0] - out[1]);
    alike.then(|| Pair {
        at,
        chains,
        length: 0.5 * (lengths[0] + lengths[1]),
        end_height: 0.5 * (ends[0].y + ends[1].y),
    })
}
