//! A pose said in world rest space, and clips sampled from such poses.

use nalgebra::{UnitQuaternion, Vector3};

use crate::kernel::math::{Affine, Transform};
use crate::kernel::rig::{Clip, Humanoid, Pose, Posed, Role, Skeleton};

/// Keys a second of the clips made here.
const KEYS_PER_SECOND: f64 = 30.0;

/// World-space rotations of joints from rest, each relative to its parent: the joint and all below
/// it turn by Q_j about the joint as if nothing above it had moved.
pub struct Stage<'a> {
    skeleton: &'a Skeleton,
    turns: Vec<UnitQuaternion<f64>>,
    /// How far the joint moves from rest, in world rest space.
    shift: Option<(usize, Vector3<f64>)>,
    /// Feet that inverse kinematics keeps outside of the leg's tree, and the joints to carry them.
    carried: Vec<(usize, usize)>,
}

impl<'a> Stage<'a> {
    /// Everything at rest.
    pub fn new(skeleton: &'a Skeleton) -> Self {
        let turns = vec![UnitQuaternion::identity(); skeleton.len()];
        Self { skeleton, turns, shift: None, carried: Vec::new() }
    }

    /// Everything at rest, feet outside of their leg's tree carried by it.
    pub fn of_humanoid(skeleton: &'a Skeleton, humanoid: &Humanoid) -> Self {
        let feet = [(Role::LeftLowerLeg, Role::LeftFoot), (Role::RightLowerLeg, Role::RightFoot)];
        let carried = feet
            .into_iter()
            .filter_map(|(leg, foot)| Some((humanoid.get(foot)?, humanoid.get(leg)?)))
            .filter(|&(foot, leg)| !skeleton.subtree(leg).contains(&foot))
            .collect();
        Self { carried, ..Self::new(skeleton) }
    }

    /// Turns joint `j` further by `turn`, after what it already does.
    pub fn turn(&mut self, j: usize, turn: UnitQuaternion<f64>) {
        self.turns[j] = turn * self.turns[j];
    }

    /// Moves joint `j` from rest.
    pub fn shift(&mut self, j: usize, offset: Vector3<f64>) {
        self.shift = Some((j, offset));
    }

    /// The pose.
    pub fn pose(&self) -> Pose {
        let mut pose = Pose::rest(self.skeleton);
        for (j, turn) in self.turns.iter().enumerate() {
            if *turn == UnitQuaternion::identity() {
                continue;
            }
            pose.turn_from_rest_in_world(self.skeleton, j, *turn);
        }
        if let Some((j, offset)) = self.shift {
            let parent = self.skeleton.joints()[j].parent;
            let into_parent = parent
                .map_or(UnitQuaternion::identity(), |p| self.skeleton.world_from_joint(p).rotation.inverse());
            pose.translate_from_rest(self.skeleton, j, into_parent * offset);
        }
        if !self.carried.is_empty() {
            let posed = Posed::of(self.skeleton, &pose);
            for &(foot, leg) in &self.carried {
                let about_foot = about(&self.skeleton.position(foot).coords, &self.turns[foot]);
                let rest: Affine = (*self.skeleton.world_from_joint(foot)).into();
                let world = posed.posed_from_rest[leg] * about_foot * rest;
                let parent = self.skeleton.joints()[foot].parent.map(|p| posed.world_from_joint[p]);
                let local = parent.and_then(|p| p.inverse()).map_or(world, |inverse| inverse * world);
                pose.local[foot] = Transform::from_affine(&local);
            }
        }
        pose
    }
}

/// The rotation about a fixed point.
fn about(center: &Vector3<f64>, rotation: &UnitQuaternion<f64>) -> Affine {
    Affine { translation: center - rotation * center, ..Affine::from_rotation(*rotation) }
}

/// A clip of `seconds` through `pose_at(time)`; joints that never move have no track. The last key is
/// exactly the pose at `seconds`, so a motion that is periodic in its formula closes exactly.
pub fn sample(skeleton: &Skeleton, name: &str, seconds: f64, pose_at: impl Fn(f64) -> Pose) -> Clip {
    let steps = (seconds * KEYS_PER_SECOND).ceil().max(1.0) as usize;
    let times: Vec<f64> = (0..=steps).map(|k| seconds * k as f64 / steps as f64).collect();
    let poses: Vec<Pose> = times.iter().map(|&time| pose_at(time)).collect();
    Clip::from_poses(name, skeleton, &times, &poses)
}
