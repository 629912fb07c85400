//! Updating coordinates after a part of the cage was replaced (Ju et al. 2008, §6: local updates).
//!
//! Positive coordinates depend on what a point sees and on nothing else. When the triangles of one
//! template give way to those of another, the rows that change are those of the points that saw one
//! of the old triangles and of those that see one of the new: [`Prepared::points_that_see`] on the
//! old and on the new cage. [`Prepared::coordinates_of`] gives their new rows, and
//! [`Coordinates::with_rows`] puts them among the old.

use nalgebra::Point3;
use rayon::prelude::*;

use super::prepared::{Place, Prepared, Scratch};
use super::{CoordsError, Kind, check_points};
use crate::kernel::progress::{Cancelled, Progress};

/// Points looked at between two questions whether to stop.
const BATCH: usize = 64;

impl Prepared {
    /// Whether the row of `point` depends on any of the `triangles`: whether it sees one, or is on or
    /// outside of the cage, or the coordinates are signed, which all look at everything.
    pub fn sees(&self, point: &Point3<f64>, triangles: &[u32], scratch: &mut Scratch) -> bool {
        if triangles.is_empty() {
            return false;
        }
        if self.kind() == Kind::Signed || self.look(&self.net.to_unit(point), scratch) != Some(Place::Inside)
        {
            return true;
        }
        scratch.survey.take(self, &scratch.view);
        triangles.iter().any(|&t| self.visible_mean_vector(t as usize, scratch).is_some())
    }

    /// The numbers, rising, of the points whose rows depend on any of the `triangles`.
    pub fn points_that_see(
        &self,
        points: &[Point3<f64>],
        triangles: &[u32],
        progress: &dyn Progress,
    ) -> Result<Vec<u32>, CoordsError> {
        check_points(points)?;
        let count = self.net.triangles.len();
        if let Some(&triangle) = triangles.iter().find(|&&t| t as usize >= count) {
            return Err(CoordsError::NoTriangle { triangle, count });
        }
        let blocks = points
            .par_chunks(BATCH)
            .enumerate()
            .map_init(Scratch::default, |scratch, (block, points)| {
                progress.check()?;
                let start = block * BATCH;
                let sees = |(k, p)| self.sees(p, triangles, scratch).then_some((start + k) as u32);
                Ok(points.iter().enumerate().filter_map(sees).collect::<Vec<u32>>())
            })
            .collect::<Result<Vec<_>, Cancelled>>()?;
        Ok(blocks.concat())
    }
}
