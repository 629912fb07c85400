//! Skeletons of a standing person for tests: any pose of the arms, any names, any joint frames.

use nalgebra::{Isometry3, Point3, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::Skeleton;
use super::humanoid::Role;

/// A person of 1.7 m who faces +Z, the left arm at +X.
#[derive(Clone, Copy)]
pub struct Body {
    /// How far the arms hang below the horizontal: 0 is a T-pose, 45 an A-pose.
    pub arms_down_deg: f64,
    /// Turns every joint's frame by a rotation of its own.
    pub random_frames: bool,
    /// Turns the whole person about +Y.
    pub facing_deg: f64,
}

impl Default for Body {
    fn default() -> Self {
        Self { arms_down_deg: 0.0, random_frames: false, facing_deg: 0.0 }
    }
}

/// The parent's role.
pub fn parent(role: Role) -> Option<Role> {
    use Role::*;
    let left = |role: Role| match role {
        Spine | LeftUpperLeg => Some(Hips),
        Chest => Some(Spine),
        UpperChest => Some(Chest),
        Neck | LeftShoulder => Some(UpperChest),
        Head => Some(Neck),
        LeftUpperArm => Some(LeftShoulder),
        LeftLowerArm => Some(LeftUpperArm),
        LeftHand => Some(LeftLowerArm),
        LeftLowerLeg => Some(LeftUpperLeg),
        LeftFoot => Some(LeftLowerLeg),
        LeftToes => Some(LeftFoot),
        _ => None,
    };
    if role.is_right() { left(role.mirrored()).map(Role::mirrored) } else { left(role) }
}

impl Body {
    /// Where the joint of a role is.
    pub fn position(&self, role: Role) -> Point3<f64> {
        use Role::*;
        if role.is_right() {
            let turned = self.turn().inverse() * self.position(role.mirrored());
            return self.turn() * Point3::new(-turned.x, turned.y, turned.z);
        }
        let shoulder = Point3::new(0.18, 1.4, 0.0);
        let along = Rotation3::from_axis_angle(&Vector3::z_axis(), -self.arms_down_deg.to_radians());
        let arm = |length: f64| shoulder + along * Vector3::new(length, 0.0, 0.0);
        let p = match role {
            Hips => Point3::new(0.0, 0.95, 0.0),
            Spine => Point3::new(0.0, 1.05, 0.0),
            Chest => Point3::new(0.0, 1.2, 0.0),
            UpperChest => Point3::new(0.0, 1.32, 0.0),
            Neck => Point3::new(0.0, 1.47, 0.0),
            Head => Point3::new(0.0, 1.55, 0.02),
            LeftShoulder => Point3::new(0.03, 1.4, 0.0),
            LeftUpperArm => shoulder,
            LeftLowerArm => arm(0.28),
            LeftHand => arm(0.53),
            LeftUpperLeg => Point3::new(0.09, 0.92, 0.0),
            LeftLowerLeg => Point3::new(0.09, 0.5, 0.01),
            LeftFoot => Point3::new(0.09, 0.09, -0.02),
            LeftToes => Point3::new(0.09, 0.02, 0.11),
            _ => Point3::origin(),
        };
        self.turn() * p
    }

    fn turn(&self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.facing_deg.to_radians())
    }

    /// The skeleton, with joints named by `name`; roles named `None` are left out.
    pub fn skeleton(&self, name: impl Fn(Role) -> Option<String>) -> Skeleton {
        let mut kept: Vec<Role> = Vec::new();
        let mut joints = Vec::new();
        for role in Role::ALL {
            let Some(name) = name(role) else { continue };
            let mut above = parent(role);
            while above.is_some_and(|role| !kept.contains(&role)) {
                above = above.and_then(parent);
            }
            let parent = above.and_then(|above| kept.iter().position(|&role| role == above));
            let k = joints.len() as f64;
            let frame = if self.random_frames {
                UnitQuaternion::new_normalize(Quaternion::new(
                    (k * 1.7).sin(),
                    (k * 2.3).cos(),
                    (k * 0.9).sin() + 0.1,
                    (k * 3.1).cos(),
                ))
            } else {
                UnitQuaternion::identity()
            };
            let at = self.position(role);
            let tip = match role {
                Role::Head => Some(self.turn() * Vector3::new(0.0, 0.18, 0.0)),
                Role::LeftToes | Role::RightToes => Some(self.turn() * Vector3::new(0.0, 0.0, 0.07)),
                _ => None,
            };
            let tip = tip.map(|tip| Point3::from(frame.inverse() * tip));
            joints.push((name, parent, Isometry3::from_parts(Translation3::from(at), frame), tip));
            kept.push(role);
        }
        Skeleton::from_world(joints).expect("valid")
    }

    /// The skeleton with Unity's names.
    pub fn named(&self) -> Skeleton {
        self.skeleton(|role| Some(role.name().into()))
    }
}
