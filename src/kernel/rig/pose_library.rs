//! Poses of a biped by the roles of its joints, in anatomical angles.
//!
//! Angles count from standing upright with arms hanging and palms inwards, whatever the rest pose of
//! the skeleton is: its limbs are first brought there, on the shortest way. A joint then twists
//! about its bone, is moved sideways, and is flexed, in this order, about axes that go with the joint
//! above it. In degrees:
//!
//! | | flex | abduct | twist |
//! |---|---|---|---|
//! | arm, leg | forward | away from the body | inwards |
//! | elbow, knee | bends | | inwards |
//! | hand | palm towards the forearm | towards the thumb | inwards |
//! | foot, toes | up | | inwards |
//! | collar bone | forward | up | |
//! | hips, trunk, neck, head | forward | to the left | to the left |
//!
//! Afterwards the body is lifted or lowered until the lower foot stands where it stood at rest.

use std::collections::BTreeMap;

use nalgebra::{UnitQuaternion, Vector3};
use serde::Deserialize;

use super::humanoid::topology::is_ancestor;
use super::{Humanoid, Pose, Posed, Role, Skeleton};
use crate::kernel::math::transform::nearer;

/// Turns of one joint, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Angles {
    /// Bending: forward, or as the joint's hinge does.
    pub flex: f64,
    /// Sideways.
    pub abduct: f64,
    /// About the bone.
    pub twist: f64,
}

/// A pose that any biped can take on.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPose {
    /// What menus call it.
    pub name: String,
    /// One line for tooltips.
    pub about: String,
    /// Angles of the roles that are not neutral.
    pub angles: BTreeMap<Role, Angles>,
}

/// Why words are no pose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoseLibraryError {
    /// The notation is broken.
    #[error("the pose cannot be read: {0}")]
    Notation(String),
    /// A joint is no role of a biped.
    #[error("“{0}” is no joint of a biped; roles are called as in LeftUpperArm, or UpperArm for both sides")]
    UnknownRole(String),
    /// An angle is not a number.
    #[error("an angle of “{0}” is not a number")]
    NotFinite(String),
}

/// The pose as it is written in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(default)]
    about: String,
    /// Joints of both sides, without “Left” or “Right”.
    #[serde(default)]
    both: BTreeMap<String, Angles>,
    #[serde(default)]
    joints: BTreeMap<String, Angles>,
}

/// Reads a pose from the text of a RON file.
pub fn parse(words: &str) -> Result<NamedPose, PoseLibraryError> {
    let written: Written = ron::from_str(words).map_err(|why| PoseLibraryError::Notation(why.to_string()))?;
    let mut angles = BTreeMap::new();
    let find = |name: &str| Role::ALL.into_iter().find(|role| role.name() == name);
    for (name, turn) in &written.both {
        let left = find(&format!("Left{name}")).ok_or_else(|| PoseLibraryError::UnknownRole(name.clone()))?;
        angles.insert(left, *turn);
        angles.insert(left.mirrored(), *turn);
    }
    for (name, turn) in &written.joints {
        let role = find(name).ok_or_else(|| PoseLibraryError::UnknownRole(name.clone()))?;
        angles.insert(role, *turn);
    }
    for (role, turn) in &angles {
        if ![turn.flex, turn.abduct, turn.twist].iter().all(|x| x.is_finite()) {
            return Err(PoseLibraryError::NotFinite(role.name().into()));
        }
    }
    Ok(NamedPose { name: written.name, about: written.about, angles })
}

/// The poses that come with the program, in the order of menus.
const BUILT_IN: [&str; 15] = [
    include_str!("../../../assets/poses/t_pose.ron"),
    include_str!("../../../assets/poses/a_pose.ron"),
    include_str!("../../../assets/poses/arms_up.ron"),
    include_str!("../../../assets/poses/reach_up.ron"),
    include_str!("../../../assets/poses/arms_crossed.ron"),
    include_str!("../../../assets/poses/hands_on_back.ron"),
    include_str!("../../../assets/poses/sit.ron"),
    include_str!("../../../assets/poses/crouch.ron"),
    include_str!("../../../assets/poses/deep_squat.ron"),
    include_str!("../../../assets/poses/run.ron"),
    include_str!("../../../assets/poses/high_kick.ron"),
    include_str!("../../../assets/poses/splits.ron"),
    include_str!("../../../assets/poses/contrapposto.ron"),
    include_str!("../../../assets/poses/elbow_120.ron"),
    include_str!("../../../assets/poses/forearm_twist_180.ron"),
];

/// The built-in poses.
pub fn builtin() -> Vec<NamedPose> {
    BUILT_IN.iter().filter_map(|words| parse(words).ok()).collect()
}

/// The pose on a skeleton; `None` where that is no biped.
pub fn apply(named: &NamedPose, skeleton: &Skeleton) -> Option<Pose> {
    let humanoid = Humanoid::detect(skeleton)?;
    let angles = shared_out(named, &humanoid);
    // World rotation of each joint: what it does in the pose, after what brings its rest to neutral.
    let mut does = vec![UnitQuaternion::identity(); skeleton.len()];
    let mut neutral = vec![UnitQuaternion::identity(); skeleton.len()];
    let mut pose = Pose::rest(skeleton);
    let mut world: Vec<UnitQuaternion<f64>> = Vec::with_capacity(skeleton.len());
    for (j, joint) in skeleton.joints().iter().enumerate() {
        let role = humanoid.role_of(j);
        // A rig may keep its feet outside of the leg: they follow it all the same.
        let carrier = role.and_then(|role| loose_foot(skeleton, &humanoid, role)).or(joint.parent);
        if let Some(carrier) = carrier.filter(|&carrier| carrier < j) {
            (does[j], neutral[j]) = (does[carrier], neutral[carrier]);
        }
        if let Some(role) = role {
            neutral[j] = neutral_of(skeleton, &humanoid, role, j, &neutral[j]);
            let turn = angles.get(&role).copied().unwrap_or_default();
            does[j] *= rotation(&humanoid, role, &turn);
        }
        let turned = does[j] * neutral[j] * skeleton.world_from_joint(j).rotation;
        let above = joint.parent.map_or_else(UnitQuaternion::identity, |p: usize| world[p]);
        pose.local[j].rotation = nearer(above.inverse() * turned, &joint.rest_local.rotation);
        world.push(turned);
    }
    place_feet(skeleton, &humanoid, &mut pose);
    Some(pose)
}

/// Angles of trunk joints that a rig lacks go to the next one below.
fn shared_out(named: &NamedPose, humanoid: &Humanoid) -> BTreeMap<Role, Angles> {
    let mut angles = named.angles.clone();
    for (role, heir) in
        [(Role::UpperChest, Role::Chest), (Role::Chest, Role::Spine), (Role::Neck, Role::Head)]
    {
        if humanoid.get(role).is_none()
            && let Some(turn) = angles.remove(&role)
        {
            let sum = angles.entry(heir).or_default();
            *sum = Angles {
                flex: sum.flex + turn.flex,
                abduct: sum.abduct + turn.abduct,
                twist: sum.twist + turn.twist,
            };
        }
    }
    angles
}

/// The shin of a foot that does not hang on it.
fn loose_foot(skeleton: &Skeleton, humanoid: &Humanoid, role: Role) -> Option<usize> {
    let left = if role.is_right() { role.mirrored() } else { role };
    let leg = if role.is_right() { Role::RightLowerLeg } else { Role::LeftLowerLeg };
    let (leg, foot) = (humanoid.get(leg)?, humanoid.get(role)?);
    (left == Role::LeftFoot && !is_ancestor(skeleton, leg, foot)).then_some(leg)
}

/// The rotation from rest to neutral of joint `j`: `above`, and for the bones of arms and legs what
/// is missing to hang straight down.
fn neutral_of(
    skeleton: &Skeleton,
    humanoid: &Humanoid,
    role: Role,
    j: usize,
    above: &UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let end = match if role.is_right() { role.mirrored() } else { role } {
        Role::LeftUpperArm => Role::LeftLowerArm,
        Role::LeftLowerArm => Role::LeftHand,
        Role::LeftUpperLeg => Role::LeftLowerLeg,
        Role::LeftLowerLeg => Role::LeftFoot,
        // A foot stands as it was modelled.
        Role::LeftFoot => return UnitQuaternion::identity(),
        _ => return *above,
    };
    let end = humanoid.get(if role.is_right() { end.mirrored() } else { end });
    let tail = end.map_or_else(|| skeleton.tip(j), |end| skeleton.position(end));
    let own = above * (tail - skeleton.position(j));
    let down = -humanoid.up.into_inner();
    if own.norm() < 1e-9 {
        return *above;
    }
    let over = || UnitQuaternion::from_axis_angle(&humanoid.forward, std::f64::consts::PI);
    UnitQuaternion::rotation_between(&own, &down).unwrap_or_else(over) * above
}

/// The turn of a role in the neutral body's axes.
fn rotation(humanoid: &Humanoid, role: Role, turn: &Angles) -> UnitQuaternion<f64> {
    let (left, up, forward) =
        (humanoid.left().into_inner(), humanoid.up.into_inner(), humanoid.forward.into_inner());
    let side = if role.is_right() { -1.0 } else { 1.0 };
    // Each axis is from × to: hanging limbs point down, feet forward, collar bones to the side.
    let [flex, abduct, twist] = match if role.is_right() { role.mirrored() } else { role } {
        Role::LeftUpperArm | Role::LeftUpperLeg | Role::LeftLowerArm => [-left, forward * side, up * -side],
        Role::LeftLowerLeg => [left, forward * side, up * -side],
        Role::LeftHand => [forward * -side, -left, up * -side],
        Role::LeftFoot | Role::LeftToes => [-left, up * side, up * -side],
        Role::LeftShoulder => [up * -side, forward * side, left],
        _ => [left, -forward, up],
    };
    let about = |axis: Vector3<f64>, degrees: f64| UnitQuaternion::new(axis * degrees.to_radians());
    about(flex, turn.flex) * about(abduct, turn.abduct) * about(twist, turn.twist)
}

/// Carries loose feet to the shins' ends and lets the lower foot stand on the ground.
fn place_feet(skeleton: &Skeleton, humanoid: &Humanoid, pose: &mut Pose) {
    for role in [Role::LeftFoot, Role::RightFoot] {
        if let (Some(foot), Some(leg)) = (humanoid.get(role), loose_foot(skeleton, humanoid, role)) {
            let posed = Posed::of(skeleton, pose);
            let end = posed.posed_from_rest[leg].transform_point(&skeleton.position(foot)).coords;
            shift(skeleton, &posed, pose, foot, end - posed.world_from_joint[foot].translation);
        }
    }
    let posed = Posed::of(skeleton, pose);
    let soles = [Role::LeftFoot, Role::RightFoot, Role::LeftToes, Role::RightToes];
    let points = soles.into_iter().filter_map(|role| humanoid.get(role)).flat_map(|j| {
        [skeleton.position(j), skeleton.tip(j)].map(|p| (p, posed.posed_from_rest[j].transform_point(&p)))
    });
    let (mut before, mut after) = (f64::INFINITY, f64::INFINITY);
    for (p, q) in points {
        before = before.min(p.coords.dot(&humanoid.up));
        after = after.min(q.coords.dot(&humanoid.up));
    }
    if let Some(hips) = humanoid.get(Role::Hips).filter(|_| before.is_finite() && after.is_finite()) {
        let rise = humanoid.up.into_inner() * (before - after);
        shift(skeleton, &posed, pose, hips, rise);
        for role in [Role::LeftFoot, Role::RightFoot] {
            let outside = |foot: &usize| !is_ancestor(skeleton, hips, *foot);
            if let Some(foot) = humanoid.get(role).filter(outside) {
                shift(skeleton, &posed, pose, foot, rise);
            }
        }
    }
}

fn shift(skeleton: &Skeleton, posed: &Posed, pose: &mut Pose, j: usize, by: Vector3<f64>) {
    let into_parent = skeleton.joints()[j].parent.and_then(|p| posed.world_from_joint[p].inverse());
    pose.local[j].translation += into_parent.map_or(by, |map| map.transform_vector(&by));
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::*;
    use crate::kernel::forge;
    use crate::kernel::rig::test_bodies::Body;

    fn bodies() -> [Body; 4] {
        [(0.0, false, 0.0), (45.0, true, 0.0), (80.0, true, 0.0), (20.0, false, 90.0)].map(
            |(arms_down_deg, random_frames, facing_deg)| Body { arms_down_deg, random_frames, facing_deg },
        )
    }

    fn named(name: &str) -> NamedPose {
        builtin().into_iter().find(|pose| pose.name == name).expect("built in")
    }

    /// Where a role is, in the body's own axes (left, up, forward).
    fn place(skeleton: &Skeleton, pose: &Pose, role: Role) -> Point3<f64> {
        let humanoid = Humanoid::detect(skeleton).expect("a biped");
        let j = humanoid.get(role).expect("played");
        let at = Posed::of(skeleton, pose).world_from_joint[j].translation;
        Point3::new(at.dot(&humanoid.left()), at.dot(&humanoid.up), at.dot(&humanoid.forward))
    }

    #[test]
    fn every_file_is_read_and_every_name_is_used_once() {
        let all = builtin();
        assert_eq!(all.len(), BUILT_IN.len());
        for (k, pose) in all.iter().enumerate() {
            assert!(!pose.about.is_empty() && !pose.angles.is_empty(), "{}", pose.name);
            assert!(all[..k].iter().all(|other| other.name != pose.name));
        }
    }

    #[test]
    fn a_pose_looks_the_same_on_t_pose_a_pose_and_random_frames() {
        for pose in builtin() {
            let mut seen: Option<Vec<Point3<f64>>> = None;
            for body in bodies() {
                let skeleton = body.named();
                let made = apply(&pose, &skeleton).expect("a biped");
                let places: Vec<_> = Role::ALL.map(|role| place(&skeleton, &made, role)).into();
                let first = seen.get_or_insert_with(|| places.clone());
                for ((a, b), role) in first.iter().zip(&places).zip(Role::ALL) {
                    assert!((a - b).norm() < 1e-6, "{} {role:?}: {a} {b}", pose.name);
                }
            }
        }
    }

    #[test]
    fn the_t_pose_of_a_t_pose_is_its_rest_and_angles_mean_what_they_say() {
        let skeleton = Body::default().named();
        let rest = Pose::rest(&skeleton);
        let t_pose = apply(&named("T-pose"), &skeleton).expect("a biped");
        for role in [Role::LeftHand, Role::RightHand, Role::Head, Role::Hips] {
            let gap = place(&skeleton, &t_pose, role) - place(&skeleton, &rest, role);
            assert!(gap.norm() < 0.01, "{role:?} {gap}");
        }
        let bent = apply(&named("Elbow 120°"), &skeleton).expect("a biped");
        let at = |role| place(&skeleton, &bent, role);
        let (upper, lower) =
            (at(Role::LeftLowerArm) - at(Role::LeftUpperArm), at(Role::LeftHand) - at(Role::LeftLowerArm));
        assert!((upper.angle(&lower).to_degrees() - 120.0).abs() < 1e-6);
        assert!(lower.z > 0.1, "elbows bend forward");
        let squat = apply(&named("Deep squat"), &skeleton).expect("a biped");
        assert!(place(&skeleton, &squat, Role::Hips).y < 0.55);
        assert!(place(&skeleton, &squat, Role::LeftLowerLeg).z > 0.2, "knees forward");
        let up = apply(&named("Arms up"), &skeleton).expect("a biped");
        assert!(place(&skeleton, &up, Role::LeftHand).y > place(&skeleton, &up, Role::Head).y + 0.2);
        let run = apply(&named("Running stride"), &skeleton).expect("a biped");
        assert!(place(&skeleton, &run, Role::RightLowerLeg).z > place(&skeleton, &run, Role::LeftLowerLeg).z);
        assert!(place(&skeleton, &run, Role::LeftHand).z > place(&skeleton, &run, Role::RightHand).z);
    }

    #[test]
    fn the_lower_foot_stands_on_the_ground_on_every_built_in_biped() {
        for entry in forge::CATALOG.iter().filter(|entry| entry.kind == forge::Kind::Biped) {
            let skeleton = forge::build(entry.id, Some(2_400)).expect("builds").skeleton;
            let humanoid = Humanoid::detect(&skeleton).expect("a biped");
            for pose in builtin() {
                let made = apply(&pose, &skeleton).expect("a biped");
                let posed = Posed::of(&skeleton, &made);
                let roles = [Role::LeftFoot, Role::RightFoot, Role::LeftToes, Role::RightToes];
                let feet: Vec<usize> = roles.into_iter().filter_map(|role| humanoid.get(role)).collect();
                let height = |p: Point3<f64>| p.y;
                let low = |at: &dyn Fn(usize, Point3<f64>) -> Point3<f64>| {
                    feet.iter()
                        .flat_map(|&j| [at(j, skeleton.position(j)), at(j, skeleton.tip(j))])
                        .map(height)
                        .fold(f64::INFINITY, f64::min)
                };
                let drop = low(&|j, p| posed.posed_from_rest[j].transform_point(&p)) - low(&|_, p| p);
                assert!(drop.abs() < 1e-6, "{} {}: {drop}", entry.id, pose.name);
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let wrong = |words: &str| parse(words).expect_err(words).to_string();
        assert!(wrong("(name: \"x\", joints: { \"Tail\": (flex: 3) })").contains("Tail"));
        assert!(wrong("(name: \"x\", both: { \"Head\": (flex: 3) })").contains("Head"));
        assert!(wrong("(name: \"x\", joints: { \"Head\": (bend: 3) })").contains("bend"));
        assert!(wrong("(name: \"x\", joints: { \"Head\": (flex: NaN) })").contains("Head"));
        let tube = forge::build("tube", None).expect("built in").skeleton;
        assert_eq!(apply(&named("T-pose"), &tube), None);
    }
}
