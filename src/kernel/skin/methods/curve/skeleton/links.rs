//! The joint skeleton as a tree of links, with the places along each where frames are worked out.
//!
//! A link is the straight piece from a joint to one of its children, or to its tip. All links of a joint
//! move with it; where two links meet, the curve rounds the corner.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use crate::kernel::rig::Skeleton;

/// Samples lie this part of the limb's radius apart: the blend of two neighbours that are turned against
/// each other by an eighth of a right angle loses a thousandth of the girth.
const SPACING: f64 = 0.2;
/// The fewest and the most stretches between the samples of a link.
const STRETCHES: [usize; 2] = [2, 24];

/// A straight piece of the joint skeleton at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The joint that it moves with, at its head.
    pub joint: usize,
    /// The joint at its tail; none at a tip.
    pub child: Option<usize>,
    /// Where it begins.
    pub head: Point3<f64>,
    /// Where it ends.
    pub tail: Point3<f64>,
    /// Unit vector from head to tail; zero where the two coincide.
    pub direction: Vector3<f64>,
    /// How long it is.
    pub length: f64,
    /// The first of its samples among all.
    pub first_sample: usize,
    /// How many stretches the samples divide it into.
    pub stretches: usize,
}

impl Link {
    /// Its samples among those of all links.
    pub fn samples(&self) -> Range<usize> {
        self.first_sample..self.first_sample + self.stretches + 1
    }

    /// The sample after them, which moves with the joint as a whole, whatever bends at the link's ends.
    pub fn rigid_sample(&self) -> usize {
        self.first_sample + self.stretches + 1
    }

    /// How far from the head a sample of its own lies.
    pub fn arc(&self, k: usize) -> f64 {
        self.length * k as f64 / self.stretches as f64
    }

    /// The point at `arc` from the head.
    pub fn at(&self, arc: f64) -> Point3<f64> {
        self.head + self.direction * arc
    }
}

/// All links of a skeleton.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// Joint by joint.
    pub all: Vec<Link>,
    /// For each joint the link that ends there; none at a root.
    pub incoming: Vec<Option<usize>>,
    /// For each joint the links that begin there.
    pub outgoing: Vec<Range<usize>>,
    /// For each joint the nearest joint above that counts; none at a root.
    pub parents: Vec<Option<usize>>,
}

impl Links {
    /// The links of a skeleton, without samples yet. Joints that do not `count`, such as a root on the floor, the
    /// target of a limb or a socket, are no part of the tree: what hangs on them goes on from the joint above, and
    /// the little skin that they may have moves with them as a whole.
    pub fn of(skeleton: &Skeleton, counts: &[bool]) -> Self {
        let above = |j: usize| skeleton.joints()[j].parent;
        let parent = |j: usize| {
            let mut at = above(j);
            while let Some(p) = at.filter(|p| !counts[*p]) {
                at = above(p);
            }
            at.filter(|_| counts[j])
        };
        let parents: Vec<Option<usize>> = (0..skeleton.len()).map(parent).collect();
        let mut links = Self {
            all: Vec::new(),
            incoming: vec![None; skeleton.len()],
            outgoing: vec![0..0; skeleton.len()],
            parents,
        };
        let mut children = vec![Vec::new(); skeleton.len()];
        for (j, parent) in links.parents.iter().enumerate() {
            parent.iter().for_each(|p| children[*p].push(j));
        }
        for (joint, children) in children.iter().enumerate() {
            let begin = links.all.len();
            let head = skeleton.position(joint);
            let tip = children.is_empty().then(|| (None, skeleton.tip(joint)));
            let tails = children.iter().map(|c| (Some(*c), skeleton.position(*c))).chain(tip);
            for (child, tail) in tails {
                if let Some(child) = child {
                    links.incoming[child] = Some(links.all.len());
                }
                let along = tail - head;
                let direction = along.try_normalize(1e-9).unwrap_or_else(Vector3::zeros);
                let length = along.norm();
                let link =
                    Link { joint, child, head, tail, direction, length, first_sample: 0, stretches: 0 };
                links.all.push(link);
            }
            links.outgoing[joint] = begin..links.all.len();
        }
        links
    }

    /// Places the samples, as densely as the skin's distance from the joints asks for.
    pub fn sample(&mut self, radii: &[f64]) {
        let mut next = 0;
        for link in &mut self.all {
            let thin = link.child.map_or(radii[link.joint], |child| radii[link.joint].min(radii[child]));
            let wanted = (link.length / (SPACING * thin.max(1e-9))).ceil();
            link.stretches = (wanted as usize).clamp(STRETCHES[0], STRETCHES[1]);
            link.first_sample = next;
            next = link.rigid_sample() + 1;
        }
    }

    /// How many samples there are.
    pub fn sample_count(&self) -> usize {
        self.all.last().map_or(0, |link| link.rigid_sample() + 1)
    }
}
