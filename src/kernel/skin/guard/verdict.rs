//! The verdict over all trials: which points must be held back further.
//!
//! A region is guilty of a harm in a pose in three ways: the whole body has too much of it there and the region adds
//! to that; the region alone has so much more than under linear blending that an eye would notice; or over all poses
//! it has more than under linear blending, however little in each: then the method is worse on average, even if nobody
//! sees it in any one pose.

use super::judge::{Culprit, Judge, LOCAL, Seen};
use crate::kernel::geom::measure::damage::Harm;

/// What a region may have more than under linear blending in one pose, in percent of the body's surface.
fn noticed(harm: Harm) -> f32 {
    match harm {
        Harm::Torn | Harm::Flipped => 0.12,
        _ => 0.4,
    }
}

/// What it may have more on average over all poses.
fn tolerated(harm: Harm) -> f32 {
    0.02 * noticed(harm)
}

/// The points that must be held back further, trial by trial.
pub(super) fn culprits(judge: &Judge, seen: &[Seen]) -> Vec<Vec<Culprit>> {
    let mut sums = vec![vec![0.0_f32; judge.region_count]; LOCAL.len()];
    for (k, sum) in sums.iter_mut().enumerate() {
        for balance in seen.iter().map(|seen| &seen.balances[k]) {
            sum.iter_mut().zip(&balance.of_regions).for_each(|(sum, of)| *sum += of);
        }
    }
    let all = seen.len().max(1) as f32;
    let mut found: Vec<Vec<Culprit>> = seen.iter().map(|seen| seen.culprits.clone()).collect();
    for (seen, found) in seen.iter().zip(&mut found) {
        for (k, harm) in LOCAL.into_iter().enumerate() {
            let balance = &seen.balances[k];
            let is_guilty = |region: usize| {
                let of = balance.of_regions[region];
                of > noticed(harm) || of > 0.0 && (balance.is_over || sums[k][region] > all * tolerated(harm))
            };
            let guilty = balance.new.iter().filter(|t| is_guilty(judge.region(harm, **t)));
            guilty.for_each(|t| judge.culprits(*t, harm, found));
        }
    }
    found
}
