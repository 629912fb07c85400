//! The main joints of a biped, named as in Unity and VRM.

/// What a joint is in a biped's body; left is the character's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Role {
    Hips,
    Spine,
    Chest,
    UpperChest,
    Neck,
    Head,
    LeftShoulder,
    LeftUpperArm,
    LeftLowerArm,
    LeftHand,
    LeftUpperLeg,
    LeftLowerLeg,
    LeftFoot,
    LeftToes,
    RightShoulder,
    RightUpperArm,
    RightLowerArm,
    RightHand,
    RightUpperLeg,
    RightLowerLeg,
    RightFoot,
    RightToes,
}

impl Role {
    /// All roles, parents before children.
    pub const ALL: [Self; 22] = [
        Self::Hips,
        Self::Spine,
        Self::Chest,
        Self::UpperChest,
        Self::Neck,
        Self::Head,
        Self::LeftShoulder,
        Self::LeftUpperArm,
        Self::LeftLowerArm,
        Self::LeftHand,
        Self::LeftUpperLeg,
        Self::LeftLowerLeg,
        Self::LeftFoot,
        Self::LeftToes,
        Self::RightShoulder,
        Self::RightUpperArm,
        Self::RightLowerArm,
        Self::RightHand,
        Self::RightUpperLeg,
        Self::RightLowerLeg,
        Self::RightFoot,
        Self::RightToes,
    ];

    /// The name that skeletons made here give to the joint, such as `LeftUpperArm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hips => "Hips",
            Self::Spine => "Spine",
            Self::Chest => "Chest",
            Self::UpperChest => "UpperChest",
            Self::Neck => "Neck",
            Self::Head => "Head",
            Self::LeftShoulder => "LeftShoulder",
            Self::LeftUpperArm => "LeftUpperArm",
            Self::LeftLowerArm => "LeftLowerArm",
            Self::LeftHand => "LeftHand",
            Self::LeftUpperLeg => "LeftUpperLeg",
            Self::LeftLowerLeg => "LeftLowerLeg",
            Self::LeftFoot => "LeftFoot",
            Self::LeftToes => "LeftToes",
            Self::RightShoulder => "RightShoulder",
            Self::RightUpperArm => "RightUpperArm",
            Self::RightLowerArm => "RightLowerArm",
            Self::RightHand => "RightHand",
            Self::RightUpperLeg => "RightUpperLeg",
            Self::RightLowerLeg => "RightLowerLeg",
            Self::RightFoot => "RightFoot",
            Self::RightToes => "RightToes",
        }
    }

    /// What people call the part of the body that the joint moves, such as `left thigh`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Hips => "hips",
            Self::Spine => "waist",
            Self::Chest => "chest",
            Self::UpperChest => "upper chest",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::LeftShoulder => "left collarbone",
            Self::LeftUpperArm => "left shoulder and upper arm",
            Self::LeftLowerArm => "left forearm",
            Self::LeftHand => "left hand",
            Self::LeftUpperLeg => "left hip and thigh",
            Self::LeftLowerLeg => "left shin",
            Self::LeftFoot => "left foot",
            Self::LeftToes => "left toes",
            Self::RightShoulder => "right collarbone",
            Self::RightUpperArm => "right shoulder and upper arm",
            Self::RightLowerArm => "right forearm",
            Self::RightHand => "right hand",
            Self::RightUpperLeg => "right hip and thigh",
            Self::RightLowerLeg => "right shin",
            Self::RightFoot => "right foot",
            Self::RightToes => "right toes",
        }
    }

    /// The same joint on the other side; itself on the middle line.
    pub fn mirrored(self) -> Self {
        let first_left = Self::LeftShoulder as usize;
        let first_right = Self::RightShoulder as usize;
        match self as usize {
            k if k >= first_right => Self::ALL[k - (first_right - first_left)],
            k if k >= first_left => Self::ALL[k + (first_right - first_left)],
            _ => self,
        }
    }

    /// Whether it is an elbow or a knee: a hinge, which bends and leaves the limb above it as it is.
    pub fn is_hinge(self) -> bool {
        matches!(self, Self::LeftLowerArm | Self::RightLowerArm | Self::LeftLowerLeg | Self::RightLowerLeg)
    }

    /// Whether it is on the character's right.
    pub fn is_right(self) -> bool {
        self as usize >= Self::RightShoulder as usize
    }
}
