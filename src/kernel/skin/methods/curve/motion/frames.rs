//! Frames along the curves in a pose (Eq. 1 and 2), with their centres on the joint skeleton.
//!
//! A corner's frames go from the link before to the link after as the tangent of the curve turns ([`Arch`]): each is
//! the part of the joint's bend that the curve has turned by there (Eq. 1 at the joint, Eq. 2 between, as
//! rotations, which stay orthonormal and cannot flip). The frame field is a function on the whole tree: all links
//! that begin at a joint begin with the joint's own frame, so nothing tears at a branch.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::bend::{Arch, reach};
use super::flesh::{Flesh, Section, Side};
use super::turn::{Turn, about, rotation};
use crate::kernel::math::Affine;
use crate::kernel::math::angle::unwound;
use crate::kernel::rig::posed::narrow;
use crate::kernel::rig::{JointMatrix, Posed};
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;

/// The part of a link that its control points may take up.
const ROOM: f64 = 0.98;

/// The part of a corner's length that one side takes over where the other has no room for it.
const TAKEN_OVER: f64 = 0.6;

/// One corner in a pose.
#[derive(Debug, Clone, Copy)]
pub struct CornerState {
    /// What the joint does.
    pub turn: Turn,
    /// How far from the joint the law wants the control points.
    pub reach: f64,
    /// How the curve turns.
    pub arch: Arch,
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
        self.links.parents.len()
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
        self.turn(posed, scratch);
        self.float(scratch);
    }

    /// The rotation from rest of the frame at a joint (Eq. 1): as the tangent of the curve has turned there,
    /// and the twist that the link before has taken.
    pub fn joint_rotation(&self, j: usize, scratch: &Scratch) -> UnitQuaternion<f64> {
        let Some(parent) = self.links.parents[j] else { return rotation(scratch.rotations[j]) };
        let corner = &scratch.corners[j];
        let twist = about(&self.bones[j], corner.turn.twist * self.layouts[j].soft * self.shares[j]);
        rotation(scratch.rotations[parent] * corner.turn.bent(corner.middle) * twist)
    }

    /// What each joint does.
    fn turn(&self, posed: &Posed, scratch: &mut Scratch) {
        scratch.corners.clear();
        for (j, parent) in self.links.parents.iter().enumerate() {
            let turn = parent.map_or(Turn::NONE, |p| {
                let relative = scratch.rotations[p].conjugate() * scratch.rotations[j];
                let turn = Turn::of(rotation(relative), &self.bones[j]);
                Turn { twist: unwound(turn.twist, posed.twisted[j] - posed.twisted[p]), ..turn }
            });
            let (flesh, before) = (Flesh::default(), Side::default());
            let reach = reach(turn.bend, self.radii[j]);
            let arch = Arch::default();
            scratch.corners.push(CornerState { turn, reach, arch, middle: 0.5, flesh, before });
        }
    }

    /// How far from a joint its layout and its settings want the control points before and after it.
    fn wanted(&self, j: usize, scratch: &Scratch) -> [f64; 2] {
        let ([before, after], set) = (self.layouts[j].parts, &self.settings[j]);
        [before * set.before, after * set.after].map(|part| part * scratch.corners[j].reach)
    }

    /// Where the control points float to; two on one link share its length.
    pub(in crate::kernel::skin::methods::curve) fn float(&self, scratch: &mut Scratch) {
        let mut states = std::mem::take(&mut scratch.links);
        states.clear();
        states.extend(self.links.all.iter().map(|link| {
            let has_curve = self.links.parents[link.joint].is_some();
            let head = if has_curve { self.wanted(link.joint, scratch)[1] } else { 0.0 };
            let tail = link.child.map_or(0.0, |c| self.wanted(c, scratch)[0]);
            let room = ROOM * link.length;
            let part = if head + tail > room { room / (head + tail) } else { 1.0 };
            LinkState { after_head: head * part, before_tail: tail * part, after: Side::default() }
        }));
        scratch.links = states;
        for j in 0..self.joint_count() {
            let Some(incoming) = self.links.incoming[j] else { continue };
            let before = scratch.links[incoming].before_tail;
            let [wanted, wanted_after] = self.wanted(j, scratch);
            let lacking = (wanted - before).max(0.0);
            let mut after = 0.0_f64;
            // Of what one side has no room for, the other takes a part over.
            let more = wanted_after + TAKEN_OVER * self.layouts[j].parts[1] * lacking;
            for link in self.links.outgoing[j].clone() {
                let state = &mut scratch.links[link];
                let room = ROOM * self.links.all[link].length - state.before_tail;
                state.after_head = state.after_head.max(more.min(room));
                after = after.max(state.after_head);
            }
            let legs = if self.layouts[j].branches { [before, before] } else { [before, after] };
            let corner = &mut scratch.corners[j];
            corner.arch = Arch { legs, angle: corner.turn.bend, seat: self.layouts[j].seat };
            corner.middle = corner.arch.at_joint();
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
        let parent = self.links.parents[link.joint].map(|p| scratch.rotations[p]);
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
            let (mut turned, mut still, mut begun) = (own, true, 1.0_f64);
            let mut flesh = Matrix3::zeros();
            let mut shift = Vector3::zeros();
            if let Some(parent) = parent {
                begun = head.arch.after(arc, state.after_head);
                let soft = self.layouts[link.joint].soft;
                let untwisted = head.turn.twist * soft * (1.0 - self.shares[link.joint]) * (1.0 - spread);
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
                next = corner.arch.before(left, state.before_tail);
                let twist = corner.turn.twist * self.layouts[c].soft * self.shares[c] * spread;
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
        let before = self.links.parents[joint].map_or(own, of);
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
