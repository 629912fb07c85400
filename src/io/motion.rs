//! Motions of a file, carried over to the skeleton that is there.

use std::path::Path;
use std::sync::Arc;

use super::{ReadOptions, stem};
use crate::kernel::rig::{Clip, Skeleton, retarget};

/// Motions that were carried over.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// For the skeleton that they were asked for.
    pub clips: Vec<Clip>,
    /// How many of its joints follow one of the file.
    pub matched: usize,
    /// Joints that the file moves and that nobody follows, by name.
    pub left_out: Vec<String>,
    /// What was odd about the file, a sentence each.
    pub warnings: Vec<String>,
}

/// Reads the motions of `path` and carries them over to `skeleton`, or says in a sentence why not.
/// A single motion is named after its file: what tools call it is too often all the same.
pub fn import(path: &Path, skeleton: &Skeleton) -> Result<Imported, String> {
    let loaded = super::open(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let source = loaded.character;
    if source.clips.is_empty() {
        return Err(format!("{} holds no motion", path.display()));
    }
    let mut imported =
        Imported { clips: Vec::new(), matched: 0, left_out: Vec::new(), warnings: loaded.warnings };
    for clip in &source.clips {
        let found = retarget(&source.skeleton, clip, skeleton)
            .map_err(|why| format!("{} cannot be played here: {why}", path.display()))?;
        imported.matched = imported.matched.max(found.matched);
        imported.left_out.extend(found.left_out);
        imported.clips.push(found.clip);
    }
    imported.left_out.sort();
    imported.left_out.dedup();
    if let [only] = imported.clips.as_mut_slice() {
        only.name = stem(path);
    }
    Ok(imported)
}

/// The clips with the new ones; one of the same name is replaced.
pub fn joined(clips: &[Arc<Clip>], new: Vec<Clip>) -> Vec<Arc<Clip>> {
    let mut all = clips.to_vec();
    for clip in new.into_iter().map(Arc::new) {
        match all.iter_mut().find(|other| other.name == clip.name) {
            Some(other) => *other = clip,
            None => all.push(clip),
        }
    }
    all
}
