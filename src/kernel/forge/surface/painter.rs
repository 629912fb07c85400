//! Weights as an artist would paint them, from the field that made the skin.
//!
//! A body is a tree of chains: trunk, arm, leg, fingers. How much of a vertex belongs to a chain
//! and how much to the one it grows from follows from its distances to the two groups of
//! primitives; along a chain each joint hands over to the next by a smoothstep across the joint's
//! plane, over a zone in proportion to the limb's radius. The collar bone takes its share of the
//! trunk around its own segment. Everything is computed on the left half; vertices of the right
//! half name the mirrored joints. At the end a few rounds of averaging over the mesh even out what
//! the formulas leave, without crossing the middle, and rows are cut to four influences.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::skinner::{Skin, around_vertices};
use crate::kernel::forge::flesh::field::Field;
use crate::kernel::math::smooth::smooth_between;
use crate::kernel::rig::Weights;

/// A joint of a chain and where it takes over from the one before.
#[derive(Debug, Clone)]
pub struct Link {
    /// Index of the joint.
    pub joint: usize,
    /// A point of the plane.
    pub at: Point3<f64>,
    /// Its unit normal, towards the chain's end.
    pub normal: Vector3<f64>,
    /// Half of the zone's width, in metres.
    pub half_zone: f64,
}

/// Joints in a row whose flesh is one group of the field.
#[derive(Debug, Clone)]
pub struct Chain {
    /// Its groups in the body's field.
    pub groups: Vec<usize>,
    /// The chain that it grows from; comes before it.
    pub parent: Option<usize>,
    /// Half-width of the hand-over from the parent chain, in metres of distance difference.
    pub half_share: f64,
    /// Whether it must keep off the middle (x = 0).
    pub sided: bool,
    /// From root to tip; the first link's plane is not used.
    pub links: Vec<Link>,
}

/// The collar bone.
#[derive(Debug, Clone)]
pub struct Collar {
    /// Index of the joint.
    pub joint: usize,
    /// From the breast bone to the shoulder.
    pub from: Point3<f64>,
    /// The shoulder.
    pub to: Point3<f64>,
    /// How far around it the trunk follows it, in metres.
    pub reach: f64,
}

/// All that weights are computed from.
#[derive(Debug, Clone, Default)]
pub struct Paint {
    /// Trunk first.
    pub chains: Vec<Chain>,
    /// The left collar bone, if the skeleton has one.
    pub collar: Option<Collar>,
    /// The mirrored joint of each joint; itself in the middle.
    pub mirrored: Vec<usize>,
    /// Width of the strip around the middle that sided chains leave to the trunk, in metres.
    pub middle: f64,
    /// Another width for some fields, by index: a skirt spans both legs.
    pub wide_middles: Vec<(usize, f64)>,
    /// The left or middle joint that each field follows as a whole; empty for soft skins.
    pub owners: Vec<usize>,
}

/// Averaging rounds over the mesh.
const ROUNDS: usize = 4;
/// Influences kept.
const LIMIT: usize = 4;

type Row = Vec<(usize, f64)>;

impl Paint {
    /// One row per vertex of `skin`.
    pub fn weights(&self, skin: &Skin, body: &Field) -> Weights {
        if !self.owners.is_empty() {
            return self.rigid(skin);
        }
        let neighbours = around_vertices(skin.positions.len(), &skin.quads);
        let side_of = self.sides();
        let mut rows: Vec<Row> = skin
            .positions
            .par_iter()
            .enumerate()
            .map(|(i, &p)| {
                let field = skin.ends.partition_point(|end| end.0 <= i);
                let wide = self.wide_middles.iter().find(|(k, _)| *k == field);
                self.row(p, body, wide.map_or(self.middle, |(_, width)| *width))
            })
            .collect();
        for _ in 0..ROUNDS {
            rows = (0..rows.len())
                .into_par_iter()
                .map(|i| {
                    let around = neighbours.row(i);
                    let share = 0.5 / around.len().max(1) as f64;
                    let own = rows[i].iter().map(|&(j, w)| (j, w * 0.5));
                    let others =
                        around.iter().flat_map(|&k| rows[k as usize].iter().map(|&(j, w)| (j, w * share)));
                    let x = skin.positions[i][0];
                    gathered(own.chain(others).filter(|&(j, _)| side_of[j] * x >= 0.0))
                })
                .collect();
        }
        Weights::from_rows(rows.into_par_iter().map(cut).collect::<Vec<_>>())
    }

    /// Every vertex on its field's owner, or on the mirrored joint.
    fn rigid(&self, skin: &Skin) -> Weights {
        Weights::from_rows(skin.positions.iter().enumerate().map(|(i, p)| {
            let owner = self.owners[skin.ends.partition_point(|end| end.0 <= i)];
            [(if p[0] < 0.0 { self.mirrored[owner] } else { owner }, 1.0)]
        }))
    }

    /// +1 for joints of the left, −1 of the right, 0 in the middle.
    fn sides(&self) -> Vec<f64> {
        let mut sides = vec![0.0; self.mirrored.len()];
        let left = self.chains.iter().filter(|chain| chain.sided).flat_map(|chain| &chain.links);
        let left = left.map(|link| link.joint).chain(self.collar.as_ref().map(|collar| collar.joint));
        for joint in left {
            if self.mirrored[joint] != joint {
                sides[joint] = 1.0;
                sides[self.mirrored[joint]] = -1.0;
            }
        }
        sides
    }

    fn row(&self, p: [f64; 3], body: &Field, middle: f64) -> Row {
        let right = p[0] < 0.0 && body.mirror;
        let q = if right { [-p[0], p[1], p[2]] } else { p };
        let point = Point3::from(q);
        let to_group = |group: &usize| body.groups[*group].distance(q, f64::INFINITY);
        let to_chain = |chain: &Chain| chain.groups.iter().map(to_group).fold(f64::INFINITY, f64::min);
        let distances: Vec<f64> = self.chains.iter().map(to_chain).collect();
        let mut shares = vec![0.0; self.chains.len()];
        shares[0] = 1.0;
        for (c, chain) in self.chains.iter().enumerate() {
            let Some(parent) = chain.parent else { continue };
            let rival = (0..self.chains.len())
                .filter(|&k| k != c && self.chains[k].parent == Some(parent))
                .map(|k| distances[k])
                .fold(f64::INFINITY, f64::min);
            let width = chain.half_share;
            let mut share = smooth_between(distances[parent] - distances[c], [-width, width]);
            share *= smooth_between(rival - distances[c], [0.0, width]);
            if chain.sided && body.mirror {
                share *= smooth_between(q[0], [0.0, middle]);
            }
            shares[c] = share * shares[parent];
        }
        // Children took their part of the whole share: leave the parent the rest.
        let whole = shares.clone();
        for (chain, taken) in self.chains.iter().zip(whole) {
            if let Some(parent) = chain.parent {
                shares[parent] = (shares[parent] - taken).max(0.0);
            }
        }
        let mut row = Row::new();
        for (chain, share) in self.chains.iter().zip(shares) {
            let mut left = share;
            if chain.parent.is_none()
                && let Some(collar) = &self.collar
            {
                let taken = share * collar.pull(&point) * smooth_between(q[0], [0.0, middle]);
                row.push((collar.joint, taken));
                left -= taken;
            }
            // A joint hands on what lies beyond the next one's plane.
            let mut kept = vec![0.0; chain.links.len()];
            for (n, link) in chain.links.iter().enumerate() {
                let next = chain.links.get(n + 1);
                let onward = next.map_or(0.0, |next| {
                    let beyond = (point - next.at).dot(&next.normal);
                    left * smooth_between(beyond, [-next.half_zone, next.half_zone])
                });
                debug_assert!(link.half_zone > 0.0);
                kept[n] = left - onward;
                left = onward;
            }
            row.extend(chain.links.iter().zip(kept).map(|(link, weight)| (link.joint, weight)));
        }
        row.retain(|&(_, weight)| weight > 1e-4);
        if right {
            for (joint, _) in &mut row {
                *joint = self.mirrored[*joint];
            }
        }
        row
    }
}

impl Collar {
    /// How much of the trunk at `p` follows the collar bone.
    fn pull(&self, p: &Point3<f64>) -> f64 {
        let along = self.to - self.from;
        let t = (p - self.from).dot(&along) / along.norm_squared();
        let nearest = self.from + along * t.clamp(0.0, 1.0);
        smooth_between(t, [0.0, 1.0])
            * (1.0 - smooth_between((p - nearest).norm(), [self.reach * 0.4, self.reach]))
    }
}

/// Equal joints added up, in the order of the joints, tiny ones dropped, summing to one.
fn gathered(influences: impl Iterator<Item = (usize, f64)>) -> Row {
    let mut row = Row::with_capacity(6);
    for (joint, weight) in influences {
        match row.iter_mut().find(|(j, _)| *j == joint) {
            Some((_, sum)) => *sum += weight,
            None => row.push((joint, weight)),
        }
    }
    row.sort_by_key(|&(joint, _)| joint);
    let total: f64 = row.iter().map(|&(_, weight)| weight).sum();
    row.iter_mut().for_each(|(_, weight)| *weight /= total);
    row
}

/// The strongest four, lowered by the fifth so that nothing jumps where the fifth changes.
fn cut(mut row: Row) -> Row {
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let fifth = row.get(LIMIT).map_or(0.0, |&(_, weight)| weight);
    row.truncate(LIMIT);
    row.iter_mut().for_each(|(_, weight)| *weight -= fifth);
    row.retain(|&(_, weight)| weight > 2e-3);
    row
}
