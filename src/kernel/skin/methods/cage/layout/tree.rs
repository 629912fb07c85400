//! The joints that a cage considers: without those that move no skin and those too fine for it.

use std::collections::HashSet;

use nalgebra::{Point3, Vector3};

use super::Thickness;
use crate::kernel::rig::{Character, Humanoid, JointMirror, Role};

/// Siblings whose directions enclose less than this have no room for a template each, in degrees.
const CROWDED_DEG: f64 = 32.0;

/// Of a hand's fingers the second longest is at least this part of the longest.
const LIKE_FINGERS: f64 = 0.45;
/// A limb is detached that begins this near to another, as a part of the bone that leads to it.
const DETACHED: f64 = 0.25;
/// The part of the skin's area that a joint has to move to count, at the end of a chain or at its root.
const IDLE: f64 = 5e-4;
/// The same for a root outside of the skin.
const IDLE_OUTSIDE: f64 = 0.05;

/// The joints that are still considered, with the children that are.
pub(super) struct Tree {
    pub root: usize,
    pub parent: Vec<Option<usize>>,
    pub children: Vec<Vec<usize>>,
    pub position: Vec<Point3<f64>>,
    /// Length of each joint's own bone beyond its children.
    tip: Vec<f64>,
    /// The joint on the other side of the body, itself where there is none: what one side is asked decides for both.
    pub partner: Vec<usize>,
}

impl Tree {
    /// All joints; further roots hang on the joint of the first tree that is nearest to them.
    pub fn of(character: &Character) -> Self {
        let skeleton = &character.skeleton;
        let position: Vec<Point3<f64>> = (0..skeleton.len()).map(|j| skeleton.position(j)).collect();
        let mut parent: Vec<Option<usize>> = skeleton.joints().iter().map(|joint| joint.parent).collect();
        let mut weight = vec![1_usize; skeleton.len()];
        for j in (0..skeleton.len()).rev() {
            if let Some(parent) = parent[j] {
                weight[parent] += weight[j];
            }
        }
        let roots: Vec<usize> = (0..skeleton.len()).filter(|j| parent[*j].is_none()).collect();
        let root = roots.iter().copied().max_by_key(|j| weight[*j]).unwrap_or(0);
        let main = if skeleton.is_empty() { Vec::new() } else { skeleton.subtree(root) };
        for other in roots.into_iter().filter(|r| *r != root) {
            let distance = |j: &usize| (position[*j] - position[other]).norm();
            parent[other] = main.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        }
        let mut children = vec![Vec::new(); skeleton.len()];
        for (j, parent) in parent.iter().enumerate() {
            parent.iter().for_each(|p| children[*p].push(j));
        }
        let tip = (0..skeleton.len()).map(|j| (skeleton.tip(j) - position[j]).norm()).collect();
        let mirror = JointMirror::of(skeleton);
        let partner = (0..skeleton.len()).map(|j| mirror.partner(j).unwrap_or(j)).collect();
        Self { root, parent, children, position, tip, partner }
    }

    fn drop(&mut self, j: usize) {
        if let Some(parent) = self.parent[j] {
            self.children[parent].retain(|c| *c != j);
        }
    }

    /// Leaves out what moves no skin: ends of chains, sockets, a root on the ground.
    pub fn drop_idle(&mut self, character: &Character, thickness: &Thickness) {
        let own = own_skin(character);
        let own: Vec<f64> = (0..own.len()).map(|j| own[j].max(own[self.partner[j]])).collect();
        let moves: Vec<bool> = own.iter().map(|share| *share > IDLE).collect();
        if !moves.contains(&true) {
            return;
        }
        for j in self.below(self.root).into_iter().rev() {
            if self.children[j].is_empty() && !moves[j] {
                self.drop(j);
            }
        }
        // A root on the ground: what hangs on it hangs on the largest of its children instead. A little paint does
        // not make it a limb: outside of the skin there is nothing to put a cage around.
        let is_idle = |root: usize, position: &Point3<f64>| {
            !moves[root] || own[root] < IDLE_OUTSIDE && !thickness.rays().contains(position)
        };
        while let Some(&heir) = self.children[self.root]
            .iter()
            .max_by_key(|child| (self.below(**child).len(), std::cmp::Reverse(**child)))
            && is_idle(self.root, &self.position[self.root])
            && (self.children[self.root].len() == 1 || !thickness.rays().contains(&self.position[self.root]))
        {
            let siblings = std::mem::take(&mut self.children[self.root]);
            for sibling in siblings.into_iter().filter(|child| *child != heir) {
                self.parent[sibling] = Some(heir);
                self.children[heir].push(sibling);
            }
            self.parent[heir] = None;
            self.root = heir;
        }
    }

    /// Leaves out what hangs on a body without being a part of it that bodies have: the bones of a face, fingers, hair,
    /// skirts, tails, props. They are blended on top of the cage.
    pub fn drop_beside_body(&mut self, humanoid: &Humanoid) {
        let mut is_body = vec![false; self.parent.len()];
        for role in Role::ALL {
            let mut at = humanoid.get(role);
            while let Some(j) = at.filter(|j| !is_body[*j]) {
                is_body[j] = true;
                at = self.parent[j];
            }
        }
        for j in self.below(self.root).into_iter().filter(|j| !is_body[*j]) {
            self.drop(j);
        }
    }

    /// Leaves out limbs that begin at the end of another, as a foot does that hangs on the root and is led by
    /// inverse kinematics: the way to them would run through the other limb's cage.
    pub fn drop_detached(&mut self, character: &Character) {
        for c in self.below(self.root) {
            let Some(p) = self.parent[c].filter(|p| self.children[*p].contains(&c)) else { continue };
            let near = DETACHED * self.edge(c);
            let own: HashSet<usize> = character.skeleton.subtree(c).into_iter().collect();
            let is_met = |q: &usize| {
                let leads = |at: Point3<f64>| (at - self.position[c]).norm() < near;
                leads(self.position[*q]) || self.children[*q].is_empty() && leads(character.skeleton.tip(*q))
            };
            // Siblings may well begin side by side; what lies further down one of them may not.
            let beyond = self.children[p].iter().flat_map(|s| self.below(*s).into_iter().skip(1));
            if beyond.filter(|q| !own.contains(q)).any(|q| is_met(&q)) {
                self.drop(c);
            }
        }
    }

    /// From each joint to its farthest tip, along the bones.
    fn reaches(&self) -> Vec<f64> {
        let mut reach = self.tip.clone();
        let mut above: Vec<Option<usize>> = vec![None; reach.len()];
        for (j, children) in self.children.iter().enumerate().filter(|(_, children)| !children.is_empty()) {
            reach[j] = 0.0;
            children.iter().for_each(|c| above[*c] = Some(j));
        }
        let mut waits_for: Vec<usize> = self.children.iter().map(Vec::len).collect();
        let mut known: Vec<usize> = (0..reach.len()).filter(|j| waits_for[*j] == 0).collect();
        while let Some(c) = known.pop() {
            let Some(j) = above[c] else { continue };
            reach[j] = reach[j].max(self.edge(c) + reach[c]);
            waits_for[j] -= 1;
            if waits_for[j] == 0 {
                known.push(j);
            }
        }
        reach
    }

    /// Length of the bone that leads to `j`.
    pub fn edge(&self, j: usize) -> f64 {
        self.parent[j].map_or(0.0, |p| (self.position[j] - self.position[p]).norm())
    }

    pub fn direction(&self, j: usize) -> Vector3<f64> {
        let from = self.parent[j].map_or(self.position[j], |p| self.position[p]);
        (self.position[j] - from).try_normalize(1e-9).unwrap_or_else(Vector3::zeros)
    }

    /// Unit direction from `j` to the joint beyond its child `c`, or to the child's tip.
    fn ahead(&self, reach: &[f64], j: usize, c: usize) -> Vector3<f64> {
        let longest = |a: &&usize, b: &&usize| reach[**a].total_cmp(&reach[**b]);
        let beyond = self.children[c].iter().max_by(longest).map_or(self.position[c], |k| self.position[*k]);
        (beyond - self.position[j]).try_normalize(1e-9).unwrap_or_else(Vector3::zeros)
    }

    /// Leaves out limbs that are short beside the whole, and siblings without room beside each other.
    pub fn drop_fine(&mut self, finest: f64) {
        let whole = self.below(self.root).iter().fold(0.0_f64, |most, &a| {
            let from_root = (self.position[a] - self.position[self.root]).norm() + self.tip[a];
            most.max(from_root)
        });
        let mut reach = self.reaches();
        for j in self.below(self.root) {
            let children = self.children[j].clone();
            let length = |c: usize| self.edge(c) + reach[c];
            let lengths: Vec<f64> =
                children.iter().map(|c| length(*c).max(length(self.partner[*c]))).collect();
            for (&c, length) in children.iter().zip(lengths) {
                if length < finest * whole {
                    self.drop(c);
                }
            }
            let mut left = self.children[j].clone();
            let length = |c: usize| self.edge(c) + reach[c];
            left.sort_by(|a, b| length(*b).total_cmp(&length(*a)));
            // Hips lead apart and go on side by side, collar bones begin side by side and lead apart.
            let crowded = |a: usize, b: usize| {
                let near = CROWDED_DEG.to_radians().cos();
                let ahead = |c: usize| self.ahead(&reach, j, c);
                self.direction(a).dot(&self.direction(b)) > near && ahead(a).dot(&ahead(b)) > near
            };
            let crowd: Vec<usize> =
                left.iter().copied().filter(|&a| left.iter().any(|&b| a != b && crowded(a, b))).collect();
            // Of two the longer goes on; three or more are a hand, unless one of them leads on much further, as a
            // spine does between breasts that hang on the same place.
            let is_hand = crowd.len() > 2 && length(crowd[1]) > LIKE_FINGERS * length(crowd[0]);
            let gone: Vec<usize> = if is_hand { crowd } else { crowd.into_iter().skip(1).collect() };
            gone.into_iter().for_each(|c| self.drop(c));
            if self.children[j].len() < children.len() {
                reach = self.reaches();
            }
        }
    }

    /// `j` and what is left below it, parents first.
    pub fn below(&self, j: usize) -> Vec<usize> {
        let mut found = vec![j];
        let mut at = 0;
        while at < found.len() {
            found.extend_from_slice(&self.children[found[at]].clone());
            at += 1;
        }
        found
    }
}

/// The part of the skin's area that each joint moves: area times weight, of the whole.
fn own_skin(character: &Character) -> Vec<f64> {
    let mut own = vec![0.0; character.skeleton.len()];
    let mut total = 0.0;
    for corners in &character.mesh.triangles {
        let [a, b, c] = corners.map(|v| character.mesh.positions[v as usize].cast::<f64>());
        let area = (b - a).cross(&(c - a)).norm();
        total += 3.0 * area;
        for influence in corners.iter().flat_map(|v| character.weights.row(*v as usize)) {
            if let Some(own) = own.get_mut(usize::from(influence.joint)) {
                *own += area * f64::from(influence.weight);
            }
        }
    }
    if total > 0.0 {
        own.iter_mut().for_each(|own| *own /= total);
    }
    own
}
