//! Which limbs a solid has: ways from their tips to the solid's middle.
//!
//! Cornea et al. 2005 begin branches at the field's critical points, and where the boundary is curved most.
//! Along a limb of even thickness the force vanishes nearly everywhere, and which points are critical
//! is left to rounding; bumps are curved too. So here each branch begins at the cell farthest from all that
//! is reached already, and follows the easiest way through the field's potential: down its valleys, over its
//! saddles, to its deepest point, the strongest attracting node. A limb is what is longer than it is thick.

use std::collections::HashSet;

use super::cells::SolidCells;
use super::ways::{Reach, Ways};
use crate::kernel::progress::{Cancelled, Progress};

/// How much of a limb must stand out of the body that it grows from, in its own radii there.
const SLENDER: f64 = 1.5;
/// A limb that stands out so far is one whatever its end looks like: a fin may be wide.
const SLIM: f64 = 6.0;
/// How far down from its tip a limb's end is looked at, in its radii, and how far off that may reach.
const END: f64 = 2.5;
const WIDEST_END: f64 = 5.0;
/// The least of a limb that stands out, in cells and in diagonals of the solid.
const RESOLVED: f64 = 4.0;
const NOTABLE: f64 = 0.05;
/// The same for one thinner than a cell.
const NOTABLE_THIN: f64 = 0.12;
/// How near a way comes to another that it joins, in radii of that.
pub(super) const JOINED: f64 = 0.5;
/// Tips that are tried and limbs that are found at most.
const TRIES: usize = 600;
const MOST: usize = 96;

/// The way of a limb.
#[derive(Debug)]
pub(super) struct Way {
    /// Its cells, from the tip on.
    pub cells: Vec<usize>,
    /// The cell of another way that it joins; of the first, the deepest cell of the solid.
    pub joins: usize,
}

/// The ways of all limbs, the farthest first; each joins an earlier one, the first ends at the cell with the
/// most room. A solid without limbs has one way, to its farthest cell.
pub(super) fn find(
    solid: &SolidCells,
    room: &[f64],
    diagonal: f64,
    progress: &dyn Progress,
) -> Result<Vec<Way>, Cancelled> {
    let deepest = (0..solid.len()).max_by(|&a, &b| room[a].total_cmp(&room[b]).then(b.cmp(&a)));
    let middle = deepest.unwrap_or(0);
    let ways = Ways::to(solid, room, middle);
    progress.check()?;
    let mut reach = Reach::nothing(solid);
    reach.add(solid, room, &[middle]);
    let farthest = (0..solid.len()).filter(|&k| reach.nearest[k] != u32::MAX).max_by(|&a, &b| {
        let distance = &reach.distance;
        distance[a].total_cmp(&distance[b]).then(b.cmp(&a))
    });
    let mut silenced = vec![false; solid.len()];
    let mut limbs: Vec<Way> = Vec::new();
    let least = (RESOLVED * solid.grid.cell).max(NOTABLE * diagonal);
    for _ in 0..TRIES {
        progress.check()?;
        // How far a cell stands out of the ball around the nearest reached one.
        let out = |k: usize| reach.distance[k] - room[reach.nearest[k] as usize];
        let waiting = (0..solid.len()).filter(|&k| !silenced[k] && reach.nearest[k] != u32::MAX);
        let Some(tip) = waiting.max_by(|&a, &b| out(a).total_cmp(&out(b)).then(b.cmp(&a))) else { break };
        if out(tip) < least || limbs.len() == MOST {
            break;
        }
        let mut cells: Vec<usize> = ways.from(tip).collect();
        let joins = |k: usize| reach.distance[k] <= JOINED * room[reach.nearest[k] as usize];
        let base = cells.iter().position(|&k| joins(k)).unwrap_or(cells.len() - 1);
        cells.truncate(base + 1);
        let joins = reach.nearest[cells[base]] as usize;
        let thick = cells.iter().filter(|&&k| out(k) > 0.0).map(|&k| room[k]).fold(0.0, f64::max);
        let long = length(solid, &cells) - room[joins];
        let end_thick = thickness_of_end(solid, room, &cells, 0.5 * long);
        let thin = end_thick < solid.grid.cell && long < NOTABLE_THIN * diagonal;
        let slender = long >= least && long >= SLENDER * thick && !thin;
        if slender && (long >= SLIM * thick || has_an_end(solid, &reach, tip, end_thick)) {
            reach.add(solid, room, &cells);
            limbs.push(Way { cells, joins });
        } else {
            let (tip, near) = (solid.middle(tip), long.max(2.0 * solid.grid.cell).powi(2));
            silenced
                .iter_mut()
                .enumerate()
                .for_each(|(k, silent)| *silent |= (solid.middle(k) - tip).norm_squared() <= near);
        }
    }
    if limbs.is_empty() {
        limbs.push(Way { cells: ways.from(farthest.unwrap_or(middle)).collect(), joins: middle });
    }
    Ok(limbs)
}

/// The most room on the first stretch of a way.
fn thickness_of_end(solid: &SolidCells, room: &[f64], cells: &[usize], stretch: f64) -> f64 {
    let (mut gone, mut thick) = (0.0, room[cells[0]]);
    for pair in cells.windows(2) {
        gone += (solid.middle(pair[0]) - solid.middle(pair[1])).norm();
        if gone > stretch {
            break;
        }
        thick = thick.max(room[pair[1]]);
    }
    thick
}

/// Whether what lies as far out as the tip of a limb so thick is as narrow as the end of a limb. The rim of
/// a flat part is not: it goes on to both sides.
fn has_an_end(solid: &SolidCells, reach: &Reach, tip: usize, thick: f64) -> bool {
    let (thick, at) = (thick.max(solid.grid.cell), solid.middle(tip));
    let level = reach.distance[tip] - END * thick;
    let widest = (WIDEST_END * thick).powi(2);
    let mut seen: HashSet<usize> = HashSet::from([tip]);
    let mut waiting = vec![tip];
    while let Some(k) = waiting.pop() {
        if (solid.middle(k) - at).norm_squared() > widest {
            return false;
        }
        let more = solid.neighbours(k).map(|(next, _)| next).filter(|&next| reach.distance[next] > level);
        waiting.extend(more.filter(|&next| seen.insert(next)));
    }
    true
}

fn length(solid: &SolidCells, way: &[usize]) -> f64 {
    way.windows(2).map(|pair| (solid.middle(pair[0]) - solid.middle(pair[1])).norm()).sum()
}
