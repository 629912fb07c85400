//! Congestion: links too short for their rings get fewer, then none.

use nalgebra::Vector3;

use super::first_distance;
use crate::kernel::skin::methods::cage::layout::scaffold::Scaffold;
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spoke, Spot};
use crate::kernel::skin::methods::cage::template::{DEFAULT, Library, Part};

/// The bone template of short links.
pub const SHORT: &str = "Short";

/// Rings of sites may take up this share of a link before its own give way.
const MOST_TAKEN: f64 = 0.45;

/// The default bone template for a link of this many thicknesses, if there is room for any.
pub(super) fn template_for(length: f64) -> Option<&'static str> {
    match length {
        l if l >= 2.4 => Some(DEFAULT),
        l if l >= 1.3 => Some(SHORT),
        _ => None,
    }
}

/// Takes rings from links whose triangles face inwards; whether anything changed.
pub(super) fn make(
    scaffold: &Scaffold,
    library: &Library,
    pieces: &mut Vec<Piece>,
    spokes: &[Spoke],
    triangles: &[[u32; 3]],
) -> bool {
    let mut congested = vec![0; scaffold.layout.links.len()];
    let link_of = |vertex: u32| {
        pieces.iter().find(|piece| piece.range().contains(&(vertex as usize))).and_then(|piece| {
            match piece.spot {
                Spot::Link(link) => Some(link),
                Spot::Site(_) => None,
            }
        })
    };
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| &spokes[v as usize]);
        let normal = (b.tip() - a.tip()).cross(&(c.tip() - a.tip()));
        // Rays of a link lead straight out; those of a branching site, at a crotch, need not.
        let on_links: Vec<(u32, usize)> =
            triangle.iter().filter_map(|v| link_of(*v).map(|link| (*v, link))).collect();
        let out: Vector3<f64> = on_links.iter().map(|(v, _)| spokes[*v as usize].direction).sum();
        if on_links.len() > 1 && normal.dot(&out) < -0.3 * normal.norm() * out.norm() {
            on_links.iter().for_each(|(_, link)| congested[*link] += 1);
        }
    }
    for (link, count) in congested.iter_mut().enumerate() {
        let [near, far] = first_distance::taken(scaffold, pieces, link, spokes);
        *count += usize::from(near + far > MOST_TAKEN);
    }
    let congested: Vec<usize> = (0..congested.len()).filter(|link| congested[*link] > 0).collect();
    thin_out(scaffold, library, pieces, &congested)
}

/// Gives links fewer rings, then none; whether anything changed.
pub(super) fn thin_out(
    scaffold: &Scaffold,
    library: &Library,
    pieces: &mut Vec<Piece>,
    links: &[usize],
) -> bool {
    let mut changed = false;
    for link in links {
        let spot = Spot::Link(*link);
        let Some(at) = pieces.iter().position(|piece| piece.spot == spot) else { continue };
        let short = library.find(Part::Bone, SHORT).filter(|short| **short != pieces[at].template);
        match short.and_then(|short| Piece::new(scaffold, spot, short)) {
            Some(piece) => pieces[at] = piece,
            None => drop(pieces.remove(at)),
        }
        changed = true;
    }
    changed
}
