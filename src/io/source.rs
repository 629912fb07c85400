//! Opens whatever a document can start from: a file or a built-in character.

use super::{Loaded, ReadError, ReadOptions, UpAxis};
use crate::doc::Origin;
use crate::kernel::forge;

/// Reads the file, or makes the built-in character.
pub fn open(origin: &Origin, options: &ReadOptions) -> Result<Loaded, ReadError> {
    match origin {
        Origin::File(path) => super::open(path, options),
        Origin::BuiltIn { id, vertices } => {
            if let Some(count) = vertices.filter(|count| !forge::RESOLUTIONS.contains(count)) {
                return Err(ReadError::Resolution { count });
            }
            let character = forge::build(id, *vertices).ok_or_else(|| ReadError::UnknownBuiltIn {
                name: id.clone(),
                known: forge::ids().map(|id| format!("@{id}")).collect::<Vec<_>>().join(", "),
            })?;
            Ok(Loaded { character, up: UpAxis::Y, metres_per_unit: 1.0, warnings: Vec::new() })
        }
    }
}
