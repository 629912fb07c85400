//! How thick the skin is around a point or a bone.
//!
//! The paper takes the shortest distance to the skin (section 5.1), which a single stray vertex or a
//! hole decides. Here rays are cast around and their median taken: the same for a round limb, and
//! steady for all others.

use nalgebra::{Point3, Vector3};

use crate::kernel::geom::Rays;
use crate::kernel::geom::search::chords;
use crate::kernel::math::spherical::perpendicular;

/// Rays around a bone.
const AROUND: usize = 12;

/// Distances to one skin.
pub struct Thickness<'a> {
    rays: &'a Rays,
    /// What is taken where no ray hits.
    fallback: f64,
    reach: f64,
}

impl<'a> Thickness<'a> {
    /// Of the surface behind `rays`.
    pub fn new(rays: &'a Rays) -> Self {
        let (_, extent) = rays.extent();
        Self { rays, fallback: extent * 0.05, reach: extent * 4.0 }
    }

    /// The tree that is asked.
    pub fn rays(&self) -> &Rays {
        self.rays
    }

    /// How far the ray from `origin` along the unit `direction` runs before it leaves the body; gaps
    /// between layers that are small beside the way so far are crossed. `None` where it never does.
    pub fn exit(&self, origin: &Point3<f64>, direction: &Vector3<f64>) -> Option<f64> {
        let chords = chords::chords(self.rays, origin, direction);
        let mut leave: Option<f64> = None;
        for chord in &chords {
            match leave {
                None if chord.enter <= self.fallback * 0.5 || chords.len() == 1 => leave = Some(chord.leave),
                Some(so_far) if chord.enter - so_far < 0.15 * so_far.max(self.fallback * 0.2) => {
                    leave = Some(so_far.max(chord.leave));
                }
                _ => break,
            }
        }
        leave
            .or_else(|| self.rays.first_hit(origin, direction, self.reach).map(|hit| hit.t))
            .filter(|t| t.is_finite() && *t > 0.0)
    }

    /// Median distance around a point, square to `axis`; `None` where hardly any ray hits.
    pub fn around(&self, point: &Point3<f64>, axis: &Vector3<f64>) -> Option<f64> {
        let side = perpendicular(axis);
        let up = axis.cross(&side);
        let directions = (0..AROUND).map(|k| {
            let (s, c) = (k as f64 / AROUND as f64 * std::f64::consts::TAU).sin_cos();
            side * c + up * s
        });
        self.median(point, directions)
    }

    /// Median distance from a point along these directions.
    pub fn median(
        &self,
        point: &Point3<f64>,
        directions: impl IntoIterator<Item = Vector3<f64>>,
    ) -> Option<f64> {
        let mut asked = 0;
        let mut distances: Vec<f64> = directions
            .into_iter()
            .inspect(|_| asked += 1)
            .filter_map(|direction| self.exit(point, &direction))
            .collect();
        distances.sort_by(f64::total_cmp);
        (distances.len() * 3 >= asked).then(|| distances.get(distances.len() / 2).copied()).flatten()
    }

    /// Median distance around a segment, looked at between its ends.
    pub fn along(&self, from: &Point3<f64>, to: &Point3<f64>) -> f64 {
        let axis = (to - from).try_normalize(1e-12).unwrap_or_else(Vector3::x);
        let mut found: Vec<f64> =
            [0.3, 0.5, 0.7].iter().filter_map(|t| self.around(&(from + (to - from) * *t), &axis)).collect();
        found.sort_by(f64::total_cmp);
        found.get(found.len() / 2).copied().unwrap_or(self.fallback)
    }
}
