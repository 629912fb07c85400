//! Roles are found in the dialects of real rigs, and in rigs whose names say nothing.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::kernel::rig::test_bodies::Body;

/// Names of the middle line and of the left side, `_` for a joint that the rig does not have.
/// `L` in a sided name is replaced on the right.
struct Dialect {
    middle: [&'static str; 6],
    left: [&'static str; 8],
    right_of: fn(&str) -> String,
}

fn swap_word(name: &str) -> String {
    name.replace("Left", "Right")
}

const DIALECTS: &[Dialect] = &[
    Dialect {
        middle: [
            "mixamorig:Hips",
            "mixamorig:Spine",
            "mixamorig:Spine1",
            "mixamorig:Spine2",
            "mixamorig:Neck",
            "mixamorig:Head",
        ],
        left: [
            "mixamorig:LeftShoulder",
            "mixamorig:LeftArm",
            "mixamorig:LeftForeArm",
            "mixamorig:LeftHand",
            "mixamorig:LeftUpLeg",
            "mixamorig:LeftLeg",
            "mixamorig:LeftFoot",
            "mixamorig:LeftToeBase",
        ],
        right_of: swap_word,
    },
    Dialect {
        middle: ["pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head"],
        left: ["clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l", "calf_l", "foot_l", "ball_l"],
        right_of: |name| name.replace("_l", "_r"),
    },
    Dialect {
        middle: ["Hips", "Abdomen", "Torso", "Chest", "Neck", "Head"],
        left: ["Shoulder.L", "UpperArm.L", "LowerArm.L", "Hand.L", "UpperLeg.L", "LowerLeg.L", "Foot.L", "_"],
        right_of: |name| name.replace(".L", ".R"),
    },
    Dialect {
        middle: ["hips", "spine", "chest", "_", "_", "head"],
        left: ["_", "upperarm.l", "lowerarm.l", "wrist.l", "upperleg.l", "lowerleg.l", "foot.l", "toes.l"],
        right_of: |name| name.replace(".l", ".r"),
    },
    Dialect {
        middle: ["Hips", "Spine", "Chest", "_", "Neck", "Head"],
        left: [
            "Left shoulder",
            "Left arm",
            "Left elbow",
            "Left wrist",
            "Left leg",
            "Left knee",
            "Left ankle",
            "Left toe",
        ],
        right_of: swap_word,
    },
    Dialect {
        middle: ["Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head"],
        left: [
            "LeftShoulder",
            "LeftArm",
            "LeftForeArm",
            "LeftHand",
            "LeftUpLeg",
            "LeftLeg",
            "LeftFoot",
            "LeftToeBase",
        ],
        right_of: swap_word,
    },
    Dialect {
        middle: ["root", "spine04", "spine02", "spine01", "neck01", "head"],
        left: [
            "clavicle.L",
            "upperarm01.L",
            "lowerarm01.L",
            "wrist.L",
            "upperleg01.L",
            "lowerleg01.L",
            "foot.L",
            "_",
        ],
        right_of: |name| name.replace(".L", ".R"),
    },
    Dialect {
        middle: ["Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head"],
        left: ["L_Collar", "L_Shoulder", "L_Elbow", "L_Wrist", "L_Hip", "L_Knee", "L_Ankle", "L_Foot"],
        right_of: |name| name.replace("L_", "R_"),
    },
    Dialect {
        middle: ["Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "_", "Bip01 Neck", "Bip01 Head"],
        left: [
            "Bip01 L Clavicle",
            "Bip01 L UpperArm",
            "Bip01 L Forearm",
            "Bip01 L Hand",
            "Bip01 L Thigh",
            "Bip01 L Calf",
            "Bip01 L Foot",
            "Bip01 L Toe0",
        ],
        right_of: |name| name.replace(" L ", " R "),
    },
];

/// The dialect's name of a role.
fn name_in(dialect: &Dialect, role: Role) -> Option<String> {
    let k = role as usize;
    let name = match k {
        0..6 => dialect.middle[k].to_owned(),
        6..14 => dialect.left[k - 6].to_owned(),
        _ => (dialect.right_of)(dialect.left[k - 14]),
    };
    (name != "_").then_some(name)
}

#[test]
fn every_dialect_gives_every_role_without_doubt() {
    for dialect in DIALECTS {
        let skeleton = Body::default().skeleton(|role| name_in(dialect, role));
        let found = Humanoid::detect(&skeleton).expect(dialect.middle[0]);
        assert!(!found.doubtful, "{}", dialect.middle[0]);
        for role in Role::ALL {
            let Some(name) = name_in(dialect, role) else { continue };
            let j = found.get(role).unwrap_or_else(|| panic!("no {role:?} in {}", dialect.middle[0]));
            assert_eq!(skeleton.joints()[j].name, name, "{role:?}");
            assert_eq!(found.role_of(j), Some(role));
        }
        assert!((found.forward.into_inner() - Vector3::z()).norm() < 1e-6);
        assert!((found.left().into_inner() - Vector3::x()).norm() < 1e-6);
    }
}

#[test]
fn names_that_only_tell_sides_apart_are_helped_by_shape() {
    let name = |role: Role| {
        let k = role as usize;
        let names = match k {
            0..=5 => ["torso_1", "torso_2", "_", "torso_3", "neck_1", "neck_2"][k].to_owned(),
            _ => {
                let side = if role.is_right() { "R" } else { "L" };
                let part = [
                    "_",
                    "arm_joint_#__4_",
                    "arm_joint_#__3_",
                    "arm_joint_#__2_",
                    "leg_joint_#_1",
                    "leg_joint_#_2",
                    "leg_joint_#_3",
                    "leg_joint_#_5",
                ][(k - 6) % 8];
                part.replace('#', side)
            }
        };
        (names != "_").then_some(names)
    };
    let skeleton = Body { arms_down_deg: 30.0, ..Body::default() }.skeleton(name);
    let found = Humanoid::detect(&skeleton).expect("a biped");
    assert!(found.doubtful);
    for (role, expected) in [
        (Role::Hips, "torso_1"),
        (Role::Neck, "neck_1"),
        (Role::Head, "neck_2"),
        (Role::LeftUpperArm, "arm_joint_L__4_"),
        (Role::LeftHand, "arm_joint_L__2_"),
        (Role::RightLowerArm, "arm_joint_R__3_"),
        (Role::LeftLowerLeg, "leg_joint_L_2"),
        (Role::RightToes, "leg_joint_R_5"),
    ] {
        assert_eq!(found.get(role), skeleton.find(expected), "{role:?}");
    }
}

#[test]
fn nameless_bipeds_are_found_by_shape_whichever_way_they_face() {
    for facing_deg in [0.0, 90.0, 180.0, 250.0] {
        let body = Body { facing_deg, arms_down_deg: 20.0, ..Body::default() };
        let named = body.named();
        let skeleton = body.skeleton(|_| Some(String::new()));
        let found = Humanoid::detect(&skeleton).expect("a biped");
        assert!(found.doubtful);
        for role in Role::ALL {
            assert_eq!(found.get(role), named.find(role.name()), "{role:?} facing {facing_deg}");
        }
        assert!((found.forward.x - facing_deg.to_radians().sin()).abs() < 0.05);
    }
}

#[test]
fn chains_hands_and_four_footed_animals_are_no_bipeds() {
    let chain = Skeleton::from_world((0..5).map(|k| {
        (format!("Bone.{k}"), (k > 0).then(|| k - 1), Isometry3::translation(k as f64, 0.0, 0.0), None)
    }))
    .expect("valid");
    assert!(Humanoid::detect(&chain).is_none());
    assert!(Humanoid::detect(&Skeleton::default()).is_none());
    // A fox: forelegs named as arms, hands on the ground.
    let parts = [
        ("Hip", None, [0.0, 0.6, -0.5]),
        ("Spine01", Some(0), [0.0, 0.65, 0.0]),
        ("Spine02", Some(1), [0.0, 0.65, 0.4]),
        ("Head", Some(2), [0.0, 0.8, 0.7]),
        ("LeftUpperArm", Some(2), [0.1, 0.5, 0.4]),
        ("LeftForeArm", Some(4), [0.1, 0.25, 0.4]),
        ("LeftHand", Some(5), [0.1, 0.02, 0.4]),
        ("RightUpperArm", Some(2), [-0.1, 0.5, 0.4]),
        ("RightForeArm", Some(7), [-0.1, 0.25, 0.4]),
        ("RightHand", Some(8), [-0.1, 0.02, 0.4]),
        ("LeftLeg01", Some(0), [0.1, 0.5, -0.5]),
        ("LeftLeg02", Some(10), [0.1, 0.25, -0.5]),
        ("LeftFoot01", Some(11), [0.1, 0.02, -0.5]),
        ("RightLeg01", Some(0), [-0.1, 0.5, -0.5]),
        ("RightLeg02", Some(13), [-0.1, 0.25, -0.5]),
        ("RightFoot01", Some(14), [-0.1, 0.02, -0.5]),
    ];
    let fox = Skeleton::from_world(
        parts.map(|(name, parent, [x, y, z])| (name.into(), parent, Isometry3::translation(x, y, z), None)),
    )
    .expect("valid");
    assert!(Humanoid::detect(&fox).is_none());
}
