//! Which joint lies opposite of which, and poses mirrored from side to side.
//!
//! Partners are found by rest position over the plane of symmetry; equal places are told apart by
//! tips, parents and names, and a biped's roles have the last word, since its rest pose may be
//! anything but symmetric. A pose is mirrored as each joint's turn from rest in world rest space, so
//! the joints' own frames do not matter and bones keep their lengths.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::humanoid::names::{self, Side};
use super::humanoid::topology::size;
use super::{Humanoid, Pose, Role, Skeleton};
use crate::kernel::geom::Plane;
use crate::kernel::geom::bounds;
use crate::kernel::math::{Affine, Transform};

/// How far from the mirror image a partner may be, in sizes of the skeleton.
const TOLERANCE: f64 = 0.04;
/// What names that contradict a pair cost, in sizes.
const NAME_COST: f64 = 0.02;
/// What a difference in depth or number of children costs, in sizes.
const SHAPE_COST: f64 = 0.005;

/// The symmetry of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMirror {
    /// The plane of symmetry, at rest.
    pub plane: Plane,
    partner: Vec<Option<usize>>,
}

impl JointMirror {
    /// Finds the plane and the partners. For a biped the plane's normal is its left.
    pub fn of(skeleton: &Skeleton) -> Self {
        let humanoid = Humanoid::detect(skeleton);
        let plane = match &humanoid {
            Some(humanoid) => plane_of(skeleton, humanoid),
            None => best_plane(skeleton),
        };
        let mut partner = vec![None; skeleton.len()];
        if let Some(humanoid) = &humanoid {
            for (role, j) in humanoid.iter() {
                partner[j] = humanoid.get(role.mirrored());
            }
        }
        for (_, j, k) in candidates(skeleton, &plane) {
            if partner[j].is_none() && partner[k].is_none() {
                partner[j] = Some(k);
                partner[k] = Some(j);
            }
        }
        Self { plane, partner }
    }

    /// The joint opposite of joint `j`, itself on the middle line; `None` where there is none.
    pub fn partner(&self, j: usize) -> Option<usize> {
        self.partner.get(j).copied().flatten()
    }

    /// The whole pose mirrored. Joints without a partner keep theirs.
    pub fn mirror_pose(&self, skeleton: &Skeleton, pose: &Pose) -> Pose {
        let all: Vec<usize> = (0..skeleton.len()).collect();
        self.mirror_joints(skeleton, pose, &all)
    }

    /// The pose with what `joints` do copied to their partners, mirrored; joints on the middle line are
    /// mirrored in place.
    pub fn mirror_joints(&self, skeleton: &Skeleton, pose: &Pose, joints: &[usize]) -> Pose {
        let mut mirrored = pose.clone();
        for &j in joints {
            if let Some(k) = self.partner(j) {
                mirrored.local[k] = self.mirrored(skeleton, pose, j, k);
            }
        }
        mirrored
    }

    /// The local transform of joint `k` that mirrors what joint `j` does.
    fn mirrored(&self, skeleton: &Skeleton, pose: &Pose, j: usize, k: usize) -> Transform {
        let above = |j: usize| {
            let parent = skeleton.joints()[j].parent;
            parent.map_or_else(UnitQuaternion::identity, |p| skeleton.world_from_joint(p).rotation)
        };
        let own = |j: usize| skeleton.world_from_joint(j).rotation;
        let local = &pose.local[j];
        // The turn Q of the joint as if nothing above it had moved: Q W = W_parent L.
        let turn = above(j) * local.rotation * own(j).inverse();
        let rotation = above(k).inverse() * self.plane.reflect_rotation(&turn) * own(k);
        let rest = |j: usize| skeleton.joints()[j].rest_local.translation.vector;
        let offset = self.plane.reflect_vector(&(above(j) * (local.translation - rest(j))));
        let translation = rest(k) + above(k).inverse() * offset;
        if local.scale == Vector3::repeat(1.0) {
            return Transform { translation, rotation, scale: local.scale };
        }
        // Scales act along the joint's own axes, which the other joint need not share.
        let reflect = Affine { linear: self.reflection(), translation: Vector3::zeros() };
        let turned = |q: UnitQuaternion<f64>| Affine::from_rotation(q);
        let map = turned(above(j)) * local.to_affine() * turned(own(j).inverse());
        let map = turned(above(k).inverse()) * reflect * map * reflect * turned(own(k));
        Transform { translation, ..Transform::from_affine(&map) }
    }

    fn reflection(&self) -> nalgebra::Matrix3<f64> {
        let n = self.plane.normal.into_inner();
        nalgebra::Matrix3::identity() - n * n.transpose() * 2.0
    }
}

/// The plane between the sides of a biped.
fn plane_of(skeleton: &Skeleton, humanoid: &Humanoid) -> Plane {
    let normal = humanoid.left();
    let along = |j: usize| normal.dot(&skeleton.position(j).coords);
    let trunk = [Role::LeftUpperArm, Role::LeftUpperLeg, Role::LeftShoulder];
    let middles: Vec<f64> = trunk
        .into_iter()
        .filter_map(|left| Some((humanoid.get(left)?, humanoid.get(left.mirrored())?)))
        .map(|(left, right)| 0.5 * (along(left) + along(right)))
        .collect();
    Plane { normal, offset: middles.iter().sum::<f64>() / middles.len().max(1) as f64 }
}

/// Of the planes across x, z and y through likely middles the one with the nearest partners.
fn best_plane(skeleton: &Skeleton) -> Plane {
    let positions: Vec<Point3<f64>> = (0..skeleton.len()).map(|j| skeleton.position(j)).collect();
    let Some([low, high]) = bounds(positions.iter().copied()) else { return Plane::x(0.0) };
    let reach = (TOLERANCE * size(skeleton)).max(f64::MIN_POSITIVE);
    let mut best = (f64::INFINITY, Plane::x(0.0));
    for axis in [0, 2, 1] {
        let root = positions.first().map_or(0.0, |p| p[axis]);
        for offset in [0.0, root, 0.5 * (low[axis] + high[axis])] {
            let normal = nalgebra::Unit::new_unchecked(Vector3::ith(axis, 1.0));
            let plane = Plane { normal, offset };
            let cost: f64 = positions
                .iter()
                .map(|p| {
                    let image = plane.reflect(p);
                    let near = positions.iter().map(|q| (q - image).norm()).fold(f64::INFINITY, f64::min);
                    (near / reach).min(1.0)
                })
                .sum();
            if cost < best.0 - 1e-9 {
                best = (cost, plane);
            }
        }
    }
    best.1
}

/// All pairs that may be partners, `j` ≤ `k`, the likeliest first.
fn candidates(skeleton: &Skeleton, plane: &Plane) -> Vec<(f64, usize, usize)> {
    let scale = size(skeleton).max(f64::MIN_POSITIVE);
    let sides: Vec<Option<Side>> =
        skeleton.joints().iter().map(|joint| names::read(&joint.name).side).collect();
    let depths = skeleton.depths();
    let apart = |a: Point3<f64>, b: Point3<f64>| (plane.reflect(&a) - b).norm() / scale;
    let parent =
        |j: usize| skeleton.joints()[j].parent.map_or(skeleton.position(j), |p| skeleton.position(p));
    let mut found = Vec::new();
    for j in 0..skeleton.len() {
        for k in j..skeleton.len() {
            let gap = apart(skeleton.position(j), skeleton.position(k));
            if gap > TOLERANCE {
                continue;
            }
            let agree = match (sides[j], sides[k]) {
                (None, None) => true,
                (Some(a), Some(b)) => j != k && a != b && are_opposite(skeleton, j, k),
                _ => false,
            };
            let children = |j: usize| skeleton.children(j).len() as f64;
            let shape = depths[j].abs_diff(depths[k]) as f64 + (children(j) - children(k)).abs();
            let places = apart(parent(j), parent(k)) + apart(skeleton.tip(j), skeleton.tip(k));
            let cost = gap + 0.5 * places + SHAPE_COST * shape + if agree { 0.0 } else { NAME_COST };
            found.push((cost, j, k));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    found
}

/// Whether two sided names say the same but for their sides: they differ where the sides are named only.
fn are_opposite(skeleton: &Skeleton, j: usize, k: usize) -> bool {
    let plain = |j: usize| {
        let name = skeleton.joints()[j].name.to_lowercase().replace("left", "").replace("right", "");
        let kept = |c: &char| c.is_alphanumeric() && *c != 'l' && *c != 'r';
        name.chars().filter(kept).collect::<String>()
    };
    plain(j) == plain(k)
}

#[cfg(test)]
mod tests {
    use nalgebra::Isometry3;

    use super::*;
    use crate::kernel::forge;
    use crate::kernel::rig::Posed;
    use crate::kernel::rig::test_bodies::Body;

    /// A pose that turns every joint its own way and moves the root.
    fn wild(skeleton: &Skeleton) -> Pose {
        let mut pose = Pose::rest(skeleton);
        for j in 0..skeleton.len() {
            let k = j as f64;
            let turn = UnitQuaternion::from_euler_angles(
                (k * 1.3).sin() * 0.5,
                (k * 0.7).cos() * 0.4,
                (k * 2.1).sin() * 0.6,
            );
            pose.rotate_from_rest(skeleton, j, turn);
        }
        pose.translate_from_rest(skeleton, 0, Vector3::new(0.2, -0.1, 0.3));
        pose
    }

    #[test]
    fn a_mirrored_pose_is_the_mirror_image_and_twice_is_the_original() {
        let hero = forge::build("hero", Some(2_400)).expect("built in").skeleton;
        let mut all: Vec<Skeleton> = vec![hero.as_ref().clone()];
        for facing_deg in [0.0, 70.0] {
            all.push(Body { random_frames: true, arms_down_deg: 30.0, facing_deg }.named());
        }
        for skeleton in &all {
            let mirror = JointMirror::of(skeleton);
            let mut pose = wild(skeleton);
            pose.local[0].scale = Vector3::repeat(1.5);
            let mirrored = mirror.mirror_pose(skeleton, &pose);
            let (before, after) = (Posed::of(skeleton, &pose), Posed::of(skeleton, &mirrored));
            for j in 0..skeleton.len() {
                let k = mirror.partner(j).expect("symmetric");
                assert_eq!(mirror.partner(k), Some(j));
                let image = mirror.plane.reflect(&before.world_from_joint[j].translation.into());
                let there = Point3::from(after.world_from_joint[k].translation);
                assert!((image - there).norm() < 1e-6, "{}", skeleton.joints()[j].name);
            }
            let again = mirror.mirror_pose(skeleton, &mirrored);
            for (a, b) in again.local.iter().zip(&pose.local) {
                assert!(a.rotation.angle_to(&b.rotation) < 1e-6);
                assert!((a.translation - b.translation).norm() < 1e-9);
                assert!((a.scale - b.scale).norm() < 1e-6);
            }
        }
    }

    #[test]
    fn partners_have_opposite_names_and_the_middle_is_its_own() {
        let hero = forge::build("hero", Some(2_400)).expect("built in").skeleton;
        let mirror = JointMirror::of(&hero);
        assert!(mirror.plane.normal.x > 0.999 && mirror.plane.offset.abs() < 1e-6);
        for (j, joint) in hero.joints().iter().enumerate() {
            let other = &hero.joints()[mirror.partner(j).expect("symmetric")].name;
            let wanted = if joint.name.contains("Left") {
                joint.name.replace("Left", "Right")
            } else {
                joint.name.replace("Right", "Left")
            };
            assert_eq!(*other, wanted);
        }
    }

    #[test]
    fn one_arm_is_copied_to_the_other_and_the_rest_stays() {
        let skeleton = Body { random_frames: true, ..Body::default() }.named();
        let mirror = JointMirror::of(&skeleton);
        let find = |name: &str| skeleton.find(name).expect("named");
        let pose = wild(&skeleton);
        let arm = [find("LeftUpperArm"), find("LeftLowerArm")];
        let copied = mirror.mirror_joints(&skeleton, &pose, &arm);
        for j in 0..skeleton.len() {
            let is_copy = arm.iter().any(|&a| mirror.partner(a) == Some(j));
            assert_eq!(copied.local[j] != pose.local[j], is_copy, "{}", skeleton.joints()[j].name);
        }
        let whole = mirror.mirror_pose(&skeleton, &pose);
        assert_eq!(copied.local[find("RightLowerArm")], whole.local[find("RightLowerArm")]);
    }

    #[test]
    fn a_nameless_spider_and_joints_at_one_place_are_paired() {
        // A root, two legs to each side along z, and two eyes on the plane that only names tell apart.
        let at = |x: f64, z: f64| Isometry3::translation(x, 0.5, z);
        let joints = [
            ("body", None, at(0.3, 0.0)),
            ("p", Some(0), at(0.6, 0.4)),
            ("q", Some(0), at(0.6, -0.4)),
            ("s", Some(0), at(-0.2, 0.5)),
            ("t", Some(0), at(-0.2, -0.5)),
            ("eye_l", Some(0), at(0.9, 0.0)),
            ("eye_r", Some(0), at(0.9, 0.0)),
        ];
        let skeleton =
            Skeleton::from_world(joints.map(|(name, parent, world)| (name.into(), parent, world, None)))
                .expect("valid");
        let mirror = JointMirror::of(&skeleton);
        assert!(mirror.plane.normal.z.abs() > 0.99);
        let partners: Vec<_> = (0..7).map(|j| mirror.partner(j)).collect();
        assert_eq!(partners, [0, 2, 1, 4, 3, 6, 5].map(Some));
        let nothing = JointMirror::of(&Skeleton::default());
        assert_eq!(nothing.partner(0), None);
    }
}
