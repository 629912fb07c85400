//! What joint names say: side and part of the body, in the dialects of common rigs.
//!
//! Read are Mixamo, Unity and VRM, the Unreal mannequin, Blender, 3ds Max Biped, Poser, CMU motion
//! capture, SMPL and MakeHuman. A name is cut into words at separators, digits and capitals; side
//! words and noise are taken away, and what is left is looked up.

/// Left or right, the character's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The character's left.
    Left,
    /// The character's right.
    Right,
}

/// The part of the body that a name speaks of. Some words mean different parts in different rigs;
/// those have entries of their own and are settled by what else the rig has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Part {
    Hips,
    Neck,
    Head,
    Clavicle,
    /// The clavicle in most rigs, the upper arm in SMPL.
    Shoulder,
    UpperArm,
    /// The upper arm in Mixamo and VRM; all joints of it in some.
    Arm,
    LowerArm,
    Hand,
    /// The upper leg in SMPL; a helper before it in CMU.
    Hip,
    UpperLeg,
    /// The lower leg in Mixamo, the upper one in some.
    Leg,
    LowerLeg,
    Foot,
    Toes,
}

/// Words that make a joint no part of the body's main tree.
const STRANGERS: &[&str] = &[
    "end",
    "leaf",
    "nub",
    "tip",
    "top",
    "ik",
    "fk",
    "mch",
    "pole",
    "target",
    "twist",
    "roll",
    "control",
    "ctrl",
    "slot",
    "helper",
    "heel",
    "site",
    "finger",
    "thumb",
    "index",
    "middle",
    "ring",
    "pinky",
    "little",
    "metacarpal",
    "eye",
    "jaw",
    "tongue",
    "hair",
    "tail",
    "wing",
    "ear",
    "front",
    "back",
    "rear",
    "weapon",
];

/// Words that say nothing.
const NOISE: &[&str] = &[
    "mixamorig",
    "bip",
    "biped",
    "valve",
    "j",
    "b",
    "c",
    "m",
    "avg",
    "bone",
    "joint",
    "jnt",
    "def",
    "org",
    "skeleton",
    "skel",
    "rig",
    "cc",
    "base",
    "character",
    "armature",
];

const PARTS: &[(Part, &[&str])] = &[
    (Part::Hips, &["hips", "pelvis"]),
    (Part::Neck, &["neck"]),
    (Part::Head, &["head"]),
    (Part::Clavicle, &["clavicle", "collar", "collarbone"]),
    (Part::Shoulder, &["shoulder", "shoulderblade"]),
    (Part::UpperArm, &["upperarm", "uparm", "armupper", "shldr", "bicep", "humerus"]),
    (Part::Arm, &["arm"]),
    (Part::LowerArm, &["lowerarm", "forearm", "lowarm", "armlower", "elbow"]),
    (Part::Hand, &["hand", "wrist", "palm"]),
    (Part::Hip, &["hip"]),
    (Part::UpperLeg, &["upperleg", "upleg", "thigh", "legupper", "femur"]),
    (Part::Leg, &["leg"]),
    (Part::LowerLeg, &["lowerleg", "lowleg", "calf", "shin", "leglower", "knee", "tibia"]),
    (Part::Foot, &["foot", "ankle", "feet"]),
    (Part::Toes, &["toe", "toes", "ball"]),
];

/// What a joint's name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The part, where the words are known.
    pub part: Option<Part>,
    /// The side, where one is named.
    pub side: Option<Side>,
    /// Whether it is a helper, an end or a finger rather than one of the main joints.
    pub stranger: bool,
}

/// Reads a joint's name.
pub fn read(name: &str) -> Reading {
    let mut side = None;
    let mut stranger = false;
    let mut base = String::new();
    for word in words(name) {
        let mut word = word.as_str();
        let sided = match word {
            "l" => Some((Side::Left, "")),
            "r" => Some((Side::Right, "")),
            _ => (word.strip_prefix("left").map(|rest| (Side::Left, rest)))
                .or_else(|| word.strip_prefix("right").map(|rest| (Side::Right, rest))),
        };
        if let Some((found, rest)) = sided {
            side = side.or(Some(found));
            word = rest;
        }
        stranger |= STRANGERS.contains(&word);
        if !NOISE.contains(&word) {
            base.push_str(word);
        }
    }
    let part = PARTS.iter().find(|(_, words)| words.contains(&base.as_str())).map(|(part, _)| *part);
    let part = match (part, side) {
        // “Hip” without a side is the whole of them; half a pelvis is a helper.
        (Some(Part::Hip), None) => Some(Part::Hips),
        (Some(Part::Hips), Some(_)) => None,
        (part, _) => part,
    };
    Reading { part: part.filter(|_| !stranger), side, stranger }
}

/// The words of a name in lower case: cut at separators, digits and capitals, digits dropped.
fn words(name: &str) -> Vec<String> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let characters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (k, &c) in characters.iter().enumerate() {
        if !c.is_alphabetic() {
            words.push(String::new());
            continue;
        }
        let before = k.checked_sub(1).map(|k| characters[k]);
        let after = characters.get(k + 1);
        let begins = c.is_uppercase()
            && before.is_some_and(|b| b.is_lowercase() || after.is_some_and(|a| a.is_lowercase()));
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_read_alike() {
        let left_lower_arms = [
            "mixamorig:LeftForeArm",
            "LeftLowerArm",
            "lowerarm_l",
            "LowerArm.L",
            "Bip01 L Forearm",
            "J_Bip_L_LowerArm",
            "lForeArm",
            "L_Elbow",
            "lowerarm01.L",
            "Left elbow",
            "b_LeftForeArm_010",
            "CC_Base_L_Forearm",
            "leftforearm",
        ];
        for name in left_lower_arms {
            let reading = read(name);
            assert_eq!((reading.part, reading.side), (Some(Part::LowerArm), Some(Side::Left)), "{name}");
        }
        for name in ["Hips", "mixamorig1:Hips", "pelvis", "Bip01 Pelvis", "Hip", "m_avg_Pelvis"] {
            assert_eq!(read(name).part, Some(Part::Hips), "{name}");
        }
    }

    #[test]
    fn helpers_ends_and_fingers_are_no_parts() {
        for name in [
            "kneeIK.l",
            "Head_End",
            "RightHandMiddle1",
            "upperarm_twist_01_l",
            "head_leaf",
            "pelvis.L",
            "tail",
        ] {
            assert_eq!(read(name).part, None, "{name}");
        }
    }

    #[test]
    fn sides_are_found_inside_of_names() {
        assert_eq!(read("Skeleton_arm_joint_L__4_").side, Some(Side::Left));
        assert_eq!(read("Skeleton_arm_joint_R").side, Some(Side::Right));
        assert_eq!(read("LHipJoint").side, Some(Side::Left));
        assert_eq!(read("Root").side, None);
    }
}
