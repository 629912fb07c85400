//! The curve skeleton of a character, from its joints, its skin and what the animator set.

use nalgebra::{Point3, Vector3};

use super::corner_layout::CornerLayout;
use super::links::Links;
use super::paint::{counting, extents};
use crate::kernel::geom::measure::percentile;
use crate::kernel::rig::{Anchors, Character, Humanoid, Role, Skeleton, Weights};
use crate::kernel::skin::methods::curve::binding::attach::{Attachment, BESIDE, Corners, Line, Place};
use crate::kernel::skin::methods::curve::settings::{JointSettings, Settings};

/// Below this cosine of the angle between two links a joint's twist is no twist of the link before.
const ALIGNED: [f64; 2] = [0.5, 0.85];

/// The same for bends: below the first cosine flesh is left alone, above the second it is squeezed fully.
const STRAIGHT: [f64; 2] = [0.4, 0.8];

/// The curve skeleton of a character at rest, with all that a pose does not change.
#[derive(Debug, Clone)]
pub struct CurveRig {
    /// The joint skeleton.
    pub links: Links,
    /// For each joint where it is at rest.
    pub rest: Vec<Point3<f64>>,
    /// For each joint the distance of the skin.
    pub radii: Vec<f64>,
    /// For each joint the direction that it twists about, at rest.
    pub bones: Vec<Vector3<f64>>,
    /// For each joint how far the links on both sides are one straight line at rest, in 0..=1: a joint that
    /// is bent at rest has its flesh where the sculptor put it.
    pub straight: Vec<f64>,
    /// For each joint how its curve is laid out.
    pub layouts: Vec<CornerLayout>,
    /// The joint of the skull, of a body.
    pub skull: Option<usize>,
    /// For each joint how far flesh gives way, and skin beyond the joint follows the link that it lies beside, in
    /// 0..=1.
    pub give: Vec<f64>,
    /// For each joint what the animator set.
    pub settings: Vec<JointSettings>,
    /// For each joint the share of its twist that the link before it takes.
    pub shares: Vec<f64>,
    /// For each sample the distance of the skin beside it.
    pub thickness: Vec<f64>,
    /// For each sample the share of a twist along its link.
    pub spread: Vec<f64>,
}

impl CurveRig {
    /// The curve skeleton at rest. `fat` is a factor for all joints.
    pub fn new(character: &Character, weights: &Weights, settings: &Settings, fat: f64) -> Self {
        let skeleton = &character.skeleton;
        let humanoid = Humanoid::detect(skeleton);
        let head = humanoid.as_ref().and_then(|humanoid| humanoid.get(Role::Head));
        let mut counts = counting(weights, skeleton.len());
        // Faces, hair and hats are carried: a skull does not bend.
        let carried = head.into_iter().flat_map(|head| skeleton.subtree(head).into_iter().skip(1));
        carried.for_each(|j| counts[j] = false);
        let mut links = Links::of(skeleton, &counts);
        let anchors = Anchors::new(character.mesh.surface(), skeleton);
        let size = f64::from(character.mesh.diagonal());
        let radii: Vec<f64> = (0..skeleton.len())
            .map(|j| Some(anchors.radius(j)).filter(|r| r.is_finite()).unwrap_or(0.0).max(1e-4 * size))
            .collect();
        links.sample(&radii);
        let bones: Vec<Vector3<f64>> = (0..skeleton.len())
            .map(|j| skeleton.direction(j).unwrap_or_else(Vector3::x_axis).into_inner())
            .collect();
        let mut joints = settings.joints.clone();
        joints.iter_mut().for_each(|joint| joint.fat *= fat);
        let straight = (0..skeleton.len()).map(|j| {
            let before = links.incoming[j].map_or_else(Vector3::zeros, |link| links.all[link].direction);
            ((before.dot(&bones[j]) - STRAIGHT[0]) / (STRAIGHT[1] - STRAIGHT[0])).clamp(0.0, 1.0)
        });
        let straight: Vec<f64> = straight.collect();
        let painted = extents(&character.mesh, weights, &links, &bones);
        let layouts: Vec<CornerLayout> = (0..skeleton.len())
            .map(|j| CornerLayout::of(&links, &radii, straight[j], painted[j], j))
            .collect();
        let is_hinge =
            |j: usize| humanoid.as_ref().and_then(|humanoid| humanoid.role_of(j)).is_some_and(Role::is_hinge);
        let shares = (0..skeleton.len())
            .map(|j| {
                // A trunk does not twist with the limbs that hang on it, and a skull no farther than it is painted to.
                let room = if head == Some(j) { painted[j][1] } else { f64::INFINITY };
                let share = || share_before(skeleton, &links, &bones, j, room) * (1.0 - layouts[j].firm);
                joints[j].twist.unwrap_or_else(|| if is_hinge(j) { 0.0 } else { share() })
            })
            .collect();
        let spread = links.all.iter().flat_map(|link| {
            let curve = &settings.twists[link.joint];
            (0..=link.stretches + 1).map(|k| curve.at((k as f64 / link.stretches as f64).min(1.0)))
        });
        let spread = spread.collect();
        let thickness = links.all.iter().flat_map(|link| {
            let [head, tail] = [link.joint, link.child.unwrap_or(link.joint)].map(|j| radii[j]);
            (0..=link.stretches + 1)
                .map(move |k| head + (tail - head) * (k as f64 / link.stretches as f64).min(1.0))
        });
        let thickness = thickness.collect();
        Self {
            skull: head,
            rest: (0..skeleton.len()).map(|j| skeleton.position(j)).collect(),
            links,
            radii,
            bones,
            give: layouts.iter().map(CornerLayout::give).collect(),
            layouts,
            straight,
            settings: joints,
            shares,
            thickness,
            spread,
        }
    }

    /// What it takes of memory, but for what is small beside the rest.
    pub fn bytes(&self) -> usize {
        let of_joints = size_of_val(&*self.layouts) + size_of_val(&*self.settings);
        of_joints + size_of_val(&*self.thickness) + size_of_val(&*self.spread)
    }

    /// The link that goes on straightest from a joint: its bone.
    pub fn main_link(&self, j: usize) -> usize {
        let along = |link: usize| self.links.all[link].direction.dot(&self.bones[j]);
        let links = self.links.outgoing[j].clone();
        let first = links.start;
        links.max_by(|a, b| along(*a).total_cmp(&along(*b)).then(b.cmp(a))).unwrap_or(first)
    }

    /// Takes the distance of the skin along the links from what hangs there: in each stretch what nine in ten
    /// points do not exceed, smoothed, and never less than at the joints nearby.
    pub fn measure(&mut self, attachment: &Attachment, positions: &[Point3<f32>]) {
        let mut beside: Vec<Vec<f64>> = vec![Vec::new(); self.thickness.len()];
        for (row, p) in attachment.rows().zip(positions) {
            // Skin that follows a link from elsewhere is not beside it.
            let is_near = |place: &&Place| place.weight > 0.5 && !place.is_whole(&self.links);
            let Some(place) = row.first().filter(is_near) else { continue };
            let (link, p) = (&self.links.all[place.link as usize], p.cast::<f64>());
            let along = (p - link.head).dot(&link.direction);
            if along < 0.0 || along > link.length {
                continue;
            }
            let share = along / link.length.max(1e-12);
            let distance = (p - link.at(share * link.length)).norm();
            let limb = link.child.map_or(0.0, |c| self.radii[c]).max(self.radii[link.joint]);
            if distance > BESIDE[0] * limb {
                continue;
            }
            let sample = link.first_sample + (share * link.stretches as f64).round() as usize;
            beside[sample].push(distance);
        }
        for link in &self.links.all {
            let of_samples = &mut beside[link.samples()];
            let found: Vec<f64> = of_samples.iter_mut().map(|of| percentile(of, 0.9, 0.0)).collect();
            let own = &mut self.thickness[link.samples()];
            own.iter_mut().zip(&found).for_each(|(own, found)| *own = own.max(*found));
            for _ in 0..2 {
                let old = own.to_vec();
                for k in 1..own.len() - 1 {
                    own[k] = own[k].max(0.25 * old[k - 1] + 0.5 * old[k] + 0.25 * old[k + 1]);
                }
            }
        }
    }

    /// The joints as binding sees them.
    pub fn corners(&self) -> Corners<'_> {
        Corners { radii: &self.radii, give: &self.give, skull: self.skull }
    }

    /// The lines that the skin is projected to: the links, displaced where the animator displaced the curve.
    pub fn lines(&self) -> Vec<Line> {
        let offset = |j: usize| self.settings[j].offset;
        let line = |link: &super::links::Link| Line {
            from: link.head + offset(link.joint),
            to: link.tail + link.child.map_or_else(|| offset(link.joint), offset),
        };
        self.links.all.iter().map(line).collect()
    }
}

/// How much of a joint's twist the link before it takes. A hand twists the forearm; an arm that hangs on a
/// shoulder twists itself; an elbow between two alike twists both, and so does a neck on a trunk that leads up
/// to it. A link that goes another way cannot take any of it.
///
/// The links after it have no more than `room` for the rest; where they part, none is left, so that all of them begin
/// alike.
fn share_before(skeleton: &Skeleton, links: &Links, bones: &[Vector3<f64>], j: usize, room: f64) -> f64 {
    let Some(before) = links.incoming[j].map(|link| &links.all[link]) else { return 0.0 };
    let at_branch = |j: usize| skeleton.children(j).len() > 1;
    let trunk = links.incoming[before.joint].map(|trunk| links.all[trunk].direction.dot(&before.direction));
    if at_branch(before.joint) && trunk.is_none_or(|cosine| cosine < ALIGNED[1])
        || skeleton.joints()[before.joint].parent.is_some_and(at_branch)
            && before.length < 0.5 * links.all[links.outgoing[j].start].length
    {
        return 0.0;
    }
    let after = match &links.all[links.outgoing[j].clone()] {
        [only] => only.length.min(room),
        _ => 0.0,
    };
    let aligned = (before.direction.dot(&bones[j]) - ALIGNED[0]) / (ALIGNED[1] - ALIGNED[0]);
    let squares = before.length.powi(2) + after.powi(2);
    // Of what begins at a branch, the skin is not the neck's alone.
    let own = if at_branch(before.joint) { 0.5 } else { 1.0 };
    own * aligned.clamp(0.0, 1.0) * before.length.powi(2) / squares.max(1e-18)
}
