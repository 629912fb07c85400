//! Updating coordinates after a part of the cage was replaced (Ju et al. 2008, §6: local updates).
//!
//! Positive coordinates depend on what a point sees and on nothing else. When the triangles of one
//! template give way to those of another, the rows that change are those of the points that saw one
//! of the old triangles, which [`super::Dependence`] remembers, and of those that see one of the new:
//! [`Prepared::points_that_see`] on the new cage. [`Prepared::coordinates_of`] gives their new rows, and
//! [`Coordinates::with_rows`] puts them among the old.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::prepared::{Place, Prepared, Scratch};
use super::seen::survey::Cone;
use super::{CoordsError, Kind, check_points, near_each_other};
use crate::kernel::geom::Rays;
use crate::kernel::progress::{Cancelled, Progress};

/// Points looked at between two questions whether to stop.
const BATCH: usize = 64;

impl Prepared {
    /// Whether the row of `point` depends on any of the `triangles`: whether it sees one, or is on or
    /// outside of the cage, or the coordinates are signed, which all look at everything.
    fn sees(&self, rays: &Rays, point: &Point3<f64>, triangles: &[u32], scratch: &mut Scratch) -> bool {
        if triangles.is_empty() {
            return false;
        }
        if self.kind() == Kind::Signed {
            return true;
        }
        let p = self.net.to_unit(point);
        if rays.contains(&Point3::from(p)) && self.all_hidden(&p, triangles, scratch) {
            return false;
        }
        if self.look(&p, scratch) != Some(Place::Inside) {
            return true;
        }
        scratch.survey.take_some(self, &scratch.view, triangles);
        triangles.iter().any(|&t| self.visible_mean_vector(t as usize, scratch).is_some())
    }

    /// Whether each of the `triangles` that faces a point inside is hidden by what hid it from the point
    /// before: most of a limb that is out of sight stays out of sight behind the same wall.
    fn all_hidden(&self, p: &Vector3<f64>, triangles: &[u32], scratch: &Scratch) -> bool {
        triangles.iter().all(|&t| {
            let (t, hider) = (t as usize, scratch.survey.last_hider(t as usize));
            if self.net.above(t, p) > 0.0 {
                return !self.behind.is_in(t);
            }
            hider != t
                && self.net.above(hider, p) < 0.0
                && self.occluders.is_surely_nearer_inside(hider, t)
                && Cone::from(&self.net, hider, p).hides(&Cone::from(&self.net, t, p))
        })
    }

    /// Those of the `wanted` points, rising, whose rows depend on any of the `triangles`.
    pub fn points_that_see(
        &self,
        points: &[Point3<f64>],
        wanted: &[u32],
        triangles: &[u32],
        progress: &dyn Progress,
    ) -> Result<Vec<u32>, CoordsError> {
        check_points(points)?;
        let count = self.net.triangles.len();
        if let Some(&triangle) = triangles.iter().find(|&&t| t as usize >= count) {
            return Err(CoordsError::NoTriangle { triangle, count });
        }
        let corners: Vec<Point3<f64>> = self.net.points.iter().map(|x| Point3::from(*x)).collect();
        let rays = Rays::over(&corners, &self.net.triangles);
        let blocks = near_each_other(points, wanted)
            .par_chunks(BATCH)
            .map_init(Scratch::default, |scratch, order| {
                progress.check()?;
                let numbers = order.iter().map(|k| wanted[*k as usize]);
                Ok(numbers.filter(|i| self.sees(&rays, &points[*i as usize], triangles, scratch)).collect())
            })
            .collect::<Result<Vec<Vec<u32>>, Cancelled>>()?;
        let mut seeing = blocks.concat();
        seeing.sort_unstable();
        Ok(seeing)
    }
}
