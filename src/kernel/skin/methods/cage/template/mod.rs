//! Skinning templates (Ju et al. 2008, sections 3.1 and 4): a piece of cage around one joint or bone,
//! with key poses that say how its vertices move.
//!
//! Lengths are in thicknesses of the skin, so that one template fits arms thin and fat.
//!
//! - A **joint template** stands at the origin. The bone towards the root is bone 0. With two bones
//!   that one runs along −X and the other along +X, and a flexed bone 1 turns towards +Y. With more,
//!   bones lie in the XY plane, in the order of their angle; with one, it runs along −X and the cap
//!   closes towards +X. A vertex is `(x, y, z)`.
//! - A **bone template** runs along the bone from its near end (0) to its far end (1). A vertex is
//!   `(along, angle, radius)`: the share of the bone's length, the angle in degrees from the side
//!   that the far joint flexes to, and the distance from the bone.

mod edit;
mod fan;
mod keys;
mod library;
mod parse;
mod write;

use serde::{Deserialize, Serialize};

pub use edit::{CannotEdit, Vertex, copy_name};
pub use fan::{fan, tube};
pub use keys::{KeyPoses, MOST_KEYS, shortest_rotation, straight, turn_of, twist_about_bone};
pub use library::{Library, NameTaken};

/// A piece of cage and how it moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// What users choose it by; unique within a library.
    pub name: String,
    /// One sentence.
    pub about: String,
    /// What it fits.
    pub part: Part,
    /// Closed rings of vertices.
    pub rings: Vec<Vec<u16>>,
    /// The boundary towards each bone, as an index of `rings`; for a bone template the near and the
    /// far one.
    pub boundaries: Vec<usize>,
    /// Pairs of rings with a band of triangles between them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<(usize, usize)>,
    /// Rings that are closed by a fan of triangles around a vertex.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fans: Vec<(usize, u16)>,
    /// The examples; the first is the one that a cage is fitted in.
    pub keys: Vec<Key>,
}

/// What a template fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Part {
    /// A joint with so many bones.
    Joint(usize),
    /// A bone.
    Bone,
}

/// An example: a pose of the bones and where the vertices are in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// How bones are turned, by bone; those that are left out are as in the first key. For a joint
    /// template bone 0 stays; for a bone template 0 is the bone before and 1 the bone after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
    /// One per vertex.
    pub vertices: Vec<(f64, f64, f64)>,
}

/// How a bone is turned in a key pose, in degrees from straight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Which bone.
    pub bone: usize,
    /// Towards the side that the joint flexes to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bend: f64,
    /// Square to the bend.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sway: f64,
    /// About the bone itself.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub twist: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// Names of the templates that a cage is fitted with.
pub const DEFAULT: &str = "Default";

impl Part {
    /// What users call it.
    pub fn label(self) -> String {
        match self {
            Self::Bone => "bone".into(),
            Self::Joint(1) => "cap".into(),
            Self::Joint(count) => format!("joint of {count} bones"),
        }
    }
}

impl Template {
    /// Whether it has the same shape as another in its first key: only how they move differs.
    pub fn begins_like(&self, other: &Self) -> bool {
        let Self { part, rings, boundaries, bands, fans, keys, .. } = self;
        (part, rings, boundaries, bands, fans, keys.first())
            == (&other.part, &other.rings, &other.boundaries, &other.bands, &other.fans, other.keys.first())
    }

    /// Its shape, without how it moves.
    pub fn first_key_alone(&self) -> Self {
        Self { keys: self.keys.iter().take(1).cloned().collect(), ..self.clone() }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.keys.first().map_or(0, |key| key.vertices.len())
    }
}
