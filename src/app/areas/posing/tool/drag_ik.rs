//! A joint dragged through space: its limb follows, pins hold, and with symmetry on the joint
//! opposite does the same.

use std::collections::BTreeSet;

use nalgebra::{Point2, Point3, Unit, UnitQuaternion, Vector2, Vector3};

use super::rigged::Rigged;
use crate::kernel::rig::ik::Solver;
use crate::kernel::rig::{Goal, IkOptions, Pose, Posed, Skeleton};
use crate::render::Camera;

/// What is dragged, where it started, and what holds.
#[derive(Debug, Clone)]
pub struct Reach {
    /// Where the dragged joint was.
    pub home: Point3<f64>,
    drag: Goal,
    other: Option<Other>,
    pins: Vec<Goal>,
}

/// The joint opposite, which does the same mirrored.
#[derive(Debug, Clone)]
struct Other {
    goal: Goal,
    /// Turns the plane of symmetry as the body is turned.
    body: UnitQuaternion<f64>,
    normal: Unit<Vector3<f64>>,
}

impl Reach {
    /// A drag of joint `j` that starts from `start`.
    pub fn new(
        skeleton: &Skeleton,
        rigged: &Rigged,
        start: &Pose,
        j: usize,
        pins: &BTreeSet<usize>,
        symmetry: bool,
    ) -> Self {
        let posed = Posed::of(skeleton, start);
        let place = |j: usize| Point3::from(posed.world_from_joint[j].translation);
        let goal = |j: usize| Goal { joint: j, target: place(j), hold_rotation: rigged.stays_flat(j) };
        let opposite = rigged.mirror.partner(j).filter(|k| symmetry && *k != j && !pins.contains(k));
        let other = opposite.map(|k| Other {
            goal: goal(k),
            body: common_ancestor(skeleton, j, k)
                .map_or_else(UnitQuaternion::identity, |a| posed.posed_from_rest[a].nearest_rotation()),
            normal: rigged.mirror.plane.normal,
        });
        let pins = pins
            .iter()
            .filter(|&&k| k != j && k < skeleton.len())
            .map(|&k| Goal::pin(skeleton, start, k))
            .collect();
        Self { home: place(j), drag: goal(j), other, pins }
    }

    /// The pose with the joint moved by `offset` from where it was.
    pub fn pose(&self, skeleton: &Skeleton, start: &Pose, offset: &Vector3<f64>) -> Pose {
        let solver = Solver::new(skeleton);
        let reach = |pose: &Pose, goal: &Goal, offset: Vector3<f64>| {
            let goal = Goal { target: goal.target + offset, ..*goal };
            let goals: Vec<Goal> = std::iter::once(goal).chain(self.pins.iter().copied()).collect();
            solver.reach(pose, &goals, &IkOptions::default())
        };
        let pose = reach(start, &self.drag, *offset);
        match &self.other {
            Some(other) => {
                let normal = other.body * other.normal;
                let mirrored = offset - normal.into_inner() * (2.0 * offset.dot(&normal));
                reach(&pose, &other.goal, mirrored)
            }
            None => pose,
        }
    }
}

fn common_ancestor(skeleton: &Skeleton, j: usize, k: usize) -> Option<usize> {
    let up = |&j: &usize| skeleton.joints()[j].parent;
    let above_k: Vec<usize> = std::iter::successors(Some(k), up).collect();
    std::iter::successors(Some(j), up).find(|a| above_k.contains(a))
}

/// How far the pointer carries a point from `from` to `to`: in the plane of the view through `home`,
/// or along `axis` only.
pub fn carried(
    camera: &Camera,
    size: Vector2<f64>,
    home: &Point3<f64>,
    [from, to]: [Point2<f64>; 2],
    axis: Option<&Unit<Vector3<f64>>>,
) -> Option<Vector3<f64>> {
    let backward = camera.backward();
    let place = |pixel| camera.ray(pixel, size).meets_plane(home, &backward);
    let free = place(to)? - place(from)?;
    let Some(axis) = axis else { return Some(free) };
    // In the plane of the view, one metre along the axis is seen as this long.
    let seen = axis.into_inner() - backward * axis.dot(&backward);
    let length = seen.norm_squared();
    let along = if length > 0.02 { free.dot(&seen) / length } else { -free.dot(&camera.axes()[1]) };
    Some(axis.into_inner() * along)
}
