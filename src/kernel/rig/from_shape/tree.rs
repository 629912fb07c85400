//! The curve skeleton as a tree: nodes where limbs branch or end, curves between them.
//!
//! Middle lines run together where limbs share a trunk; there they become one. Branches that lie within the
//! solid's own thickness of each other are one branch.

use nalgebra::Point3;

use super::curve::{self, Solid};
use super::limbs::{JOINED, Way};
use crate::kernel::geom::Plane;
use crate::kernel::progress::{Cancelled, Progress};

/// Branches nearer to each other than this are one, in rooms of the wider.
const SAME_BRANCH: f64 = 1.0;
/// A limb must be longer than this, in rooms of the branch that it begins at.
pub(super) const SHORTEST: f64 = 1.4;
/// How often the corner is rounded where a limb leaves another.
const ROUNDS: usize = 6;

/// Where limbs branch or end.
#[derive(Debug, Clone)]
pub struct Node {
    /// In metres.
    pub at: Point3<f64>,
    /// The room around it: about the distance to the walls, in metres.
    pub room: f64,
}

/// A curve between two nodes.
#[derive(Debug, Clone)]
pub struct Limb {
    /// The nodes at its first and at its last point.
    pub ends: [usize; 2],
    /// About one cell apart.
    pub points: Vec<Point3<f64>>,
    /// The limb that mirrors it, itself on the plane of symmetry.
    pub opposite: Option<usize>,
}

/// A connected tree of curves.
#[derive(Debug, Clone)]
pub struct CurveTree {
    /// Where limbs branch or end.
    pub nodes: Vec<Node>,
    /// One fewer than the nodes.
    pub limbs: Vec<Limb>,
    /// The solid's centre of mass.
    pub center: Point3<f64>,
    /// The plane that the solid mirrors at.
    pub plane: Option<Plane>,
}

impl CurveTree {
    /// Limbs that begin or end at node `n`.
    pub fn limbs_at(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.limbs.len()).filter(move |&l| self.limbs[l].ends.contains(&n))
    }

    /// How many limbs meet at node `n`.
    pub fn degree(&self, n: usize) -> usize {
        self.limbs_at(n).count()
    }

    /// Nodes where a limb ends.
    pub fn tips(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&n| self.degree(n) == 1)
    }

    /// Nodes where three limbs or more meet.
    pub fn branches(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&n| self.degree(n) > 2)
    }

    /// The node at the other end of limb `l`.
    pub fn far_end(&self, l: usize, n: usize) -> usize {
        let [a, b] = self.limbs[l].ends;
        if a == n { b } else { a }
    }

    /// The point half way along limb `l`.
    pub fn middle_of(&self, l: usize) -> Point3<f64> {
        let points = &self.limbs[l].points;
        curve::point_at(points, 0.5 * curve::length(points))
    }

    /// How far it is from each node to each other, along the limbs.
    pub(super) fn distances(&self) -> Vec<Vec<f64>> {
        let from = |start: usize| {
            let mut distance = vec![f64::INFINITY; self.nodes.len()];
            distance[start] = 0.0;
            let mut waiting = vec![start];
            while let Some(n) = waiting.pop() {
                for l in self.limbs_at(n) {
                    let far = self.far_end(l, n);
                    if distance[far].is_infinite() {
                        distance[far] = distance[n] + curve::length(&self.limbs[l].points);
                        waiting.push(far);
                    }
                }
            }
            distance
        };
        (0..self.nodes.len()).map(from).collect()
    }

    /// Cuts limb `l` in two at its middle, where there is that much room; the new node.
    pub(super) fn split(&mut self, l: usize, room: f64) -> usize {
        let at = self.middle_of(l);
        let Limb { ends, points, .. } = self.limbs.swap_remove(l);
        let half = 0.5 * curve::length(&points);
        let mut gone = 0.0;
        let first = points.windows(2).take_while(|pair| {
            gone += (pair[1] - pair[0]).norm();
            gone < half
        });
        let kept = first.count() + 1;
        let n = self.nodes.len();
        self.nodes.push(Node { at, room });
        let head = points[..kept].iter().copied().chain([at]).collect();
        let tail = std::iter::once(at).chain(points[kept..].iter().copied()).collect();
        self.limbs.push(Limb { ends: [ends[0], n], points: head, opposite: None });
        self.limbs.push(Limb { ends: [n, ends[1]], points: tail, opposite: None });
        n
    }

    /// The tree of the limbs' middle lines; `room` of each cell in metres.
    pub(super) fn grow(
        ways: &[Way],
        room: &[f64],
        solid: &Solid,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let mut tree = Twigs::grow(ways, room, solid, progress)?.tree(solid);
        tree.merge_branches(solid);
        tree.prune();
        for limb in &mut tree.limbs {
            curve::smooth(&mut limb.points, ROUNDS);
        }
        Ok(tree)
    }

    /// Makes one branch of those that are as near to each other as the solid is thick, the nearest first.
    fn merge_branches(&mut self, solid: &Solid) {
        loop {
            let reach = |l: usize| {
                let [a, b] = self.limbs[l].ends;
                let apart = curve::length(&self.limbs[l].points);
                let same = SAME_BRANCH * self.nodes[a].room.max(self.nodes[b].room);
                (self.degree(a) > 2 && self.degree(b) > 2 && apart < same).then_some((apart, l))
            };
            let nearest = (0..self.limbs.len()).filter_map(reach).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((apart, l)) = nearest else { return };
            let Limb { ends: [keep, gone], points, .. } = self.limbs.remove(l);
            let at = curve::point_at(&points, 0.5 * apart);
            self.nodes[keep] = Node { at, room: solid.field.room(&at) };
            self.replace_node(gone, keep);
            for l in self.limbs_at(keep).collect::<Vec<_>>() {
                self.move_end(l, keep, at);
            }
        }
    }

    /// Lets the limbs of node `gone` end at `keep`, and forgets `gone`.
    fn replace_node(&mut self, gone: usize, keep: usize) {
        self.nodes.remove(gone);
        for end in self.limbs.iter_mut().flat_map(|limb| &mut limb.ends) {
            *end = if *end == gone { keep } else { *end };
            *end -= usize::from(*end > gone);
        }
    }

    /// Brings the end of limb `l` at node `n` to a place, without a hook back to it.
    fn move_end(&mut self, l: usize, n: usize, at: Point3<f64>) {
        let limb = &mut self.limbs[l];
        let last = limb.ends[1] == n;
        if last {
            limb.points.reverse();
        }
        let from = limb.points[0];
        let near = (at - from).norm();
        let keeps = limb.points.iter().position(|p| (p - from).norm() >= near);
        let keeps = keeps.unwrap_or(limb.points.len() - 1).max(1).min(limb.points.len() - 1);
        limb.points.splice(..keeps, [at]);
        if last {
            limb.points.reverse();
        }
    }

    /// Takes limbs away that end within the solid's own thickness, the shortest first.
    fn prune(&mut self) {
        loop {
            let excess = |l: usize| {
                let [a, b] = self.limbs[l].ends;
                let (branch, tip) = if self.degree(a) > 1 { (a, b) } else { (b, a) };
                let length = curve::length(&self.limbs[l].points);
                let short = length < SHORTEST * self.nodes[branch].room;
                (self.degree(branch) > 2 && self.degree(tip) == 1 && short)
                    .then_some((length, l, branch, tip))
            };
            let shortest = (0..self.limbs.len()).filter_map(excess).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, l, branch, tip)) = shortest else { return };
            self.limbs.remove(l);
            self.replace_node(tip, branch);
            let branch = branch - usize::from(branch > tip);
            if self.degree(branch) == 2 {
                self.splice(branch);
            }
        }
    }

    /// Makes one limb of the two at node `n`.
    fn splice(&mut self, n: usize) {
        let both: Vec<usize> = self.limbs_at(n).collect();
        let [first, second] = [both[0], both[1]];
        let mut tail = self.limbs.remove(second);
        let head = &mut self.limbs[first];
        if head.ends[0] == n {
            head.ends.reverse();
            head.points.reverse();
        }
        if tail.ends[1] == n {
            tail.ends.reverse();
            tail.points.reverse();
        }
        head.points.extend(tail.points.drain(1..));
        head.ends[1] = tail.ends[1];
        self.nodes.remove(n);
        for end in self.limbs.iter_mut().flat_map(|limb| &mut limb.ends) {
            *end -= usize::from(*end > n);
        }
    }
}

/// All points of all middle lines, each with the one before it.
#[derive(Default)]
struct Twigs {
    points: Vec<Point3<f64>>,
    room: Vec<f64>,
    before: Vec<Option<usize>>,
}

impl Twigs {
    /// Draws each way's line from the line that it joins, and lays it on that as far as they run together.
    fn grow(ways: &[Way], room: &[f64], solid: &Solid, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let mut twigs = Self::default();
        for way in ways {
            progress.check()?;
            let joined = twigs.nearest(&solid.cells.middle(way.joins));
            let start = joined.map_or_else(|| solid.attractor(way.joins), |k| twigs.points[k]);
            let mut parent = joined;
            let mut together = joined.is_some();
            for p in solid.line(&way.cells, room, start) {
                if together {
                    let near = twigs.nearest(&p);
                    let near = near.filter(|&k| (twigs.points[k] - p).norm() <= JOINED * twigs.room[k]);
                    together = near.is_some();
                    parent = near.or(parent);
                }
                if !together {
                    twigs.points.push(p);
                    twigs.room.push(solid.field.room(&p));
                    twigs.before.push(parent);
                    parent = Some(twigs.points.len() - 1);
                }
            }
        }
        Ok(twigs)
    }

    fn nearest(&self, p: &Point3<f64>) -> Option<usize> {
        let gap = |k: &usize| (self.points[*k] - p).norm_squared();
        (0..self.points.len()).min_by(|a, b| gap(a).total_cmp(&gap(b)))
    }

    /// Cuts the twigs at branches and ends.
    fn tree(&self, solid: &Solid) -> CurveTree {
        let mut after = vec![0; self.points.len()];
        for &before in self.before.iter().flatten() {
            after[before] += 1;
        }
        let is_node = |k: usize| after[k] != 1 || self.before[k].is_none();
        let (nodes, limbs) = (Vec::new(), Vec::new());
        let mut tree = CurveTree { nodes, limbs, center: solid.cells.center(), plane: None };
        let mut node_of = vec![usize::MAX; self.points.len()];
        for k in (0..self.points.len()).filter(|&k| is_node(k)) {
            node_of[k] = tree.nodes.len();
            tree.nodes.push(Node { at: self.points[k], room: self.room[k] });
        }
        for k in (0..self.points.len()).filter(|&k| is_node(k)) {
            let Some(mut at) = self.before[k] else { continue };
            let mut points = vec![self.points[k], self.points[at]];
            while !is_node(at) {
                let Some(before) = self.before[at] else { break };
                at = before;
                points.push(self.points[at]);
            }
            points.reverse();
            tree.limbs.push(Limb { ends: [node_of[at], node_of[k]], points, opposite: None });
        }
        // Where the lines begin is a node only where they part at once or all lead one way.
        if let Some(first) = node_of.first().copied().filter(|&n| n != usize::MAX) {
            match tree.degree(first) {
                2 => tree.splice(first),
                1 => tree.carry_on_first(first, solid),
                _ => {}
            }
        }
        tree
    }
}

impl CurveTree {
    /// All lines leave the first point one way: it lies in a limb's end, which is carried on the other way.
    fn carry_on_first(&mut self, first: usize, solid: &Solid) {
        let Some(l) = self.limbs_at(first).next() else { return };
        let limb = &mut self.limbs[l];
        let turned = limb.ends[0] == first;
        if turned {
            limb.points.reverse();
        }
        solid.carry_on(&mut limb.points);
        if let Some(&end) = limb.points.last() {
            self.nodes[first] = Node { at: end, room: solid.field.room(&end) };
        }
        if turned {
            self.limbs[l].points.reverse();
        }
    }
}
