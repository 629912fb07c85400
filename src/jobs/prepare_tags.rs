//! Gets a mesh ready for tags: a search tree for rays, its plane of symmetry, and a first layout.

use std::sync::Arc;

use super::{Job, JobError};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::geom::mirrors::symmetry;
use crate::kernel::geom::{Mesh, Plane, Rays};
use crate::kernel::progress::Progress;
use crate::kernel::rig::Tags;
use crate::kernel::rig::tag_layout;

/// What dragging tags over a mesh needs to know of it.
#[derive(Debug)]
pub struct Probe {
    /// The mesh; the same `Arc` means the same mesh.
    pub mesh: Arc<Mesh>,
    /// Rays through its rest surface.
    pub rays: Rays,
    /// What it mirrors at; `None` where it is not symmetric.
    pub plane: Option<Plane>,
}

impl Probe {
    /// Works it all out; 8 ms for 15 thousand triangles, and slower than a frame for a large scan.
    pub fn of(mesh: Arc<Mesh>) -> Self {
        let rays = Rays::new(mesh.surface());
        let plane = symmetry::upright_plane(mesh.surface(), &rays);
        Self { mesh, rays, plane }
    }
}

/// Probe `mesh`, and lay tags out over it where asked to.
pub struct ProbeMesh {
    /// The mesh at rest.
    pub mesh: Arc<Mesh>,
    /// What is known of it already.
    pub known: Option<Arc<Probe>>,
    /// Whether tags are wanted.
    pub lay_out: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct Probed {
    /// What dragging needs.
    pub probe: Arc<Probe>,
    /// A first layout, where it was asked for.
    pub tags: Option<Tags>,
}

impl Job for ProbeMesh {
    type Output = Probed;

    fn title(&self) -> String {
        if self.lay_out { "Laying out tags".into() } else { "Preparing the mesh for tags".into() }
    }

    fn run(self, progress: &dyn Progress) -> Result<Probed, JobError> {
        progress.step(0.0, "Looking through the mesh");
        let known = self.known.filter(|probe| Arc::ptr_eq(&probe.mesh, &self.mesh));
        let mesh = Arc::clone(&self.mesh);
        let probe = match known {
            Some(probe) => probe,
            None => Arc::new(unless_cancelled(progress, move || Probe::of(mesh))?),
        };
        progress.step(0.5, "Finding the joints");
        let tags = match self.lay_out {
            true => Some(unless_cancelled(progress, move || tag_layout::lay_out(&self.mesh))?),
            false => None,
        };
        Ok(Probed { probe, tags })
    }
}
