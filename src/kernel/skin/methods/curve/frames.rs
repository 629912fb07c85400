//! Frames along the curves in a pose (Eq. 1 and 2), with their centres on the joint skeleton.
//!
//! A corner's frames go from the link before to the link after: at the joint the tangent of the curve,
//! between the bone control points in even steps of the turn (Eq. 2, as rotations, which stay orthonormal
//! and cannot flip). The frame field is a function on the whole tree: all links that begin at a joint begin
//! with the joint's own frame, so nothing tears at a branch.

use nalgebra::{Matrix3, Point3, Quaternion, UnitQuaternion, Vector3};

use super::bend::reach;
use super::flesh::{Flesh, Section, Side};
use super::links::Links;
use super::settings::JointSettings;
use super::turn::{Turn, about, rotation};
use crate::kernel::math::Affine;
use crate::kernel::rig::posed::narrow;
use crate::kernel::rig::{JointMatrix, Posed};

/// The part of a link that its control points may take up.
const ROOM: f64 = 0.98;

/// The part of a corner's length that one side takes over where the other has no room for it.
const TAKEN_OVER: f64 = 0.6;

/// Where the link before goes another way, as at a hip, this part of the length before the joint is left.
const ASIDE: f64 = 0.15;

/// The least part of a bend that is done at the joint, however short the link before is, and what is added to it
/// where that is straight: sections that hardly turn while the bone does would leave a limb thin at its root.
const LEAST_BEFORE: [f64; 2] = [0.18, 0.2];

/// Where a joint branches, its bend is all but over when its links begin: skin between two of them follows what
/// they have in common, which is the joint's own frame. This part of the length after the joint is left.
const AFTER_BRANCH: f64 = 0.15;

/// The curve skeleton of a character at rest, with all that a pose does not change.
#[derive(Debug, Clone)]
pub struct CurveRig {
    /// The joint skeleton.
    pub links: Links,
    /// For each joint the parent.
    pub parents: Vec<Option<usize>>,
    /// For each joint where it is at rest.
    pub rest: Vec<Point3<f64>>,
    /// For each joint the distance of the skin.
    pub radii: Vec<f64>,
    /// For each joint the direction that it twists about, at rest.
    pub bones: Vec<Vector3<f64>>,
    /// For each joint how far the links on both sides are one straight line at rest, in 0..=1: a joint that
    /// is bent at rest has its flesh where the sculptor put it.
    pub straight: Vec<f64>,
    /// For each joint how far flesh gives way, in 0..=1.
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

/// One corner in a pose.
#[derive(Debug, Clone, Copy)]
pub struct CornerState {
    /// What the joint does.
    pub turn: Turn,
    /// How far from the joint the law wants the control points.
    pub reach: f64,
    /// The turn's share at the joint itself.
    pub middle: f64,
    flesh: Flesh,
    /// The side before the joint.
    before: Side,
}

/// Where the control points of a link are.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinkState {
    /// Distance of the one after the joint at the head.
    pub after_head: f64,
    /// Distance of the one before the joint at the tail.
    pub before_tail: f64,
    /// The side after the joint at the head.
    after: Side,
}

/// Room for a pose.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    rotations: Vec<Quaternion<f64>>,
    /// For each joint.
    pub corners: Vec<CornerState>,
    /// For each link.
    pub links: Vec<LinkState>,
    /// For each sample: posed from rest.
    pub frames: Vec<JointMatrix>,
    /// For each muscle how much it grows.
    pub growths: Vec<f32>,
}

impl CurveRig {
    /// One more than the greatest joint.
    pub fn joint_count(&self) -> usize {
        self.parents.len()
    }

    /// Works out corners, control points and the frames of all samples; allocates nothing once the scratch
    /// has its size.
    pub fn pose(&self, posed: &Posed, scratch: &mut Scratch) {
        self.control(posed, scratch);
        self.swell(scratch);
        scratch.frames.resize(self.links.sample_count(), [[0.0; 4]; 4]);
        for link in 0..self.links.all.len() {
            self.place(link, posed, scratch);
        }
    }

    /// Works out corners and control points alone: what is needed to draw the curves.
    pub fn control(&self, posed: &Posed, scratch: &mut Scratch) {
        scratch.rotations.clear();
        scratch.rotations.extend(posed.motions.iter().map(|motion| {
            let [x, y, z, w] = motion.real.map(f64::from);
            Quaternion::new(w, x, y, z).normalize()
        }));
        self.turn(scratch);
        self.float(scratch);
    }

    /// The rotation from rest of the frame at a joint (Eq. 1): half of the bend, and the twist that the link
    /// before has taken.
    pub fn joint_rotation(&self, j: usize, scratch: &Scratch) -> UnitQuaternion<f64> {
        let Some(parent) = self.parents[j] else { return rotation(scratch.rotations[j]) };
        let corner = &scratch.corners[j];
        let twist = about(&self.bones[j], corner.turn.twist * self.shares[j]);
        rotation(scratch.rotations[parent] * corner.turn.bent(corner.middle) * twist)
    }

    /// What each joint does.
    fn turn(&self, scratch: &mut Scratch) {
        scratch.corners.clear();
        for (j, parent) in self.parents.iter().enumerate() {
            let turn = parent.map_or(Turn::NONE, |p| {
                let relative = scratch.rotations[p].conjugate() * scratch.rotations[j];
                Turn::of(rotation(relative), &self.bones[j])
            });
            let (flesh, before) = (Flesh::default(), Side::default());
            let reach = reach(turn.bend, self.radii[j]);
            scratch.corners.push(CornerState { turn, reach, middle: 0.5, flesh, before });
        }
    }

    /// How much of a corner's length lies after the joint: all of its half, unless the joint branches.
    fn share_after(&self, j: usize) -> f64 {
        if self.links.outgoing[j].len() > 1 { AFTER_BRANCH } else { 1.0 }
    }

    /// Where the control points float to; two on one link share its length.
    pub(super) fn float(&self, scratch: &mut Scratch) {
        let corners = &scratch.corners;
        scratch.links.clear();
        scratch.links.extend(self.links.all.iter().map(|link| {
            let head = match self.parents[link.joint] {
                Some(_) => {
                    let after = self.settings[link.joint].after * self.share_after(link.joint);
                    corners[link.joint].reach * after
                }
                None => 0.0,
            };
            let tail = link
                .child
                .map_or(0.0, |c| corners[c].reach * self.settings[c].before * self.straight[c].max(ASIDE));
            let room = ROOM * link.length;
            let part = if head + tail > room { room / (head + tail) } else { 1.0 };
            LinkState { after_head: head * part, before_tail: tail * part, after: Side::default() }
        }));
        for j in 0..self.joint_count() {
            let Some(incoming) = self.links.incoming[j] else { continue };
            let before = scratch.links[incoming].before_tail;
            let lacking = (scratch.corners[j].reach * self.settings[j].before - before).max(0.0);
            let mut after = 0.0_f64;
            let taken_over = TAKEN_OVER * self.share_after(j) * lacking;
            for link in self.links.outgoing[j].clone() {
                let state = &mut scratch.links[link];
                // Of what one side has no room for, the other takes a part over.
                let room = ROOM * self.links.all[link].length - state.before_tail;
                state.after_head = (state.after_head + taken_over).min(room.max(state.after_head));
                after = after.max(state.after_head);
            }
            let even = if before + after > 0.0 { before / (before + after) } else { 0.5 };
            let [least, more] = LEAST_BEFORE;
            scratch.corners[j].middle = even.max(least + more * self.straight[j]);
        }
    }

    /// What the bends do to the flesh.
    fn swell(&self, scratch: &mut Scratch) {
        for j in 0..self.joint_count() {
            let (corner, set) = (&mut scratch.corners[j], &self.settings[j]);
            let Some(incoming) = self.links.incoming[j] else { continue };
            if corner.turn.bend < 1e-4 || self.give[j] <= 0.0 {
                continue;
            }
            let side = |angle: f64, reach: f64, link: usize| {
                Side::new(angle, reach, (set.spread * reach).min(self.links.all[link].length))
            };
            let before = scratch.links[incoming].before_tail;
            corner.before = side(corner.middle * corner.turn.bend, before, incoming);
            let mut widest = Side::default();
            for link in self.links.outgoing[j].clone() {
                let state = &mut scratch.links[link];
                state.after = side((1.0 - corner.middle) * corner.turn.bend, state.after_head, link);
                if state.after.is_wider(&widest) {
                    widest = state.after;
                }
            }
            corner.flesh = Flesh::new(self.radii[j], self.give[j], set.fat, &[corner.before, widest]);
        }
    }

    /// The frames of one link.
    fn place(&self, at: usize, posed: &Posed, scratch: &mut Scratch) {
        let (link, state) = (&self.links.all[at], scratch.links[at]);
        let head = scratch.corners[link.joint];
        let tail = link.child.map(|c| (c, scratch.corners[c]));
        let own = scratch.rotations[link.joint];
        let parent = self.parents[link.joint].map(|p| scratch.rotations[p]);
        let map = &posed.posed_from_rest[link.joint];
        let start = map.transform_point(&link.head);
        let end = match link.child {
            Some(c) => posed.posed_from_rest[c].transform_point(&self.rest[c]),
            None => map.transform_point(&link.tail),
        };
        let sound = posed.stretches.is_empty() && (map.transform_point(&link.tail) - end).norm() < 1e-9;
        scratch.frames[link.rigid_sample()] = posed.matrices[link.joint];
        if sound && head.turn.is_none() && tail.is_none_or(|(_, corner)| corner.turn.is_none()) {
            scratch.frames[link.samples()].fill(posed.matrices[link.joint]);
            return;
        }
        for k in 0..=link.stretches {
            let (arc, sample) = (link.arc(k), link.first_sample + k);
            let spread = self.spread[sample];
            let (mut turned, mut still, mut begun) = (own, true, 1.0);
            let mut flesh = Matrix3::zeros();
            let mut shift = Vector3::zeros();
            if let Some(parent) = parent {
                if state.after_head > 0.0 {
                    begun = head.middle + (1.0 - head.middle) * (arc / state.after_head).min(1.0);
                }
                let untwisted = head.turn.twist * (1.0 - self.shares[link.joint]) * (1.0 - spread);
                let twist = about(&self.bones[link.joint], head.turn.twist - untwisted);
                if begun < 1.0 || untwisted != 0.0 {
                    turned = parent * head.turn.bent(begun) * twist;
                    still = false;
                }
                let section = head.flesh.section(&state.after, arc, self.thickness[sample]);
                if section != Section::PLAIN {
                    let axis = rotation(twist).inverse_transform_vector(&head.turn.axis);
                    add_section(&section, &axis, &link.direction, &mut flesh, &mut shift);
                    still = false;
                }
            }
            let mut next = 0.0;
            if let Some((c, corner)) = tail {
                let left = link.length - arc;
                if state.before_tail > 0.0 {
                    next = corner.middle * (1.0 - left / state.before_tail).max(0.0);
                }
                let twist = corner.turn.twist * self.shares[c] * spread;
                if next > 0.0 || twist != 0.0 {
                    turned = turned * corner.turn.bent(next) * about(&self.bones[c], twist);
                    still = false;
                }
                let section = corner.flesh.section(&corner.before, left, self.thickness[sample]);
                if section != Section::PLAIN {
                    let axis = rotation(about(&self.bones[c], -twist)).transform_vector(&corner.turn.axis);
                    add_section(&section, &axis, &link.direction, &mut flesh, &mut shift);
                    still = false;
                }
            }
            if still && sound {
                scratch.frames[sample] = posed.matrices[link.joint];
                continue;
            }
            let mut linear = rotation(turned).to_rotation_matrix().into_inner();
            if !posed.stretches.is_empty() {
                linear *= self.stretch(link.joint, link.child, [begun, next], posed);
            }
            let center = start + (end - start) * (k as f64 / link.stretches as f64) + linear * shift;
            linear += linear * flesh;
            let translation = center.coords - linear * link.at(arc).coords;
            scratch.frames[sample] = narrow(&Affine { linear, translation });
        }
    }

    /// The stretch of a frame: between those of the links on both sides, in the frame's own shares.
    fn stretch(&self, joint: usize, child: Option<usize>, shares: [f64; 2], posed: &Posed) -> Matrix3<f64> {
        let of = |j: usize| {
            let columns = posed.stretches[j];
            Matrix3::from_fn(|row, column| f64::from(columns[column][row]))
        };
        let own = of(joint);
        let before = self.parents[joint].map_or(own, of);
        let after = child.map_or(own, of);
        own + (before - own) * (1.0 - shares[0]) + (after - own) * shares[1]
    }
}

/// Adds what a bend about `axis` makes of a section of a link: how far its map is from the identity, and its
/// shift.
fn add_section(
    section: &Section,
    axis: &Vector3<f64>,
    along: &Vector3<f64>,
    flesh: &mut Matrix3<f64>,
    shift: &mut Vector3<f64>,
) {
    let inwards = axis.cross(along);
    *flesh += inwards * inwards.transpose() * (section.across - 1.0)
        + axis * axis.transpose() * (section.aside - 1.0);
    *shift += inwards * section.shift;
}
