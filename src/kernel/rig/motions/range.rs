//! Range of motion: every joint of a biped taken through its limits, one after another.
//!
//! Limits are round figures of a healthy adult's active range (American Academy of Orthopaedic
//! Surgeons 1965), drawn in a little. Left and right move together, mirrored. Where a rest pose
//! already uses up part of a range (arms lifted in a T-pose, elbows bent), the part is subtracted,
//! so that T-pose and A-pose reach the same limits.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::axes::{bend_axis_of, twist_axis};
use super::stage::{Stage, sample};
use crate::kernel::rig::{Clip, Humanoid, Role, Skeleton};

/// Which axis a move turns about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// The bend axis of the joint.
    Bend,
    /// Its bone.
    Twist,
    /// The body's up.
    Up,
    /// The body's front: to the sides.
    Side,
    /// The arm's way to the front.
    Forward,
}

/// One move: some joints share an angle that runs from rest to the one limit, the other, and back.
#[derive(Debug)]
pub(super) struct Move {
    /// Left or middle roles and each one's share of the angle; right ones mirror the left.
    pub roles: &'static [(Role, f64)],
    pub about: About,
    /// Lower and upper limit from the anatomical zero, in degrees.
    pub limits_deg: [f64; 2],
    pub seconds: f64,
}

const fn one(roles: &'static [(Role, f64)], about: About, low: f64, high: f64, seconds: f64) -> Move {
    Move { roles, about, limits_deg: [low, high], seconds }
}

const SPINE: &[(Role, f64)] = &[(Role::Spine, 0.4), (Role::Chest, 0.35), (Role::UpperChest, 0.25)];
const NECK: &[(Role, f64)] = &[(Role::Neck, 0.5), (Role::Head, 0.5)];

/// All moves, in their order.
pub(super) const MOVES: &[Move] = &[
    one(&[(Role::LeftUpperArm, 1.0)], About::Bend, 8.0, 150.0, 2.2),
    one(&[(Role::LeftUpperArm, 1.0)], About::Forward, -25.0, 100.0, 1.6),
    one(&[(Role::LeftUpperArm, 1.0)], About::Twist, -60.0, 60.0, 1.4),
    one(&[(Role::LeftLowerArm, 1.0)], About::Bend, 0.0, 140.0, 1.6),
    one(&[(Role::LeftLowerArm, 1.0)], About::Twist, -75.0, 75.0, 1.4),
    one(&[(Role::LeftHand, 1.0)], About::Bend, -60.0, 70.0, 1.2),
    one(&[(Role::LeftShoulder, 1.0)], About::Bend, -8.0, 20.0, 1.0),
    one(&[(Role::LeftUpperLeg, 1.0)], About::Bend, -20.0, 100.0, 1.8),
    one(&[(Role::LeftUpperLeg, 1.0)], About::Side, 0.0, 40.0, 1.2),
    one(&[(Role::LeftUpperLeg, 1.0)], About::Twist, -30.0, 35.0, 1.2),
    one(&[(Role::LeftLowerLeg, 1.0)], About::Bend, 0.0, 130.0, 1.6),
    one(&[(Role::LeftFoot, 1.0)], About::Bend, -40.0, 18.0, 1.2),
    one(&[(Role::LeftToes, 1.0)], About::Bend, -20.0, 45.0, 0.8),
    one(SPINE, About::Bend, -20.0, 60.0, 1.8),
    one(SPINE, About::Side, -28.0, 28.0, 1.4),
    one(SPINE, About::Up, -40.0, 40.0, 1.4),
    one(NECK, About::Bend, -40.0, 40.0, 1.2),
    one(NECK, About::Side, -32.0, 32.0, 1.2),
    one(NECK, About::Up, -65.0, 65.0, 1.4),
];

/// The clip “Range of motion”, or `None` for a skeleton that is no biped.
pub fn range_of_motion(skeleton: &Skeleton) -> Option<Clip> {
    let humanoid = Humanoid::detect(skeleton)?;
    let playable = playable(&humanoid);
    let seconds = playable.iter().map(|m| m.seconds).sum();
    Some(sample(skeleton, "Range of motion", seconds, |time| {
        let mut stage = Stage::of_humanoid(skeleton, &humanoid);
        let mut begins = 0.0;
        for m in &playable {
            if (begins..begins + m.seconds).contains(&time) {
                play(&mut stage, skeleton, &humanoid, m, (time - begins) / m.seconds);
            }
            begins += m.seconds;
        }
        stage.pose()
    }))
}

/// Moments of that clip no farther apart than `every` seconds, among them each at which a joint is at a limit.
pub fn range_moments(skeleton: &Skeleton, every: f64) -> Vec<f64> {
    let Some(humanoid) = Humanoid::detect(skeleton) else { return Vec::new() };
    let (mut moments, mut begins) = (Vec::new(), 0.0);
    for m in playable(&humanoid) {
        let role = m.roles.iter().map(|(role, _)| *role).find(|role| humanoid.get(*role).is_some());
        let [low, high] = role.map_or(m.limits_deg, |role| angles(skeleton, &humanoid, role, m));
        let [up, down] = turning_points(low, high).unwrap_or([0.0; 2]);
        for stretch in [[0.0, up], [up, down], [down, 1.0]] {
            let [from, to] = stretch.map(|t| begins + t * m.seconds);
            let count = ((to - from) / every).ceil();
            let is_back = stretch[1] == 1.0;
            // The rest between two moves is no trial.
            let within = (1..=count as usize).filter(|k| !is_back || *k < count as usize);
            moments.extend(within.map(|k| from + (to - from) * k as f64 / count));
        }
        begins += m.seconds;
    }
    moments
}

/// The moves of joints that a biped has.
fn playable(humanoid: &Humanoid) -> Vec<&'static Move> {
    MOVES.iter().filter(|m| m.roles.iter().any(|(role, _)| humanoid.get(*role).is_some())).collect()
}

/// How far a move takes a joint from its rest to either side, in degrees.
fn angles(skeleton: &Skeleton, humanoid: &Humanoid, role: Role, m: &Move) -> [f64; 2] {
    let zero = rest_angle_deg(skeleton, humanoid, role, m.about);
    let [low, high] = m.limits_deg.map(|limit| limit - zero);
    [low.min(0.0), high.max(0.0)]
}

fn play(stage: &mut Stage, skeleton: &Skeleton, humanoid: &Humanoid, m: &Move, t: f64) {
    // Joints that a rig lacks leave their share to the others.
    let there: f64 = m.roles.iter().filter(|(role, _)| humanoid.get(*role).is_some()).map(|(_, s)| s).sum();
    for &(left_role, share) in m.roles {
        let both = [left_role, left_role.mirrored()];
        for &role in &both[..if left_role == left_role.mirrored() { 1 } else { 2 }] {
            let Some(j) = humanoid.get(role) else { continue };
            let [low, high] = angles(skeleton, humanoid, role, m);
            let angle = profile(t, low, high) * share / there;
            let axis = axis(skeleton, humanoid, role, j, m.about);
            stage.turn(j, UnitQuaternion::from_axis_angle(&axis, angle.to_radians()));
        }
    }
}

/// The axis of a move for one joint; right ones are mirror images of left ones.
fn axis(skeleton: &Skeleton, humanoid: &Humanoid, role: Role, j: usize, about: About) -> Unit<Vector3<f64>> {
    let side = if role.is_right() { -1.0 } else { 1.0 };
    let signed = |axis: Unit<Vector3<f64>>| if side < 0.0 { -axis } else { axis };
    match about {
        About::Bend => bend_axis_of(skeleton, Some(humanoid), j),
        About::Twist => signed(twist_axis(skeleton, j)),
        About::Up => humanoid.up,
        About::Side => signed(humanoid.forward),
        About::Forward => {
            let way = twist_axis(skeleton, j).cross(&humanoid.forward);
            Unit::try_new(way, 0.1).unwrap_or_else(|| -humanoid.left())
        }
    }
}

/// How far the rest pose already is along a move, in degrees.
pub(super) fn rest_angle_deg(skeleton: &Skeleton, humanoid: &Humanoid, role: Role, about: About) -> f64 {
    let Some(j) = humanoid.get(role).filter(|_| about == About::Bend) else { return 0.0 };
    let bone = twist_axis(skeleton, j);
    let side = if role.is_right() { -1.0 } else { 1.0 };
    match if role.is_right() { role.mirrored() } else { role } {
        // Elevation of the arm from hanging, in the plane of the body.
        Role::LeftUpperArm => {
            let out = bone.dot(&humanoid.left()) * side;
            out.atan2(-bone.dot(&humanoid.up)).to_degrees()
        }
        Role::LeftLowerArm | Role::LeftLowerLeg => {
            let Some(parent) = skeleton.joints()[j].parent else { return 0.0 };
            let incoming = skeleton.position(j) - skeleton.position(parent);
            let axis = bend_axis_of(skeleton, Some(humanoid), j);
            incoming.cross(&bone).dot(&axis).atan2(incoming.dot(&bone)).to_degrees()
        }
        _ => 0.0,
    }
}

/// From 0 to `high`, to `low`, and back to 0 over t in 0..1, at rest at each of them.
fn profile(t: f64, low: f64, high: f64) -> f64 {
    let ease = |from: f64, to: f64, t: f64| from + (to - from) * t * t * (3.0 - 2.0 * t);
    let Some([up, down]) = turning_points(low, high) else { return 0.0 };
    if t < up {
        ease(0.0, high, t / up)
    } else if t < down {
        ease(high, low, (t - up) / (down - up))
    } else if down < 1.0 {
        ease(low, 0.0, (t - down) / (1.0 - down))
    } else {
        low
    }
}

/// When a move is at its `high` and at its `low`, in 0..=1: time is shared out by the angle of each stretch. `None` where
/// it does not move.
fn turning_points(low: f64, high: f64) -> Option<[f64; 2]> {
    let total = 2.0 * (high - low);
    (total > 0.0).then(|| [high / total, 1.0 + low / total])
}
