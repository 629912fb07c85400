//! Springs between the pieces of a mesh, so that heat crosses what triangles do not connect.
//!
//! Eyes, buttons and clothes see no bone: each of their points is tied to the nearest place on a
//! piece that does. The tie conducts like a bone would, c A_i / g² over a gap g (Baran and Popović's
//! H with the other surface as source), spread over the corners of the triangle it ends on, so that
//! a thin gap binds tightly and a wide one lets the piece average what is under it. Pieces that see
//! bones of their own are tied only across cracks, border point to border point.

use std::collections::HashMap;

use nalgebra::Point3;
use rayon::prelude::*;

use super::shells::Shells;
use super::sight::{CONDUCTION, Heat};
use crate::kernel::geom::{Rays, Surface};
use crate::kernel::progress::{Cancelled, Progress};

/// The widest crack, in diagonals.
const CRACK: f64 = 2e-3;
/// Across a crack the surface conducts as if it were whole: far better than along a usual edge.
const CRACK_STIFFNESS: f64 = 20.0;
/// The least gap that a tie is computed with, in diagonals.
const LEAST_GAP: f64 = 1e-3;
/// A piece that is warmed over at least this part of its area stands by itself.
const SELF_SUFFICIENT: f64 = 0.5;

/// Springs, and what they did.
#[derive(Debug, Default)]
pub struct Bridges {
    /// Two points and a stiffness each.
    pub springs: Vec<(u32, u32, f64)>,
    /// Pieces tied to the surface under them.
    pub tied_pieces: usize,
    /// Points without a triangle, tied to the nearest surface.
    pub loose_points: usize,
}

/// Finds the springs. `areas` are those of the Laplacian; some point must be warm.
pub fn build(
    surface: &Surface,
    shells: &Shells,
    heat: &[Heat],
    areas: &[f64],
    progress: &dyn Progress,
) -> Result<Bridges, Cancelled> {
    let standing = standing(shells, heat, areas);
    let carrier = Surface {
        points: surface.points.clone(),
        triangles: surface
            .triangles
            .iter()
            .copied()
            .filter(|corners| standing[shells.of_point[corners[0] as usize] as usize])
            .collect(),
        ..Surface::default()
    };
    let is_tied = |i: usize| shells.of_point[i] == Shells::NONE || !standing[shells.of_point[i] as usize];
    let tied: Vec<usize> = (0..surface.points.len()).filter(|&i| is_tied(i)).collect();
    let mut bridges = Bridges {
        tied_pieces: standing.iter().filter(|stands| !**stands).count(),
        loose_points: shells.of_point.iter().filter(|shell| **shell == Shells::NONE).count(),
        springs: Vec::new(),
    };
    if !tied.is_empty() {
        let rays = Rays::new(&carrier);
        let least_gap = LEAST_GAP * surface.diagonal();
        let ties: Vec<Vec<(u32, u32, f64)>> = tied
            .par_iter()
            .with_min_len(64)
            .map(|&i| {
                progress.check()?;
                let Some(nearest) = rays.nearest(&surface.points[i], |_| true) else { return Ok(Vec::new()) };
                let gap = nearest.distance.max(least_gap);
                // A point without area is in one equation only: any stiffness does.
                let stiffness = if areas[i] > 0.0 { CONDUCTION * areas[i] / (gap * gap) } else { 1.0 };
                let corners = carrier.triangles[nearest.triangle];
                Ok(corners
                    .into_iter()
                    .zip(nearest.barycentric)
                    .filter(|(_, share)| *share > 1e-6)
                    .map(|(corner, share)| (i as u32, corner, stiffness * share))
                    .collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        bridges.springs.extend(ties.into_iter().flatten());
    }
    progress.check()?;
    cracks(surface, shells, &mut bridges.springs);
    Ok(bridges)
}

/// Whether each piece is warm enough by itself; the largest warm one always is.
fn standing(shells: &Shells, heat: &[Heat], areas: &[f64]) -> Vec<bool> {
    let mut area = vec![0.0; shells.len()];
    let mut warm = vec![0.0; shells.len()];
    for (i, &shell) in shells.of_point.iter().enumerate() {
        if shell != Shells::NONE {
            area[shell as usize] += areas[i];
            if heat[i].conduction > 0.0 {
                warm[shell as usize] += areas[i];
            }
        }
    }
    let body = (0..shells.len()).filter(|&s| warm[s] > 0.0).max_by(|&a, &b| area[a].total_cmp(&area[b]));
    (0..shells.len())
        .map(|s| Some(s) == body || (warm[s] > 0.0 && warm[s] >= SELF_SUFFICIENT * area[s]))
        .collect()
}

/// Ties border points of different pieces that are within a crack's width, each to its nearest few.
fn cracks(surface: &Surface, shells: &Shells, springs: &mut Vec<(u32, u32, f64)>) {
    if shells.len() < 2 {
        return;
    }
    let width = CRACK * surface.diagonal();
    let cell_of = |p: &Point3<f64>| [p.x, p.y, p.z].map(|x| (x / width).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let border: Vec<u32> =
        (0..surface.points.len() as u32).filter(|&i| shells.on_border[i as usize]).collect();
    for &i in &border {
        cells.entry(cell_of(&surface.points[i as usize])).or_default().push(i);
    }
    let found: Vec<Vec<(u32, u32, f64)>> = border
        .par_iter()
        .map(|&i| {
            let p = surface.points[i as usize];
            let [x, y, z] = cell_of(&p);
            let mut near: Vec<(f64, u32)> = (0..27)
                .filter_map(|n: i64| cells.get(&[x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]))
                .flatten()
                .filter(|&&k| shells.of_point[k as usize] != shells.of_point[i as usize])
                .map(|&k| ((surface.points[k as usize] - p).norm(), k))
                .filter(|(distance, _)| *distance <= width)
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.into_iter().take(4).map(|(_, k)| (i, k, CRACK_STIFFNESS)).collect()
        })
        .collect();
    springs.extend(found.into_iter().flatten());
}
