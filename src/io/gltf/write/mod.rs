//! A character written as one GLB: mesh, skin, clips and textures, in metres and Y up.
//!
//! Parts of equal name that follow each other become the primitives of one mesh, each mesh a node of its
//! own, so that reading the file gives the same parts in the same order. Joints rest where they are bound.

mod clips;
mod look;
mod mesh;
mod pack;
mod rig;

use gltf_json as json;

use crate::kernel::rig::Character;
use pack::Packer;

/// What can be chosen about a written file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The most joints that may move a vertex; `None` keeps all.
    pub max_influences: Option<usize>,
}

/// Why a character cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The size fields of a GLB have 32 bits.
    #[error(
        "the character needs {bytes} bytes, but a GLB holds at most 4 GiB; write fewer clips or a coarser mesh"
    )]
    TooLarge {
        /// How many.
        bytes: usize,
    },
    /// No influence at all would be left.
    #[error("at least one influence per vertex must be kept")]
    NoInfluences,
    /// Nothing sensible would be read back.
    #[error("the character has numbers that a glTF file cannot hold; it may be far too large or broken")]
    NotFinite,
    /// The document could not be put into words.
    #[error("the glTF document could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// The character as the bytes of a GLB.
pub fn write_glb(character: &Character, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    if options.max_influences == Some(0) {
        return Err(WriteError::NoInfluences);
    }
    let weights = match options.max_influences {
        Some(limit) if character.weights.max_influences() > limit => &character.weights.pruned(limit).0,
        _ => &*character.weights,
    };
    let mut pack = Packer::default();
    let materials = look::write(&character.mesh, &mut pack);
    let plan = rig::Plan::new(character, weights);
    // Meshes first: readers then see the vertices before anything else of the scene.
    let mut shown = mesh::write(&character.mesh, weights, &plan, &materials, &mut pack);
    if let Some(written) = rig::write(&character.skeleton, &plan, &mut pack) {
        shown.push(written.root);
        clips::write(character, &written, &mut pack);
    }
    if !shown.is_empty() {
        let scene = json::Scene {
            extensions: None,
            extras: Default::default(),
            name: Some(character.name.clone()).filter(|name| !name.is_empty()),
            nodes: shown,
        };
        pack.root.scene = Some(pack.root.push(scene));
    }
    pack.into_glb()
}
