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
}

impl Links {
    /// The links of a skeleton; they have no samples yet.
    pub fn of(skeleton: &Skeleton) -> Self {
        let mut links = Self {
            all: Vec::new(),
            incoming: vec![None; skeleton.len()],
            outgoing: vec![0..0; skeleton.len()],
        };
        for bone in skeleton.bones() {
            let at = links.all.len();
            let outgoing = &mut links.outgoing[bone.joint];
            *outgoing = if outgoing.start == outgoing.end { at..at + 1 } else { outgoing.start..at + 1 };
            if let Some(child) = bone.child {
                links.incoming[child] = Some(at);
            }
            let (along, length) = (bone.tail - bone.head, bone.length());
            let direction = along.try_normalize(1e-9).unwrap_or_else(Vector3::zeros);
            links.all.push(Link {
                joint: bone.joint,
                child: bone.child,
                head: bone.head,
                tail: bone.tail,
                direction,
                length,
                first_sample: 0,
                stretches: 0,
            });
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
