//! Which way round two joints are turned against each other.
//!
//! The shorter way is what blending dual quaternions takes; at a half turn it jumps from one to the other. A twist about
//! a bone goes on beyond that where the pose says so ([`Posed::twisted`]). A bend by a half turn, about no bone, has no
//! right way: near it nothing is certain.

use crate::kernel::rig::{Posed, Skeleton};
use crate::kernel::skin::blend::BlendVertex;

/// With the cosine of half the angle beyond this (90 degrees), the shorter way is right.
pub(super) const UNDOUBTED: f32 = 0.707;
/// A bend is uncertain where the cosine of half its angle is below this (160 degrees).
const HALF_TURN: f32 = 0.174;
/// A twist is where the cosine of half its angle is between these (210 and 250 degrees): beyond 270 poses tell none.
const FAR: [f32; 2] = [-0.57, -0.26];
/// A joint with less than this share of a vertex is heard the less.
const SLIGHT: f32 = 0.05;

/// The directions of the bones at rest, by joint.
pub(super) struct Bones(Vec<[f32; 3]>);

impl Bones {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let bone = |j: usize| skeleton.world_from_joint(j).rotation * skeleton.bone(j);
        Self((0..skeleton.len()).map(|j| bone(j).cast::<f32>().into()).collect())
    }

    /// 1 where joint `j` is turned against `first` the shorter way and −1 where the longer way is told; and how certain
    /// that is, in 0..=1.
    pub(super) fn turn(&self, posed: &Posed, first: usize, j: usize) -> (f32, f32) {
        let (p, q) = (&posed.motions[first].real, &posed.motions[j].real);
        let w: f32 = p.iter().zip(q).map(|(a, b)| a * b).sum();
        // The vector part of p⁻¹ q, along the bone of the joint farther from the root.
        let bone = &self.0[first.max(j)];
        let v: [f32; 3] = std::array::from_fn(|k| {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            p[3] * q[k] - q[3] * p[k] - (p[a] * q[b] - p[b] * q[a])
        });
        let along: f32 = v.iter().zip(bone).map(|(a, b)| a * b).sum();
        // As the shorter way has it: a cosine that is not negative.
        let (w, along) = if w < 0.0 { (-w, -along) } else { (w, along) };
        let shorter = 2.0 * along.atan2(w);
        let told = (posed.twisted[j] - posed.twisted[first]) as f32;
        let sense = if (told - shorter).abs() > std::f32::consts::PI { -1.0 } else { 1.0 };
        (sense, level(along.hypot(w) / HALF_TURN) * level((sense * w - FAR[0]) / (FAR[1] - FAR[0])))
    }

    /// How certain all of a vertex's joints are against its strongest.
    pub(super) fn certainty(&self, posed: &Posed, vertex: &BlendVertex) -> f32 {
        let first = usize::from(vertex.joints[0]);
        let others = vertex.joints.iter().zip(&vertex.weights).skip(1).filter(|(_, weight)| **weight > 0.0);
        let doubts = others.map(|(joint, weight)| {
            let (_, certain) = self.turn(posed, first, usize::from(*joint));
            (weight / SLIGHT).min(1.0) * (1.0 - certain)
        });
        1.0 - doubts.fold(0.0, f32::max)
    }
}

/// From 0 to 1 over 0..=1, level at both.
fn level(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
