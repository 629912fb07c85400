//! The first distance of every cage vertex: along its ray to where the body ends, and a clearance.

use nalgebra::Point3;

use super::FitOptions;
use crate::kernel::skin::methods::cage::layout::Thickness;
use crate::kernel::skin::methods::cage::pieces::{Frame, Piece, Spoke, Spot};

/// How far beyond the thickness of its site or link a ray is believed: beyond that it has run into
/// another part of the body. By the number of bones of a site; caps and branches are not round.
fn most_reach(bones: usize) -> f64 {
    match bones {
        1 => 4.0,
        2 => 1.9,
        _ => 2.6,
    }
}
/// The least distance of a vertex, in thicknesses.
const LEAST_REACH: f64 = 0.5;
/// How far beyond a link's thickness a ray is believed.
const MOST_AT_LINK: f64 = 1.8;
/// A clearance takes at most this share of the gap to the next part of the body.
const SHARE_OF_GAP: f64 = 0.4;

/// Every vertex of every piece, at its distance.
pub(super) fn spokes(
    frame: &Frame,
    pieces: &[Piece],
    thickness: &Thickness,
    options: &FitOptions,
) -> Vec<Spoke> {
    let mut all = Vec::new();
    for piece in pieces {
        let (unit, most) = match piece.spot {
            Spot::Site(site) => {
                let at = &frame.layout.sites[site];
                (at.thickness, most_reach(at.links.len()))
            }
            Spot::Link(link) => (frame.layout.links[link].thickness, MOST_AT_LINK),
        };
        all.extend(piece.spokes(frame).into_iter().map(|spoke| {
            let exit = thickness.exit(&spoke.origin, &spoke.direction).unwrap_or(unit);
            let skin = exit.clamp(LEAST_REACH * unit, most * unit);
            let room = gap(thickness, &spoke, exit).map_or(f64::INFINITY, |gap| SHARE_OF_GAP * gap);
            Spoke { distance: skin + (options.clearance * unit).min(room.max(0.05 * unit)), ..spoke }
        }));
    }
    all
}

/// How far beyond its exit a ray enters the body again.
fn gap(thickness: &Thickness, spoke: &Spoke, exit: f64) -> Option<f64> {
    let beyond: Point3<f64> = spoke.origin + spoke.direction * (exit * (1.0 + 1e-6) + 1e-9);
    let (_, extent) = thickness.rays().extent();
    thickness.rays().first_hit(&beyond, &spoke.direction, extent).map(|hit| hit.t)
}
