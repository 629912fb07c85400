//! Cage coordinates of a mesh, in the vertex orders of both files.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::{Job, JobError};
use crate::kernel::coords::{self, Answer, Cage, Coordinates, CoordsError, Kind};
use crate::kernel::geom::Mesh;
use crate::kernel::progress::Progress;

/// Weigh the vertices of `mesh` by those of `cage`, which must be in the same space.
pub struct CageCoordinates {
    /// Whose file vertices get a row each.
    pub mesh: Arc<Mesh>,
    /// Whose file vertices are the columns.
    pub cage: Arc<Mesh>,
    /// Which coordinates.
    pub kind: Kind,
}

/// Coordinates and how good they are.
#[derive(Debug)]
pub struct SkinCoordinates {
    /// A row for each file vertex of the mesh over the file vertices of the cage.
    pub coordinates: Coordinates,
    /// How many vertices of the mesh are outside of the cage.
    pub outside: usize,
    /// How many weights are negative.
    pub negative: usize,
    /// The farthest that a row misses its vertex, in diagonals of the cage.
    pub max_error: f64,
}

impl Job for CageCoordinates {
    type Output = SkinCoordinates;

    fn title(&self) -> String {
        "Weighing the cage".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<SkinCoordinates, JobError> {
        let Self { mesh, cage, kind } = self;
        let count = mesh.file_vertex_count();
        if count == 0 {
            return Err(JobError::Failed("there is no mesh to weigh by the cage".into()));
        }
        let surface = cage.surface();
        let columns = cage.file_vertex_count();
        let merged = columns - surface.points.len();
        if merged > 0 {
            progress.warn(&format!(
                "{merged} vertices of the cage lie where others do; the first of each place takes all the weight."
            ));
        }
        let points: Vec<Point3<f64>> = mesh.positions[..count].iter().map(|p| p.cast()).collect();
        let welded = Cage { positions: surface.points.clone(), triangles: surface.triangles.clone() };
        let Answer { coordinates, outside, .. } = coords::coordinates(&welded, &points, kind, progress)?;
        if !outside.is_empty() {
            progress.warn(&format!(
                "{} of {count} vertices are outside of the cage and may have negative weights; enlarge the cage there.",
                outside.len()
            ));
        }
        let diagonal = surface.diagonal();
        let miss = |(p, row): (&Point3<f64>, &[coords::Entry])| {
            let share = |entry: &coords::Entry| {
                (welded.positions[entry.vertex as usize] - p) * f64::from(entry.weight)
            };
            row.iter().map(share).sum::<Vector3<f64>>().norm() / diagonal
        };
        let max_error = points.iter().zip(coordinates.rows()).map(miss).fold(0.0, f64::max);
        let negative = coordinates.entries().iter().filter(|entry| entry.weight < 0.0).count();
        let coordinates = coordinates.renamed(&surface.vertex_of_point, columns);
        Ok(SkinCoordinates { coordinates, outside: outside.len(), negative, max_error })
    }
}

impl From<CoordsError> for JobError {
    fn from(error: CoordsError) -> Self {
        match error {
            CoordsError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::failed(other),
        }
    }
}
