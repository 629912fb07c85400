//! A cage that runs through itself at rest is drawn in there: feet that stand side by side, thighs that touch, an arm
//! at the flank have no room for two walls between them. What comes to lie outside hangs on its weights instead.

use std::collections::BTreeSet;

use nalgebra::Point3;

use crate::kernel::geom::measure::CrossingPairs;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::skin::methods::cage::pieces::Spoke;

/// Rounds after which what still crosses is told of.
const ROUNDS: usize = 48;
/// The part of its distance that a vertex keeps in one round.
const KEPT: f64 = 0.93;
/// No vertex is drawn in to less than this part of its distance.
const LEAST: f64 = 0.12;

/// Draws spokes in until no triangle runs through another, and says which were.
pub(super) fn untangle(
    spokes: &mut [Spoke],
    triangles: &[[u32; 3]],
    progress: &dyn Progress,
) -> Result<BTreeSet<usize>, Cancelled> {
    let least: Vec<f64> = spokes.iter().map(|spoke| LEAST * spoke.distance).collect();
    let mut drawn_in = BTreeSet::new();
    for _ in 0..ROUNDS {
        progress.check()?;
        let points: Vec<Point3<f64>> = spokes.iter().map(Spoke::tip).collect();
        let crossing: BTreeSet<usize> = CrossingPairs::of(&points, triangles)
            .iter()
            .flat_map(|(a, b)| [a, b])
            .flat_map(|t| triangles[t as usize].map(|v| v as usize))
            .filter(|v| KEPT * spokes[*v].distance > least[*v])
            .collect();
        if crossing.is_empty() {
            break;
        }
        crossing.iter().for_each(|v| spokes[*v].distance *= KEPT);
        drawn_in.extend(crossing);
    }
    Ok(drawn_in)
}
