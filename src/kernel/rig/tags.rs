//! Joint tags: a user's approximate positions of a biped's important joints, 14 in all.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

/// The important joints of a biped; left is the character's own left, at +X when it faces +Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TagName {
    Head,
    Neck,
    LeftShoulder,
    RightShoulder,
    LeftElbow,
    RightElbow,
    LeftWrist,
    RightWrist,
    LeftHip,
    RightHip,
    LeftKnee,
    RightKnee,
    LeftAnkle,
    RightAnkle,
    /// Optional guide: where the head meets the neck in front.
    Chin,
    /// Optional guide: where the legs part.
    Groin,
}

impl TagName {
    /// The 14 that every biped has, in the order of the panels.
    pub const REQUIRED: [Self; 14] = [
        Self::Head,
        Self::Neck,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftElbow,
        Self::RightElbow,
        Self::LeftWrist,
        Self::RightWrist,
        Self::LeftHip,
        Self::RightHip,
        Self::LeftKnee,
        Self::RightKnee,
        Self::LeftAnkle,
        Self::RightAnkle,
    ];

    /// The optional guides.
    pub const GUIDES: [Self; 2] = [Self::Chin, Self::Groin];

    /// The name in files, such as `left_elbow`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Neck => "neck",
            Self::LeftShoulder => "left_shoulder",
            Self::RightShoulder => "right_shoulder",
            Self::LeftElbow => "left_elbow",
            Self::RightElbow => "right_elbow",
            Self::LeftWrist => "left_wrist",
            Self::RightWrist => "right_wrist",
            Self::LeftHip => "left_hip",
            Self::RightHip => "right_hip",
            Self::LeftKnee => "left_knee",
            Self::RightKnee => "right_knee",
            Self::LeftAnkle => "left_ankle",
            Self::RightAnkle => "right_ankle",
            Self::Chin => "chin",
            Self::Groin => "groin",
        }
    }

    /// The name in windows, such as "Left elbow".
    pub fn label(self) -> String {
        let words = self.id().replace('_', " ");
        words[..1].to_uppercase() + &words[1..]
    }

    /// Where the tag belongs.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Head => "The top of the neck, where the skull sits: about the height of the ears.",
            Self::Neck => "The base of the neck, between the collar bones.",
            Self::LeftShoulder | Self::RightShoulder => {
                "The middle of the shoulder's ball, where the arm turns, not the top of the skin."
            }
            Self::LeftElbow | Self::RightElbow => "The middle of the elbow, where the arm folds.",
            Self::LeftWrist | Self::RightWrist => "The middle of the wrist, before the hand widens.",
            Self::LeftHip | Self::RightHip => {
                "The ball of the hip, a hand's breadth beside the middle, at the crease of a raised leg."
            }
            Self::LeftKnee | Self::RightKnee => "The middle of the knee, behind the kneecap.",
            Self::LeftAnkle | Self::RightAnkle => "The middle of the ankle, at the height of its bumps.",
            Self::Chin => "Where the head meets the neck in front.",
            Self::Groin => "Where the legs part.",
        }
    }

    /// The tag of that name in a file.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::REQUIRED.into_iter().chain(Self::GUIDES).find(|name| name.id() == id)
    }

    /// The same joint on the other side; itself where there is no side.
    pub fn mirrored(self) -> Self {
        let id = self.id();
        let other = if let Some(rest) = id.strip_prefix("left_") {
            format!("right_{rest}")
        } else if let Some(rest) = id.strip_prefix("right_") {
            format!("left_{rest}")
        } else {
            return self;
        };
        Self::from_id(&other).unwrap_or(self)
    }
}

/// One tag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tag {
    /// Which joint.
    pub name: TagName,
    /// Where, in metres.
    pub position: Point3<f64>,
    /// 1 where a person placed it, less where it was guessed.
    pub confidence: f64,
}

/// The tags of one mesh, at most one of each name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tags {
    tags: Vec<Tag>,
}

impl Tags {
    /// Adds the tag, in place of the one of the same name.
    pub fn set(&mut self, tag: Tag) {
        self.tags.retain(|old| old.name != tag.name);
        self.tags.push(tag);
        self.tags.sort_by_key(|tag| tag.name);
    }

    /// Takes the tag of that name away.
    pub fn remove(&mut self, name: TagName) {
        self.tags.retain(|tag| tag.name != name);
    }

    /// The tag of that name.
    pub fn get(&self, name: TagName) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// All tags, in the order of the panels.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Tag> {
        self.tags.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The required tags that are not there.
    pub fn missing(&self) -> Vec<TagName> {
        TagName::REQUIRED.into_iter().filter(|name| self.get(*name).is_none()).collect()
    }
}

impl FromIterator<Tag> for Tags {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let mut all = Self::default();
        tags.into_iter().for_each(|tag| all.set(tag));
        all
    }
}
