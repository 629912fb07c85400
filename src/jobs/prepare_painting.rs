//! Gets a character ready for the brush: how its surface hangs together, and what lies opposite of what.

use std::sync::Arc;

use super::{Job, JobError};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::geom::{Mesh, VertexMirror};
use crate::kernel::progress::Progress;
use crate::kernel::rig::{JointMirror, Skeleton};
use crate::kernel::weights::brush::{PaintMap, PaintMirror};

/// What painting needs to know of a character.
#[derive(Debug)]
pub struct Canvas {
    mesh: Arc<Mesh>,
    skeleton: Arc<Skeleton>,
    /// The surface that the brush walks over.
    pub map: Arc<PaintMap>,
    /// Which points and joints lie opposite of each other.
    pub mirror: PaintMirror,
}

impl Canvas {
    /// Works it out.
    pub fn of(mesh: Arc<Mesh>, skeleton: Arc<Skeleton>) -> Self {
        let joints = JointMirror::of(&skeleton);
        let points = VertexMirror::of(mesh.surface(), &joints.plane);
        let mirror = PaintMirror { points: Arc::new(points), joints: Arc::new(joints) };
        Self { map: Arc::new(PaintMap::of(&mesh)), mesh, skeleton, mirror }
    }

    /// Whether it was made for these.
    pub fn fits(&self, mesh: &Arc<Mesh>, skeleton: &Arc<Skeleton>) -> bool {
        Arc::ptr_eq(&self.mesh, mesh) && Arc::ptr_eq(&self.skeleton, skeleton)
    }

    /// The vertex opposite of vertex `i`.
    pub fn opposite(&self, i: usize) -> Option<usize> {
        let surface = self.mesh.surface();
        let p = *surface.point_of_vertex.get(i)? as usize;
        Some(surface.vertex_of_point[self.mirror.points.partner(p)?] as usize)
    }
}

/// Prepare `mesh` and `skeleton` for painting.
pub struct PrepareCanvas {
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// The skeleton.
    pub skeleton: Arc<Skeleton>,
}

impl Job for PrepareCanvas {
    type Output = Canvas;

    fn title(&self) -> String {
        "Preparing the brush".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Canvas, JobError> {
        progress.step(0.0, "Walking over the surface");
        Ok(unless_cancelled(progress, move || Canvas::of(self.mesh, self.skeleton))?)
    }
}
