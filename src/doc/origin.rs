//! Where the mesh came from, and what the user said about that file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where the mesh came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// A file from outside.
    File(PathBuf),
    /// A built-in character, by id, at a number of vertices or its own.
    BuiltIn {
        /// Without the `@`.
        id: String,
        /// Vertices asked for.
        vertices: Option<usize>,
    },
}

impl Origin {
    /// `@name` is a built-in character, `@name:20000` one of about that many vertices; all else is a path.
    pub fn parse(text: &str) -> Self {
        let Some(name) = text.strip_prefix('@') else { return Self::File(text.into()) };
        match name.split_once(':').map(|(id, count)| (id, count.parse())) {
            Some((id, Ok(vertices))) => Self::BuiltIn { id: id.to_owned(), vertices: Some(vertices) },
            _ => Self::BuiltIn { id: name.to_owned(), vertices: None },
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::BuiltIn { id, vertices: None } => write!(f, "@{id}"),
            Self::BuiltIn { id, vertices: Some(count) } => write!(f, "@{id}:{count}"),
        }
    }
}

/// What the user says about a file instead of letting it be detected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadOptions {
    /// The up axis.
    pub up: Option<UpAxis>,
    /// Metres in one unit.
    pub metres_per_unit: Option<f64>,
}

/// Which way is up in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UpAxis {
    /// As in Sinew, glTF and Maya.
    Y,
    /// As in Blender and most CAD.
    Z,
}

impl UpAxis {
    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Y => "Y",
            Self::Z => "Z",
        }
    }
}
