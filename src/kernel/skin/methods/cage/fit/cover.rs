//! A swapped template brings its own shape: where that would let the skin out at rest, its vertices
//! are moved out a little further, once, so that every compatible template encloses the skin.

use nalgebra::Point3;
use rayon::prelude::*;

use super::{FitOptions, grow};
use crate::kernel::geom::Surface;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::skin::methods::cage::layout::scaffold::Scaffold;
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spoke, Spot};

/// Moves the vertices of the changed pieces out until the skin of their limbs is inside; whether any had
/// to move.
pub fn cover(
    scaffold: &Scaffold,
    pieces: &[Piece],
    changed: &[usize],
    rest: &mut [Point3<f64>],
    triangles: &[[u32; 3]],
    skin: &Surface,
    progress: &dyn Progress,
) -> Result<bool, Cancelled> {
    if changed.is_empty() {
        return Ok(false);
    }
    let mut spokes: Vec<Spoke> = pieces
        .iter()
        .flat_map(|piece| piece.range().map(|v| spoke_to(scaffold, piece.spot, &rest[v])).collect::<Vec<_>>())
        .collect();
    let mut may_grow = vec![false; spokes.len()];
    let mut limbs = vec![false; scaffold.layout.links.len()];
    for piece in changed.iter().map(|k| &pieces[*k]) {
        piece.range().for_each(|v| may_grow[v] = true);
        for link in beside(scaffold, piece.spot) {
            limbs[link] = true;
        }
    }
    let near: Vec<Point3<f64>> =
        skin.points.par_iter().copied().filter(|point| limbs[grow::nearest_link(scaffold, point)]).collect();
    let options = FitOptions { clearance: 0.08, ..FitOptions::default() };
    grow::grow_some(scaffold, pieces, &mut spokes, &may_grow, triangles, &near, &options, progress)?;
    let mut moved = false;
    for v in changed.iter().flat_map(|k| pieces[*k].range()) {
        let tip = spokes[v].tip();
        if (tip - rest[v]).norm() > 1e-9 {
            (rest[v], moved) = (tip, true);
        }
    }
    Ok(moved)
}

/// The links whose skin a piece may have to cover: its own and those that they meet.
fn beside(scaffold: &Scaffold, spot: Spot) -> Vec<usize> {
    let layout = &scaffold.layout;
    let own = match spot {
        Spot::Site(site) => layout.sites[site].links.clone(),
        Spot::Link(link) => vec![link],
    };
    let ends = own.iter().flat_map(|link| [layout.links[*link].near.site, layout.links[*link].far.site]);
    ends.flat_map(|site| layout.sites[site].links.iter().copied()).collect()
}

/// The ray that leads from a spot to a point.
pub fn spoke_to(scaffold: &Scaffold, spot: Spot, point: &Point3<f64>) -> Spoke {
    let origin = match spot {
        Spot::Site(site) => scaffold.layout.sites[site].center,
        Spot::Link(link) => {
            let at = &scaffold.layout.links[link];
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
