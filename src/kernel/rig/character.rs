//! A character: mesh, skeleton, weights and clips, each shared so that copies are cheap.

use std::sync::Arc;

use nalgebra::Point3;

use super::{Clip, Skeleton, Weights};
use crate::kernel::geom::Mesh;
use crate::kernel::geom::bounds;
use crate::kernel::math::Affine;

/// Everything that a rigged file holds. A bare mesh has an empty skeleton and no weights;
/// a motion file has an empty mesh.
#[derive(Debug, Clone)]
pub struct Character {
    /// What windows and reports call it.
    pub name: String,
    /// The skin at rest.
    pub mesh: Arc<Mesh>,
    /// The joints at rest.
    pub skeleton: Arc<Skeleton>,
    /// One row per vertex of the mesh.
    pub weights: Arc<Weights>,
    /// The file's motions.
    pub clips: Vec<Arc<Clip>>,
    /// Where it came from.
    pub source: Source,
}

/// How the file's own space relates to ours (metres, Y up).
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The map from our space back to the file's: units and up axis.
    pub file_from_world: Affine,
}

impl Default for Source {
    fn default() -> Self {
        Self { file_from_world: Affine::identity() }
    }
}

impl Character {
    /// A mesh without a skeleton.
    pub fn bare(name: impl Into<String>, mesh: Mesh) -> Self {
        let weights = Weights::none(mesh.vertex_count());
        Self {
            name: name.into(),
            mesh: Arc::new(mesh),
            skeleton: Arc::default(),
            weights: Arc::new(weights),
            clips: Vec::new(),
            source: Source::default(),
        }
    }

    /// A mesh with skeleton and weights; `weights` has one row per vertex.
    pub fn rigged(name: impl Into<String>, mesh: Mesh, skeleton: Skeleton, weights: Weights) -> Self {
        debug_assert_eq!(weights.len(), mesh.vertex_count());
        Self { skeleton: Arc::new(skeleton), weights: Arc::new(weights), ..Self::bare(name, mesh) }
    }

    /// Whether there is a skeleton and at least one vertex that it moves.
    pub fn is_rigged(&self) -> bool {
        !self.skeleton.is_empty() && self.weights.max_influences() > 0
    }

    /// Lower and upper corner of the box around the mesh, or around the joints where there is no mesh.
    pub fn bounds(&self) -> [Point3<f64>; 2] {
        if self.mesh.vertex_count() > 0 {
            return self.mesh.bounds().map(|corner| corner.cast());
        }
        let joints = (0..self.skeleton.len()).flat_map(|j| [self.skeleton.position(j), self.skeleton.tip(j)]);
        bounds(joints).unwrap_or([Point3::origin(); 2])
    }

    /// The clip of that name.
    pub fn clip(&self, name: &str) -> Option<&Arc<Clip>> {
        self.clips.iter().find(|clip| clip.name == name)
    }
}
