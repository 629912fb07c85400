//! A swapped template brings its own shape: where that would let the skin out at rest, its vertices
//! are moved out a little further, once, so that every compatible template encloses the skin.

use nalgebra::Point3;

use super::{FitOptions, grow};
use crate::kernel::geom::Surface;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::skin::methods::cage::pieces::{Frame, Piece, Spoke, Spot};

/// Swells the changed pieces until the skin is inside; whether anything had to move.
pub fn cover(
    frame: &Frame,
    pieces: &mut [Piece],
    changed: &[usize],
    rest: &[Point3<f64>],
    triangles: &[[u32; 3]],
    skin: &Surface,
    progress: &dyn Progress,
) -> Result<bool, Cancelled> {
    let mut spokes: Vec<Spoke> = pieces
        .iter()
        .flat_map(|piece| piece.range().map(|v| spoke_to(frame, piece.spot, &rest[v])).collect::<Vec<_>>())
        .collect();
    let before: Vec<f64> = spokes.iter().map(|spoke| spoke.distance).collect();
    let mut may_grow = vec![false; spokes.len()];
    changed.iter().flat_map(|k| pieces[*k].range()).for_each(|v| may_grow[v] = true);
    let options = FitOptions { clearance: 0.08, ..FitOptions::default() };
    grow::grow_some(frame, pieces, &mut spokes, &may_grow, triangles, &skin.points, &options, progress)?;
    let mut moved = false;
    for k in changed {
        for (vertex, v) in pieces[*k].range().enumerate() {
            if spokes[v].distance > before[v] {
                pieces[*k].swell(vertex, spokes[v].distance / before[v].max(1e-12));
                moved = true;
            }
        }
    }
    Ok(moved)
}

/// The ray that leads from a spot to a point.
pub fn spoke_to(frame: &Frame, spot: Spot, point: &Point3<f64>) -> Spoke {
    let origin = match spot {
        Spot::Site(site) => frame.layout.sites[site].center,
        Spot::Link(link) => {
            let at = &frame.layout.links[link];
            at.near.point + at.direction() * (point - at.near.point).dot(&at.direction())
        }
    };
    let out = point - origin;
    let distance = out.norm();
    Spoke {
        origin,
        direction: if distance > 0.0 { out / distance } else { nalgebra::Vector3::x() },
        distance,
    }
}
