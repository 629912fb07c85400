//! glTF 2.0 in and out: `.gltf`, `.glb` and `.vrm`.
//!
//! Reading keeps the order of the file's vertices: depth first over the nodes of the shown scene, the
//! primitives of a mesh in order, each in the order of its POSITION accessor; a mesh shown by two nodes
//! appears twice. A file with a defect is never read in silence: it is refused with one sentence, or,
//! where its meaning is plain all the same, read with a warning.

mod accessor;
mod assemble;
mod attributes;
mod bind;
mod build;
mod check;
mod clips;
mod container;
mod document;
mod fault;
mod keys;
mod materials;
mod primitive;
mod properties;
mod rest;
mod scene;
mod schema;
mod skin;
#[cfg(test)]
mod tests;
mod uri;
mod usage;
mod write;

use std::path::Path;

use fault::{Checked, Warnings};
pub use write::{WriteError, WriteOptions, write_glb};

use crate::io::{Raw, ReadError, UpAxis, stem};
use crate::kernel::rig::Character;

/// What the writer calls the end of a leaf's bone in the node's `extras`: glTF itself has no place for it.
const TIP: &str = "sinew_tip";

/// Reads a character. `path` names it and says where the files that it refers to lie.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut warnings = Warnings::default();
    let character = read_character(path, bytes, &mut warnings).map_err(|fault| fault.at(path))?;
    Ok(Raw { character, up: Some(UpAxis::Y), metres_per_unit: None, warnings: warnings.into_sentences() })
}

fn read_character(path: &Path, bytes: &[u8], warnings: &mut Warnings) -> Checked<Character> {
    let document = document::load(path, bytes, warnings)?;
    check::structure(&document, warnings)?;
    let scene = scene::Scene::new(&document.root, warnings)?;
    usage::check(&document.root, &scene, warnings)?;
    let meshes = primitive::read_all(&document, warnings)?;
    let skins = skin::read_all(&document, warnings)?;
    let character = assemble::character(stem(path), &document, &scene, &meshes, &skins, warnings)?;
    match warnings.first_defect() {
        // A defect in a file that shows nothing is most likely why it shows nothing.
        Some(defect) if character.mesh.vertex_count() == 0 && character.skeleton.is_empty() => {
            fault::broken(defect)
        }
        _ => Ok(character),
    }
}
