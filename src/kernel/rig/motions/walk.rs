//! A walk in place for any biped, so that a character moves as soon as it is rigged.
//!
//! Hip, knee and ankle follow the curves of normal gait (Perry 1992), given at a few phases of the
//! cycle and joined by periodic cubics; pelvis, trunk and arms turn with and against them as sines.
//! The body's height follows from the feet: whichever foot is lower stands on the ground, so nothing
//! floats or sinks, whatever the proportions. The formula is periodic, so the clip closes exactly.

use std::f64::consts::TAU;

use nalgebra::{UnitQuaternion, Vector3};

use super::axes::{bend_axis_of, twist_axis};
use super::range::{About, rest_angle_deg};
use super::stage::{Stage, sample};
use crate::kernel::rig::{Clip, Humanoid, Pose, Posed, Role, Skeleton};

/// Two steps, in seconds.
const CYCLE_SECS: f64 = 1.12;

/// Phases of the cycle from heel strike, and angles in degrees.
type Gait = [(f64, f64)];

/// Of the thigh against the upright body: the pelvis' forward tilt of gait charts taken out.
const HIP_FLEXION: &Gait =
    &[(0.0, 21.0), (0.12, 16.0), (0.3, -1.0), (0.5, -19.0), (0.6, -14.0), (0.75, 11.0), (0.87, 22.0)];
const KNEE_FLEXION: &Gait = &[
    (0.0, 5.0),
    (0.13, 16.0),
    (0.38, 5.0),
    (0.52, 14.0),
    (0.62, 40.0),
    (0.72, 58.0),
    (0.86, 28.0),
    (0.96, 4.0),
];
const ANKLE_LIFT: &Gait = &[
    (0.0, 2.0),
    (0.08, -5.0),
    (0.28, 4.0),
    (0.45, 9.0),
    (0.55, -2.0),
    (0.63, -16.0),
    (0.76, -2.0),
    (0.88, 3.0),
];
const TOE_LIFT: &Gait = &[(0.0, 8.0), (0.12, 0.0), (0.38, 2.0), (0.54, 26.0), (0.64, 12.0), (0.8, 5.0)];

/// The clip “Walk”, or `None` for a skeleton that is no biped.
pub fn walk(skeleton: &Skeleton) -> Option<Clip> {
    let humanoid = Humanoid::detect(skeleton)?;
    let walker = Walker { skeleton, humanoid: &humanoid, leg: leg_length(skeleton, &humanoid) };
    // Phase 1 is phase 0: the same bits, not merely the same formula.
    Some(sample(skeleton, "Walk", CYCLE_SECS, |time| walker.pose((time / CYCLE_SECS).fract())))
}

struct Walker<'a> {
    skeleton: &'a Skeleton,
    humanoid: &'a Humanoid,
    /// Length of a leg, in metres: what sways scales with it.
    leg: f64,
}

impl<'a> Walker<'a> {
    fn pose(&self, phase: f64) -> Pose {
        let mut stage = Stage::of_humanoid(self.skeleton, self.humanoid);
        let wave = |lead: f64| (TAU * (phase + lead)).cos();
        for left in [true, false] {
            self.leg(&mut stage, left, if left { phase } else { (phase + 0.5).fract() });
            self.arm(&mut stage, left, if left { wave(0.5) } else { wave(0.0) });
        }
        let body = self.humanoid;
        let mut turn = |role: Role, axis: &nalgebra::Unit<Vector3<f64>>, degrees: f64| {
            if let Some(j) = body.get(role) {
                stage.turn(j, UnitQuaternion::from_axis_angle(axis, degrees.to_radians()));
            }
        };
        // The pelvis turns with the swinging leg (left forward at phase 0: its front to the right)
        // and drops a little on that side; the trunk undoes it, shoulders go against, the head stays.
        let (yaw, list) = (-5.0 * wave(0.0), -2.5 * wave(-0.15));
        turn(Role::Hips, &body.up, yaw);
        turn(Role::Hips, &body.forward, list);
        turn(Role::Hips, &body.left(), 2.0);
        let trunk: Vec<Role> = [Role::Spine, Role::Chest, Role::UpperChest]
            .into_iter()
            .filter(|role| body.get(*role).is_some())
            .collect();
        for &role in &trunk {
            let share = 1.0 / trunk.len() as f64;
            turn(role, &body.up, -2.0 * yaw * share);
            turn(role, &body.forward, -1.2 * list * share);
            turn(role, &body.left(), (1.5 + 1.0 * (2.0 * TAU * phase).cos()) * share);
        }
        let neck = [Role::Neck, Role::Head].into_iter().filter(|role| body.get(*role).is_some()).count();
        for role in [Role::Neck, Role::Head] {
            turn(role, &body.up, yaw / neck.max(1) as f64);
            turn(role, &body.left(), (-3.0 - 1.0 * (2.0 * TAU * phase).cos()) / neck.max(1) as f64);
        }
        // Weight over the standing leg: the right one stands while the left swings.
        let sway = body.left().into_inner() * (0.022 * self.leg * (TAU * (phase - 0.28)).cos());
        if let Some(hips) = body.get(Role::Hips) {
            stage.shift(hips, sway);
            let rise = self.ground(&stage.pose());
            stage.shift(hips, sway + body.up.into_inner() * rise);
        }
        stage.pose()
    }

    fn leg(&self, stage: &mut Stage<'a>, left: bool, phase: f64) {
        let of = |role: Role| self.humanoid.get(if left { role } else { role.mirrored() });
        let mut bend = |joint: Option<usize>, degrees: f64| {
            if let Some(j) = joint {
                let axis = bend_axis_of(self.skeleton, Some(self.humanoid), j);
                stage.turn(j, UnitQuaternion::from_axis_angle(&axis, degrees.to_radians()));
            }
        };
        bend(of(Role::LeftUpperLeg), periodic(HIP_FLEXION, phase));
        bend(of(Role::LeftLowerLeg), periodic(KNEE_FLEXION, phase));
        bend(of(Role::LeftFoot), periodic(ANKLE_LIFT, phase));
        bend(of(Role::LeftToes), periodic(TOE_LIFT, phase));
    }

    /// Lets the arm hang, swings it (`swing` 1 is foremost) and bends the elbow as it comes forward.
    fn arm(&self, stage: &mut Stage<'a>, left: bool, swing: f64) {
        let body = self.humanoid;
        let of = |role: Role| if left { role } else { role.mirrored() };
        let side = if left { 1.0 } else { -1.0 };
        if let Some(j) = body.get(of(Role::LeftUpperArm)) {
            let bone = twist_axis(self.skeleton, j);
            let out = 9.0_f64.to_radians();
            let hanging = body.left().into_inner() * (side * out.sin()) - body.up.into_inner() * out.cos();
            let lower =
                UnitQuaternion::rotation_between(&bone, &hanging).unwrap_or_else(UnitQuaternion::identity);
            stage.turn(j, lower);
            let forward = (18.0 * swing - 3.0).to_radians();
            stage.turn(j, UnitQuaternion::from_axis_angle(&-body.left(), forward));
        }
        if let Some(j) = body.get(of(Role::LeftLowerArm)) {
            let rest = rest_angle_deg(self.skeleton, body, of(Role::LeftLowerArm), About::Bend);
            let flexion = (20.0 + 11.0 * swing - rest).max(0.0);
            let axis = bend_axis_of(self.skeleton, Some(body), j);
            stage.turn(j, UnitQuaternion::from_axis_angle(&axis, flexion.to_radians()));
        }
    }

    /// How far the body must rise so that the lower foot is as high as it was at rest.
    fn ground(&self, pose: &Pose) -> f64 {
        let posed = Posed::of(self.skeleton, pose);
        let up = self.humanoid.up;
        let drop_of = |ankle: Role, toes: Role| {
            let joints = [self.humanoid.get(ankle), self.humanoid.get(toes)].into_iter().flatten();
            let drops = joints.flat_map(|j| {
                [self.skeleton.position(j), self.skeleton.tip(j)]
                    .map(|p| (p - posed.posed_from_rest[j].transform_point(&p)).dot(&up))
            });
            drops.fold(f64::NEG_INFINITY, f64::max)
        };
        let left = drop_of(Role::LeftFoot, Role::LeftToes);
        let right = drop_of(Role::RightFoot, Role::RightToes);
        if !left.is_finite() || !right.is_finite() {
            return 0.0;
        }
        // A soft maximum: the weight passes from foot to foot without a jolt.
        let softness = 0.012 * self.leg.max(1e-9);
        let top = left.max(right);
        top + softness * (((left - top) / softness).exp() + ((right - top) / softness).exp()).ln()
            - softness * std::f64::consts::LN_2
    }
}

fn leg_length(skeleton: &Skeleton, humanoid: &Humanoid) -> f64 {
    let place = |role| humanoid.get(role).map(|j| skeleton.position(j));
    let (Some(hip), Some(knee)) = (place(Role::LeftUpperLeg), place(Role::LeftLowerLeg)) else { return 0.0 };
    (knee - hip).norm() + place(Role::LeftFoot).map_or((knee - hip).norm(), |foot| (foot - knee).norm())
}

/// A periodic cubic through the keys with the slopes of their neighbours (Catmull and Rom 1974).
fn periodic(keys: &Gait, phase: f64) -> f64 {
    let count = keys.len() as isize;
    let at = |k: isize| {
        let (turn, k) = (k.div_euclid(count), k.rem_euclid(count) as usize);
        (keys[k].0 + turn as f64, keys[k].1)
    };
    let before = keys.partition_point(|key| key.0 <= phase) as isize - 1;
    let [(t0, a0), (t1, a1), (t2, a2), (t3, a3)] =
        [at(before - 1), at(before), at(before + 1), at(before + 2)];
    let span = t2 - t1;
    let t = (phase - t1) / span;
    let (m1, m2) = ((a2 - a0) / (t2 - t0) * span, (a3 - a1) / (t3 - t1) * span);
    let (s, c) = (t * t, t * t * t);
    (2.0 * c - 3.0 * s + 1.0) * a1 + (c - 2.0 * s + t) * m1 + (3.0 * s - 2.0 * c) * a2 + (c - s) * m2
}
