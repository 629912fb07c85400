//! A skeleton from the shape of a closed mesh alone (Yang et al. 2006, "Curve Skeleton"; the method is
//! Cornea, Silver, Yuan and Balasubramanian 2005, "Computing hierarchical curve-skeletons of 3D objects").
//!
//! The mesh is filled with cells ([`cells`]), its boundary charged ([`field`]), limbs are found ([`limbs`],
//! [`ways`]) and their lines drawn to where the walls push equally ([`curve`]), which makes a tree of curves
//! ([`tree`]), as symmetric as the mesh is ([`symmetry`]). Joints stand at its branches and bends
//! ([`joints`], [`names`]).

mod cells;
mod curve;
mod field;
mod joints;
mod limbs;
mod loops;
mod names;
mod symmetry;
#[cfg(test)]
mod tests;
mod tree;
mod ways;

use rayon::prelude::*;

use self::cells::SolidCells;
use self::curve::Solid;
use self::field::Field;
pub use self::tree::{CurveTree, Limb, Node};
use super::{Skeleton, SkeletonError};
use crate::kernel::geom::mirrors::symmetry::upright_plane;
use crate::kernel::geom::{Mesh, Rays};
use crate::kernel::progress::{Cancelled, Progress};

/// Why a mesh has no curve skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// There is no triangle.
    #[error("the mesh has no triangles, so it has no shape to read a skeleton from")]
    NoTriangles,
    /// There is nothing inside.
    #[error("the mesh encloses no volume; a skeleton from shape needs a closed mesh")]
    NoVolume,
    /// The joints do not make a skeleton after all.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// How finely a shape is read.
#[derive(Debug, Clone, Copy)]
pub struct ShapeOptions {
    /// About how many cells fill the mesh.
    pub cells: usize,
}

impl Default for ShapeOptions {
    fn default() -> Self {
        Self { cells: 40_000 }
    }
}

/// The share of cells that is doubtful in a mesh with large holes.
const DOUBTFUL: f64 = 0.05;

/// A skeleton for a closed mesh: joints at the branches and bends of its curve skeleton, the root at the branch
/// nearest to the centre of mass. In metres, Y up.
pub fn skeleton_from_shape(
    mesh: &Mesh,
    options: &ShapeOptions,
    progress: &dyn Progress,
) -> Result<Skeleton, ShapeError> {
    let read = read(mesh, options, progress)?;
    let solid = Solid { cells: &read.cells, field: &read.field, rays: &read.rays };
    Ok(joints::skeleton(read.tree, &solid)?)
}

/// The curve skeleton of a mesh, in metres.
pub fn curve_skeleton(
    mesh: &Mesh,
    options: &ShapeOptions,
    progress: &dyn Progress,
) -> Result<CurveTree, ShapeError> {
    Ok(read(mesh, options, progress)?.tree)
}

/// What was read from a shape.
struct Read {
    rays: Rays,
    cells: SolidCells,
    field: Field,
    tree: CurveTree,
}

fn read(mesh: &Mesh, options: &ShapeOptions, progress: &dyn Progress) -> Result<Read, ShapeError> {
    let surface = mesh.surface();
    if surface.triangles.is_empty() {
        return Err(ShapeError::NoTriangles);
    }
    progress.step(0.0, "Filling the mesh");
    let rays = Rays::new(surface);
    let cells =
        SolidCells::fill(&rays, surface.bounds(), options.cells, progress)?.ok_or(ShapeError::NoVolume)?;
    progress.step(0.2, "Charging the boundary");
    let field = Field::new(surface, &rays, cells.grid.cell, progress)?;
    if field.is_empty() {
        return Err(ShapeError::NoVolume);
    }
    progress.step(0.35, "Computing the field");
    let room = rooms(&cells, &field, progress)?;
    progress.step(0.6, "Following the field");
    let ways = limbs::find(&cells, &room, surface.diagonal(), progress)?;
    progress.step(0.8, "Drawing the curves");
    let solid = Solid { cells: &cells, field: &field, rays: &rays };
    let mut tree = CurveTree::grow(&ways, &room, &solid, progress)?;
    if let Some(plane) = upright_plane(surface, &rays) {
        symmetry::symmetrise(&mut tree, &plane, &solid);
    }
    warn(&cells, loops::is_cut(&tree, &cells, &room), progress);
    Ok(Read { rays, cells, field, tree })
}

/// The room in each cell.
fn rooms(cells: &SolidCells, field: &Field, progress: &dyn Progress) -> Result<Vec<f64>, Cancelled> {
    let room = |k: usize| (!progress.cancelled()).then(|| field.room(&cells.middle(k)));
    (0..cells.len()).into_par_iter().map(room).collect::<Option<Vec<f64>>>().ok_or(Cancelled)
}

fn warn(cells: &SolidCells, is_cut: bool, progress: &dyn Progress) {
    if cells.doubtful > DOUBTFUL {
        progress.warn(
            "The mesh is not closed, so what is inside is partly a guess; the skeleton may be off its middle.",
        );
    }
    if cells.bridged > 0 {
        progress.warn(&format!(
            "The mesh has {} parts that do not touch; their skeletons are joined across the gaps.",
            cells.bridged + 1
        ));
    }
    if is_cut {
        progress
            .warn("The shape closes on itself, as a ring does; a skeleton is a tree, so it was cut there.");
    }
}
