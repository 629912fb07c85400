//! Automatic weights for a mesh and a skeleton.
//!
//! [`bind`] solves on the welded [`Surface`](crate::kernel::geom::Surface) and spreads the rows to
//! the mesh's vertices, so that copies made for drawing move together. Every vertex gets a row:
//! finite, positive, summing to one. Adding a kind: its file here and its line in [`Kind::ALL`].

mod bridges;
pub mod brush;
mod distance;
mod heat;
mod limit;
mod shells;
mod sight;
#[cfg(test)]
mod tests;

use super::geom::Mesh;
use super::info::Info;
use super::progress::{Cancelled, Progress};
use super::rig::{Bone, Skeleton, Weights};

/// A way to compute weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Heat from the bones, spread over the surface.
    #[default]
    Heat,
    /// Inverse distance to the bones.
    Distance,
}

impl Kind {
    /// All kinds, in the order of menus.
    pub const ALL: [Self; 2] = [Self::Heat, Self::Distance];

    /// Names and explanation.
    pub fn info(self) -> Info {
        match self {
            Self::Heat => heat::INFO,
            Self::Distance => distance::INFO,
        }
    }

    /// The kind that `--bind` calls `id`.
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.info().id == id)
    }
}

/// What may be chosen for every kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The most joints that may move one vertex; `None` keeps all. Four by default: what the first
    /// set of a glTF skin holds and every engine plays.
    pub influences: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self { influences: Some(4) }
    }
}

/// Why there are no weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// There is no vertex.
    #[error("there is no mesh to weight")]
    NoMesh,
    /// There is no joint.
    #[error("there is no skeleton to weight the mesh to; place tags first")]
    NoSkeleton,
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The influences of one point before they are limited: joints and shares.
type Row = Vec<(usize, f64)>;

/// Weights with the default [`Options`]: one row per vertex of the mesh, none empty.
pub fn bind(
    kind: Kind,
    mesh: &Mesh,
    skeleton: &Skeleton,
    progress: &dyn Progress,
) -> Result<Weights, WeightsError> {
    bind_with(kind, mesh, skeleton, Options::default(), progress)
}

/// Weights with chosen options: one row per vertex of the mesh, none empty.
pub fn bind_with(
    kind: Kind,
    mesh: &Mesh,
    skeleton: &Skeleton,
    options: Options,
    progress: &dyn Progress,
) -> Result<Weights, WeightsError> {
    if mesh.vertex_count() == 0 {
        return Err(WeightsError::NoMesh);
    }
    if skeleton.is_empty() {
        return Err(WeightsError::NoSkeleton);
    }
    progress.check()?;
    let surface = mesh.surface();
    let bones = usable_bones(skeleton);
    let influences = options.influences.unwrap_or(usize::MAX).max(1);
    let rows = match kind {
        Kind::Heat => heat::rows(surface, &bones, influences, progress)?,
        Kind::Distance => distance::rows(&surface.points, &bones, influences, progress)?,
    };
    let per_point = Weights::from_rows(rows);
    warn_of_idle_joints(&per_point, skeleton, &bones, progress);
    progress.step(1.0, "Weights done");
    Ok(per_point.gathered(surface.point_of_vertex.iter().map(|&p| p as usize)))
}

/// The bones with a length; where none has any, all of them, as points.
fn usable_bones(skeleton: &Skeleton) -> Vec<Bone> {
    let all = skeleton.bones();
    let longest = all.iter().map(Bone::length).fold(0.0, f64::max);
    let long: Vec<Bone> = all.iter().copied().filter(|bone| bone.length() > 1e-9 * longest).collect();
    if long.is_empty() { all } else { long }
}

fn warn_of_idle_joints(weights: &Weights, skeleton: &Skeleton, bones: &[Bone], progress: &dyn Progress) {
    let mut used = vec![false; skeleton.len()];
    for influence in weights.rows().flatten() {
        used[usize::from(influence.joint)] = true;
    }
    let mut idle: Vec<usize> = bones.iter().map(|bone| bone.joint).filter(|&j| !used[j]).collect();
    idle.dedup();
    if let Some(&first) = idle.first() {
        let name = &skeleton.joints()[first].name;
        progress.warn(&match idle.len() {
            1 => format!("The joint “{name}” moves no vertex."),
            count => format!("{count} joints move no vertex, among them “{name}”."),
        });
    }
}
