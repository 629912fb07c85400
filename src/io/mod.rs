//! Files in and out. Readers are listed by extension in [`READERS`]; each gives a [`Raw`] in the
//! file's own units and axes, which [`open`] turns into metres and Y up.

pub mod atomic;
pub mod gltf;

use std::path::{Path, PathBuf};

use crate::kernel::rig::Character;

/// What a reader found, in the file's own units and axes.
#[derive(Debug)]
pub struct Raw {
    /// Mesh, skeleton, weights and clips; any of them may be empty.
    pub character: Character,
    /// The up axis, where the format or the file says it.
    pub up: Option<UpAxis>,
    /// Metres in one unit, where the format or the file says it.
    pub metres_per_unit: Option<f64>,
    /// What was odd, dropped or repaired, a sentence each.
    pub warnings: Vec<String>,
}

/// Which way is up in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpAxis {
    /// As in Sinew, glTF and Maya.
    Y,
    /// As in Blender and most CAD.
    Z,
}

/// A file read, checked and turned into metres and Y up.
#[derive(Debug)]
pub struct Loaded {
    /// The character.
    pub character: Character,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// What the user says about a file instead of letting it be detected.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReadOptions {
    /// The up axis.
    pub up: Option<UpAxis>,
    /// Metres in one unit.
    pub metres_per_unit: Option<f64>,
}

/// Why a file cannot be read: one clear sentence each.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is not there or not readable.
    #[error("{path} cannot be read: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No reader for it.
    #[error("{path} is not of a kind that can be read ({known})")]
    UnknownKind {
        /// The file.
        path: PathBuf,
        /// The extensions that can be read.
        known: String,
    },
    /// The content is broken.
    #[error("{path} is broken: {reason}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// The file is whole but needs what is not supported.
    #[error("{path} needs {feature}, which is not supported")]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Such as an extension's name, with advice.
        feature: String,
    },
}

impl ReadError {
    /// [`Self::Broken`] with its path.
    pub fn broken(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Broken { path: path.to_owned(), reason: reason.to_string() }
    }
}
