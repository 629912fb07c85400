//! A cage that runs through itself at rest is drawn in there: feet that stand side by side, thighs that touch, an arm
//! at the flank have no room for two walls between them. What comes to lie outside hangs on its weights instead.

use std::collections::BTreeSet;

use nalgebra::Point3;

use crate::kernel::geom::measure::CrossingPairs;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spoke, Spot};

/// Rounds after which what still crosses is told of.
const ROUNDS: usize = 140;
/// The part of its distance that a vertex keeps in one round.
const KEPT: f64 = 0.98;
/// No vertex is drawn in to less than this part of its distance.
const LEAST: f64 = 0.12;

/// Draws spokes in until no triangle runs through another; the links whose triangles still do.
pub(super) fn untangle(
    pieces: &[Piece],
    spokes: &mut [Spoke],
    triangles: &[[u32; 3]],
    progress: &dyn Progress,
) -> Result<Vec<usize>, Cancelled> {
    let least: Vec<f64> = spokes.iter().map(|spoke| LEAST * spoke.distance).collect();
    let mut left = BTreeSet::new();
    for _ in 0..ROUNDS {
        progress.check()?;
        left = crossing(spokes, triangles);
        let may = left.iter().filter(|v| KEPT * spokes[**v].distance > least[**v]);
        let may: Vec<usize> = may.copied().collect();
        if may.is_empty() {
            break;
        }
        may.iter().for_each(|v| spokes[*v].distance *= KEPT);
    }
    let tangled = pieces.iter().filter(|piece| piece.range().any(|v| left.contains(&v)));
    let link = |piece: &Piece| match piece.spot {
        Spot::Link(link) => Some(link),
        Spot::Site(_) => None,
    };
    Ok(tangled.filter_map(link).collect())
}

/// The vertices of triangles that run through others.
fn crossing(spokes: &[Spoke], triangles: &[[u32; 3]]) -> BTreeSet<usize> {
    let points: Vec<Point3<f64>> = spokes.iter().map(Spoke::tip).collect();
    let pairs = CrossingPairs::of(&points, triangles);
    let both = pairs.iter().flat_map(|(a, b)| [a, b]);
    both.flat_map(|t| triangles[t as usize].map(|v| v as usize)).collect()
}
