//! Cage coordinates: points as weighted means of the vertices of a closed triangle cage.
//!
//! `p = Σ_c w_c(p) v_c` with `Σ_c w_c(p) = 1`; when the cage moves, the points follow with the same
//! weights. Two kinds:
//! - *positive* mean value coordinates (Lipman, Kopf, Cohen-Or and Levin, "GPU-assisted Positive Mean
//!   Value Coordinates for Mesh Deformations", 2007), which Ju et al. 2008 (§5) use for their skinning
//!   templates: only what a point sees pulls it, so no weight is negative and one leg does not follow
//!   the other. The paper rasterises what is seen on a GPU; here the seen parts are cut out exactly,
//!   without sampling (`visible.rs`).
//! - *signed* mean value coordinates (Ju, Schaefer and Warren, "Mean Value Coordinates for Closed
//!   Triangular Meshes", 2005), which look through the cage.
//!
//! Points outside of the cage get the signed kind (`prepared.rs` says how) and are listed.
//! Same bits on any number of threads: every row is computed by itself.

mod cage;
mod dependence;
mod local;
mod prepared;
mod seen;
mod sparse;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::Point3;
use rayon::prelude::*;

pub use cage::Cage;
pub use dependence::Dependence;
pub use prepared::{Place, Prepared, Row, Scratch};
pub use sparse::{Coordinates, Entry};

use super::progress::{Cancelled, Progress};
use crate::kernel::geom::search::morton::morton_codes;

/// Points whose rows are kept together.
const BLOCK: usize = 256;
/// Points between two questions whether to stop.
const PATIENCE: usize = 8;

/// A kind of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Positive mean value coordinates: what a point sees.
    #[default]
    Positive,
    /// Mean value coordinates: all of the cage, weights of either sign.
    Signed,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Positive, Self::Signed];

    /// What the command line calls it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Positive => "pmvc",
            Self::Signed => "mvc",
        }
    }
}

/// Coordinates of many points.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A row for each point.
    pub coordinates: Coordinates,
    /// The points outside of the cage, rising.
    pub outside: Vec<u32>,
    /// What each row depends on.
    pub dependence: Dependence,
}

/// Why there are no coordinates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoordsError {
    /// No triangle, or all in one place.
    #[error("the cage has no triangles, or all of them lie in one place")]
    Empty,
    /// NaN or infinite.
    #[error("the position of {what} {index} is not a number")]
    NotFinite {
        /// A cage vertex or a point.
        what: &'static str,
        /// The first such.
        index: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} of the cage names vertex {vertex}, but there are only {count}")]
    Index {
        /// The first such triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// There is no such triangle.
    #[error("there is no triangle {triangle}; the cage has {count}")]
    NoTriangle {
        /// The one asked for.
        triangle: u32,
        /// How many there are.
        count: usize,
    },
    /// The cage has holes.
    #[error("the cage is not closed: {edges} edges are open; fill its holes or merge its doubled vertices")]
    Open {
        /// Edges with an odd number of triangles.
        edges: usize,
    },
    /// The cage has no inside.
    #[error("the cage has no inside and outside: at {edges} edges its triangles wind alike")]
    OneSided {
        /// Edges whose triangles run along them unevenly.
        edges: usize,
    },
    /// Too many triangles.
    #[error(
        "the cage has {triangles} triangles, and positive coordinates take {most} at most; use a coarser cage"
    )]
    TooFine {
        /// How many it has.
        triangles: usize,
        /// How many it may have.
        most: usize,
    },
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The coordinates of `points` in `cage`.
pub fn coordinates(
    cage: &Cage,
    points: &[Point3<f64>],
    kind: Kind,
    progress: &dyn Progress,
) -> Result<Answer, CoordsError> {
    progress.step(0.0, "Looking at the cage");
    Prepared::new(cage, kind, progress)?.coordinates(points, progress)
}

impl Prepared {
    /// The coordinates of `points`.
    pub fn coordinates(
        &self,
        points: &[Point3<f64>],
        progress: &dyn Progress,
    ) -> Result<Answer, CoordsError> {
        let all: Vec<u32> = (0..points.len() as u32).collect();
        self.coordinates_of(points, &all, progress)
    }

    /// The coordinates of those `points` that `wanted` names, which must be there: a row for each in
    /// its order. `outside` names points like `wanted`.
    pub fn coordinates_of(
        &self,
        points: &[Point3<f64>],
        wanted: &[u32],
        progress: &dyn Progress,
    ) -> Result<Answer, CoordsError> {
        check_points(points)?;
        let order = near_each_other(points, wanted);
        let done = AtomicUsize::new(0);
        let blocks = order
            .par_chunks(BLOCK)
            .map_init(Scratch::default, |scratch, order| {
                let mut rows = Coordinates::new(self.cage_vertices());
                let mut dependence = Dependence::new(self.net.triangles.len());
                let mut places = Vec::with_capacity(order.len());
                for (n, &k) in order.iter().enumerate() {
                    if n % PATIENCE == 0 {
                        progress.check()?;
                    }
                    let row = self.row(&points[wanted[k as usize] as usize], scratch);
                    rows.push_dense(row.weights);
                    dependence.push(row.seen);
                    places.push(row.place);
                }
                let before = done.fetch_add(order.len(), Ordering::Relaxed);
                progress.step(before as f32 / wanted.len() as f32, "Weighing the cage");
                Ok((rows, dependence, places))
            })
            .collect::<Result<Vec<(Coordinates, Dependence, Vec<Place>)>, Cancelled>>()?;
        let mut found_at = vec![0_usize; wanted.len()];
        order.iter().enumerate().for_each(|(n, k)| found_at[*k as usize] = n);
        let mut answer = Answer {
            coordinates: Coordinates::new(self.cage_vertices()),
            outside: Vec::new(),
            dependence: Dependence::new(self.net.triangles.len()),
        };
        for (n, &i) in found_at.iter().zip(wanted) {
            let (rows, dependence, places) = &blocks[n / BLOCK];
            answer.coordinates.push_row_of(rows, n % BLOCK);
            answer.dependence.push(dependence.row(n % BLOCK));
            if places[n % BLOCK] == Place::Outside {
                answer.outside.push(i);
            }
        }
        Ok(answer)
    }
}

/// The numbers of the `wanted` points in an order of neighbours: they see much the same, so that what
/// is known from one helps with the next.
fn near_each_other(points: &[Point3<f64>], wanted: &[u32]) -> Vec<u32> {
    let codes = morton_codes(wanted.iter().map(|i| points[*i as usize].cast()));
    let mut order: Vec<u32> = (0..wanted.len() as u32).collect();
    order.sort_by_key(|k| codes[*k as usize]);
    order
}

fn check_points(points: &[Point3<f64>]) -> Result<(), CoordsError> {
    match points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(index) => Err(CoordsError::NotFinite { what: "point", index }),
        None => Ok(()),
    }
}
