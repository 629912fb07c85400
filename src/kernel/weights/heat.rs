//! Weights by heat diffusion (Baran and Popović 2007, "Automatic rigging and animation of 3D
//! characters", §4).
//!
//! Each bone is held at temperature one in turn, the others at zero, and the surface's equilibrium
//! is the weight: (−Δ + H) w_j = H p_j, with H_ii the heat that point i receives from the nearest
//! bones it sees and p_j(i) the share of joint j in it. Multiplied by the lumped areas A this is
//! (L + A H) w_j = A H p_j, symmetric and positive definite: one factorisation serves all joints,
//! and the rows sum to one by themselves. No length appears undivided, so the answer does not
//! depend on the mesh's scale. The matrix keeps the maximum principle (see
//! [`Laplacian`](crate::kernel::geom::Laplacian)), so weights stay in 0..=1.
//!
//! What the paper leaves open: pieces that see no bone are tied to those that do (`bridges`), a
//! mesh from which no point sees a bone takes its nearest bones unseen, and a mesh without triangles
//! falls back to inverse distances.

use rayon::prelude::*;

use super::{Row, WeightsError, bridges, distance, limit, shells::Shells, sight};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::geom::{Laplacian, Rays, Surface};
use crate::kernel::info::Info;
use crate::kernel::math::sparse::{Cholesky, SparseError, SymmetricMatrix};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::Bone;

pub(super) const INFO: Info = Info {
    id: "heat",
    label: "Heat",
    explanation: "Bones warm the skin that they see, and the warmth spreads along the surface",
    paper: "Baran and Popović 2007",
};

/// Joints that are solved for at a time: bounds the memory, and is when cancelling is noticed.
const JOINTS_AT_A_TIME: usize = 16;
/// Shares below this are not even collected.
const TAIL: f64 = 1e-6;

/// One row per point, at most `influences` joints each.
pub(super) fn rows(
    surface: &Surface,
    bones: &[Bone],
    influences: usize,
    progress: &dyn Progress,
) -> Result<Vec<Row>, WeightsError> {
    if surface.triangles.is_empty() {
        progress.warn("The mesh has no triangles for heat to spread on: weights by distance instead.");
        return Ok(distance::rows(&surface.points, bones, influences, progress)?);
    }
    progress.step(0.0, "Reading the mesh");
    let copy = surface.clone();
    let (laplacian, (shells, rays)) = unless_cancelled(progress, move || {
        rayon::join(|| Laplacian::new(&copy), || rayon::join(|| Shells::of(&copy), || Rays::new(&copy)))
    })?;
    progress.step(0.1, "Looking from the skin to the bones");
    let mut heat = sight::look(surface, &shells, &rays, bones, progress)?;
    if heat.iter().all(|heat| heat.conduction == 0.0) {
        progress.warn("No vertex sees a bone through the inside of the mesh: each takes its nearest bone.");
        let diagonal = surface.diagonal();
        heat = surface.points.par_iter().map(|p| sight::nearest(p, bones, diagonal)).collect();
    }
    progress.step(0.3, "Bridging the pieces");
    let areas = safe_areas(&laplacian.areas, surface.diagonal());
    let bridges = bridges::build(surface, &shells, &heat, &areas, progress)?;
    report(&bridges, &shells, progress);

    progress.step(0.4, "Factoring the heat equation");
    let mut matrix = SymmetricMatrix::zeros(surface.points.len());
    for &([i, k], weight) in &laplacian.edges {
        matrix.add_spring(i as usize, k as usize, weight);
    }
    for &(i, k, stiffness) in &bridges.springs {
        matrix.add_spring(i as usize, k as usize, stiffness);
    }
    let received: Vec<f64> = heat.iter().zip(&areas).map(|(heat, area)| heat.conduction * area).collect();
    for (i, &received) in received.iter().enumerate() {
        matrix.add(i, i, received);
    }
    let solved = Cholesky::factor(matrix, progress)
        .and_then(|factor| spread(&factor, &heat, &received, &Span::new(progress, 0.6, 0.98)));
    let mut rows = match solved {
        Ok(rows) => rows,
        Err(SparseError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(error) => {
            progress.warn(&format!("Heat could not be solved ({error}): weights by distance instead."));
            return Ok(distance::rows(&surface.points, bones, influences, progress)?);
        }
    };
    progress.check()?;
    let lost: usize = rows
        .par_iter_mut()
        .enumerate()
        .map(|(i, row)| {
            limit::limit(row, influences);
            let empty = row.is_empty();
            if empty {
                *row = distance::row(&surface.points[i], bones, influences);
            }
            usize::from(empty)
        })
        .sum();
    if lost > 0 {
        progress.warn(&format!("{lost} vertices received no heat and are weighted by distance."));
    }
    Ok(rows)
}

/// Solves for every joint that warms some point, and collects the shares of each point.
fn spread(
    factor: &Cholesky,
    heat: &[sight::Heat],
    received: &[f64],
    progress: &dyn Progress,
) -> Result<Vec<Row>, SparseError> {
    let mut joints: Vec<usize> = heat.iter().flat_map(|heat| heat.joints.iter().copied()).collect();
    joints.sort_unstable();
    joints.dedup();
    let mut rows: Vec<Row> = vec![Vec::new(); heat.len()];
    for (batch, chunk) in joints.chunks(JOINTS_AT_A_TIME).enumerate() {
        progress.step((batch * JOINTS_AT_A_TIME) as f32 / joints.len() as f32, "Spreading heat");
        progress.check()?;
        let mut columns = vec![vec![0.0; heat.len()]; chunk.len()];
        for (i, heat) in heat.iter().enumerate() {
            for j in &heat.joints {
                if let Ok(k) = chunk.binary_search(j) {
                    columns[k][i] = received[i] / heat.joints.len() as f64;
                }
            }
        }
        factor.solve_columns(&mut columns, progress)?;
        rows.par_iter_mut().enumerate().for_each(|(i, row)| {
            row.extend(
                chunk.iter().zip(&columns).map(|(&j, column)| (j, column[i])).filter(|(_, w)| *w > TAIL),
            );
        });
    }
    Ok(rows)
}

/// Areas with a floor, so that every triangle point, however small its triangles, can take heat.
fn safe_areas(areas: &[f64], diagonal: f64) -> Vec<f64> {
    let floor = 1e-12 * diagonal * diagonal;
    areas.iter().map(|&area| if area > 0.0 { area.max(floor) } else { 0.0 }).collect()
}

fn report(bridges: &bridges::Bridges, shells: &Shells, progress: &dyn Progress) {
    if bridges.tied_pieces > 0 {
        progress.warn(&format!(
            "{} of {} pieces see no bone and follow the surface under them.",
            bridges.tied_pieces,
            shells.len()
        ));
    }
    if bridges.loose_points > 0 {
        progress.warn(&format!(
            "{} vertices belong to no triangle and follow the nearest surface.",
            bridges.loose_points
        ));
    }
}
