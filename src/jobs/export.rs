//! Writes a character as GLB.

use std::path::PathBuf;

use super::{Job, JobError};
use crate::io::{atomic, gltf};
use crate::kernel::progress::Progress;
use crate::kernel::rig::Character;

/// Write `character` to `path`.
pub struct ExportGlb {
    /// What.
    pub character: Character,
    /// Influences to keep on a vertex; all when `None`.
    pub max_influences: Option<usize>,
    /// Where.
    pub path: PathBuf,
}

impl Job for ExportGlb {
    type Output = ();

    fn title(&self) -> String {
        format!("Writing {}", self.path.display())
    }

    fn run(self, progress: &dyn Progress) -> Result<(), JobError> {
        progress.step(0.0, "Writing");
        if let Some(limit) = self.max_influences {
            let (_, cost) = self.character.weights.pruned(limit);
            if cost.vertices > 0 {
                progress.warn(&format!(
                    "{} vertices kept only their {limit} strongest joints; one lost {:.1} % of its weight.",
                    cost.vertices,
                    100.0 * cost.largest_share
                ));
            }
        }
        let options = gltf::WriteOptions { max_influences: self.max_influences };
        let bytes = gltf::write_glb(&self.character, &options).map_err(JobError::failed)?;
        progress.check()?;
        atomic::write(&self.path, &bytes)
            .map_err(|error| JobError::Failed(format!("{} cannot be written: {error}", self.path.display())))
    }
}
