//! Inverse kinematics: dragging a joint while others stay pinned.
//!
//! A hand or foot takes its limb along, in closed form ([`two_bone`]); head, chest and shoulders lean
//! the trunk ([`chain`]); the hips move. Then each pin is brought back by its own limb. Nothing here
//! keeps state: the pose that is given says how elbows and knees are turned, so a drag hands each
//! answer to the next call.
//!
//! Where hips are moved, they stop where a pinned limb is stretched out: the pins win.

mod chain;
mod plan;
mod stance;
#[cfg(test)]
mod tests;
mod two_bone;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use self::plan::Plan;
use self::stance::Stance;
use self::two_bone::Limb;
use super::humanoid::topology::is_ancestor;
use super::motions::axes::bend_axis_of;
use super::{Humanoid, Pose, Role, Skeleton};

/// How far out a limb is taken before the body helps, as a part of its length.
const COMFORTABLE: f64 = 0.98;
/// How often the hips are drawn back into the reach of each pin.
const ROUNDS: usize = 32;

/// Where a joint shall be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// The joint.
    pub joint: usize,
    /// Its place in the world, in metres.
    pub target: Point3<f64>,
    /// Whether the joint also keeps the rotation that it has in the world: a foot stays flat.
    pub hold_rotation: bool,
}

impl Goal {
    /// A joint that the user drags; its rotation follows the limb.
    pub fn drag(joint: usize, target: Point3<f64>) -> Self {
        Self { joint, target, hold_rotation: false }
    }

    /// A joint that stays where it is in `pose`, rotation included.
    pub fn pin(skeleton: &Skeleton, pose: &Pose, joint: usize) -> Self {
        let target = Stance::new(skeleton, pose.clone()).position(joint);
        Self { joint, target, hold_rotation: true }
    }
}

/// Which joints the dragged one takes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chain {
    /// The limb of its role in a biped; two joints up where it has none.
    #[default]
    Limb,
    /// So many joints up.
    Joints(usize),
    /// The limb, and where that is too short also trunk and hips.
    WholeBody,
}

/// What may be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IkOptions {
    /// How much of the body follows the dragged joint.
    pub chain: Chain,
}

/// The pose that meets the goals: the dragged joint first, then the pins. See [`Solver`] for many calls.
pub fn reach(skeleton: &Skeleton, pose: &Pose, goals: &[Goal], options: &IkOptions) -> Pose {
    Solver::new(skeleton).reach(pose, goals, options)
}

/// A skeleton with its roles found: what a drag asks for anew with every move of the mouse.
#[derive(Debug, Clone)]
pub struct Solver<'a> {
    skeleton: &'a Skeleton,
    humanoid: Option<Humanoid>,
}

impl<'a> Solver<'a> {
    /// Finds the roles.
    pub fn new(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, humanoid: Humanoid::detect(skeleton) }
    }

    /// The pose that meets the goals: the dragged joint first, then the pins. Goals of joints that are
    /// not there, or at no place, are left out.
    pub fn reach(&self, pose: &Pose, goals: &[Goal], options: &IkOptions) -> Pose {
        let usable =
            |goal: &&Goal| goal.joint < self.skeleton.len() && goal.target.iter().all(|x| x.is_finite());
        let goals: Vec<Goal> = goals.iter().filter(usable).copied().collect();
        let Some((drag, pins)) = goals.split_first() else { return pose.clone() };
        let mut stance = Stance::new(self.skeleton, pose.clone());
        let held: Vec<UnitQuaternion<f64>> = goals.iter().map(|goal| stance.rotation(goal.joint)).collect();
        let swivels = pins.iter().any(|pin| self.swivelled_by(drag, pin).is_some());
        if !swivels {
            self.drag(&mut stance, drag, pins, options);
        }
        hold(&mut stance, drag, &held[0]);
        let mut order: Vec<usize> = (0..pins.len()).collect();
        order.sort_by_key(|&k| pins[k].joint);
        for k in order {
            let pin = &pins[k];
            if let Some(limb) = self.swivelled_by(drag, pin) {
                limb.solve(&mut stance, &pin.target, Some(&drag.target));
            } else {
                self.bring_back(&mut stance, pin, &goals);
            }
            hold(&mut stance, pin, &held[k + 1]);
        }
        stance.pose
    }

    fn plan(&self, j: usize, chain: Chain) -> Plan {
        plan::plan(self.skeleton, self.humanoid.as_ref(), j, chain)
    }

    fn limb(&self, upper: usize, mid: usize, end: usize) -> Limb {
        Limb { upper, mid, end, hinge: bend_axis_of(self.skeleton, self.humanoid.as_ref(), mid) }
    }

    /// The limb of a pinned hand or foot whose elbow or knee is what is dragged.
    fn swivelled_by(&self, drag: &Goal, pin: &Goal) -> Option<Limb> {
        match self.plan(pin.joint, Chain::Limb) {
            Plan::TwoBone { upper, mid } if mid == drag.joint => Some(self.limb(upper, mid, pin.joint)),
            _ => None,
        }
    }

    fn drag(&self, stance: &mut Stance, goal: &Goal, pins: &[Goal], options: &IkOptions) {
        let plan = self.plan(goal.joint, options.chain);
        if let (Plan::TwoBone { upper, mid }, Chain::WholeBody) = (&plan, options.chain) {
            self.lean(stance, &self.limb(*upper, *mid, goal.joint), &goal.target, pins);
        }
        match plan {
            Plan::Move(j) => {
                let wanted = goal.target - stance.position(goal.joint);
                self.move_body(stance, j, wanted, pins);
            }
            Plan::TwoBone { mid, .. } if pins.iter().any(|pin| pin.joint == mid) => {
                aim(stance, mid, goal.joint, &goal.target);
            }
            plan => self.follow(stance, &plan, goal),
        }
    }

    /// Leans the trunk and moves the hips until the limb reaches comfortably.
    fn lean(&self, stance: &mut Stance, limb: &Limb, target: &Point3<f64>, pins: &[Goal]) {
        let Some(hips) = self.humanoid.as_ref().and_then(|humanoid| humanoid.get(Role::Hips)) else { return };
        // A limb that is already stretched out further stays so.
        let stretch = (limb.end_position(stance) - stance.position(limb.upper)).norm();
        let missing = |stance: &Stance| {
            let out = target - stance.position(limb.upper);
            let reach = COMFORTABLE * limb.lengths(stance).iter().sum::<f64>();
            out - out.cap_magnitude(reach.max(stretch))
        };
        let lack = missing(stance);
        if lack.norm() == 0.0 {
            return;
        }
        if let Plan::Many(trunk) = plan::of_trunk(self.skeleton, Some(hips), limb.upper) {
            let toward = stance.position(limb.upper) + lack;
            chain::solve(stance, &trunk, limb.upper, &toward);
        }
        let lack = missing(stance);
        self.move_body(stance, hips, lack, pins);
    }

    /// Moves joint `j` by `wanted`, or as far as the limbs of the pins below it allow.
    fn move_body(&self, stance: &mut Stance, j: usize, wanted: Vector3<f64>, pins: &[Goal]) {
        let balls: Vec<(Vector3<f64>, f64)> = pins
            .iter()
            .filter_map(|pin| {
                let Plan::TwoBone { upper, mid } = self.plan(pin.joint, Chain::Limb) else { return None };
                if !is_ancestor(self.skeleton, j, upper) {
                    return None;
                }
                let reach: f64 = self.limb(upper, mid, pin.joint).lengths(stance).iter().sum();
                // The shift must lie within a ball around the vector from the limb's root to the pin.
                let out = pin.target - stance.position(upper);
                Some((out, reach.max(0.0)))
            })
            .collect();
        let mut shift = wanted;
        for _ in 0..ROUNDS {
            for (center, radius) in &balls {
                shift = center + (shift - center).cap_magnitude(*radius);
            }
        }
        stance.shift(j, &shift);
    }

    fn bring_back(&self, stance: &mut Stance, pin: &Goal, goals: &[Goal]) {
        let plan = self.plan(pin.joint, Chain::Limb);
        match plan {
            Plan::TwoBone { mid, .. } if goals.iter().any(|goal| goal.joint == mid) => {
                aim(stance, mid, pin.joint, &pin.target);
            }
            // Moving hips back would undo the drag.
            Plan::Move(_) if goals.len() > 1 => {}
            plan => self.follow(stance, &plan, pin),
        }
    }

    fn follow(&self, stance: &mut Stance, plan: &Plan, goal: &Goal) {
        let here = match plan {
            Plan::TwoBone { upper, mid } => self.limb(*upper, *mid, goal.joint).end_position(stance),
            _ => stance.position(goal.joint),
        };
        if here == goal.target {
            return;
        }
        match plan {
            Plan::Move(j) => stance.shift(*j, &(goal.target - here)),
            Plan::Aim(j) => aim(stance, *j, goal.joint, &goal.target),
            Plan::Many(joints) => chain::solve(stance, joints, goal.joint, &goal.target),
            Plan::TwoBone { upper, mid } => {
                if !self.limb(*upper, *mid, goal.joint).solve(stance, &goal.target, None) {
                    chain::solve(stance, &[*upper, *mid], goal.joint, &goal.target);
                }
            }
        }
    }
}

/// Turns joint `j` so that `end` lies towards `target`.
fn aim(stance: &mut Stance, j: usize, end: usize, target: &Point3<f64>) {
    let here = stance.position(j);
    let (from, to) = (stance.position(end) - here, target - here);
    if from.norm() > 1e-9
        && to.norm() > 1e-9
        && let Some(turn) = UnitQuaternion::rotation_between(&from, &to)
    {
        stance.turn(j, &turn);
    }
}

/// Gives a joint its rotation back, if its goal says so.
fn hold(stance: &mut Stance, goal: &Goal, rotation: &UnitQuaternion<f64>) {
    let off = rotation * stance.rotation(goal.joint).inverse();
    if goal.hold_rotation && off.angle() > 1e-12 {
        stance.turn(goal.joint, &off);
    }
}
