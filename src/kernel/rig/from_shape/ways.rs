//! Ways through the cells of a solid (Dijkstra 1959): the easiest one to the middle, and how far cells are
//! from what is reached already.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::cells::SolidCells;

/// Narrow cells are dear by this power of their room: ways keep to the bottom of the potential's valleys,
/// where the field's path lines run.
const STEEP: i32 = -5;
/// How much farther a step is where there is less room than a cell: from one limb over to another that
/// it nearly touches.
const SQUEEZED: i32 = -2;

/// Easiest ways from every cell to one.
#[derive(Debug)]
pub(super) struct Ways {
    before: Vec<u32>,
}

impl Ways {
    /// Ways to the cell `to`; `room` of each cell in metres.
    pub fn to(solid: &SolidCells, room: &[f64], to: usize) -> Self {
        let widest = room.iter().copied().fold(0.0, f64::max);
        let price: Vec<f64> = room.iter().map(|room| (room / widest).powi(STEEP)).collect();
        let mut before = vec![u32::MAX; solid.len()];
        let mut cost = vec![f64::INFINITY; solid.len()];
        spread(
            solid,
            &[to],
            &mut cost,
            |from, next, length| length * 0.5 * (price[from] + price[next]),
            |from, next| before[next] = from as u32,
        );
        Self { before }
    }

    /// The cells from `k` to where all ways lead.
    pub fn from(&self, k: usize) -> impl Iterator<Item = usize> + '_ {
        let next = |k: &usize| Some(self.before[*k] as usize).filter(|&b| b != u32::MAX as usize);
        std::iter::successors(Some(k), next)
    }
}

/// How far each cell is from the nearest of those that were reached, and which one that is.
#[derive(Debug)]
pub(super) struct Reach {
    /// Along ways inside, in metres.
    pub distance: Vec<f64>,
    /// The reached cell; `u32::MAX` where there is no way.
    pub nearest: Vec<u32>,
}

impl Reach {
    /// Nothing is reached yet.
    pub fn nothing(solid: &SolidCells) -> Self {
        Self { distance: vec![f64::INFINITY; solid.len()], nearest: vec![u32::MAX; solid.len()] }
    }

    /// Reaches more cells.
    pub fn add(&mut self, solid: &SolidCells, room: &[f64], cells: &[usize]) {
        for &k in cells {
            self.nearest[k] = k as u32;
        }
        let Self { distance, nearest } = self;
        let slow = |k: usize| (room[k] / solid.grid.cell).powi(SQUEEZED).max(1.0);
        spread(
            solid,
            cells,
            distance,
            |from, next, length| length * 0.5 * (slow(from) + slow(next)),
            |from, next| nearest[next] = nearest[from],
        );
    }
}

/// Lowers `cost` from the cells `from` on; `improved(from, next)` is told of each that became cheaper.
fn spread(
    solid: &SolidCells,
    from: &[usize],
    cost: &mut [f64],
    price: impl Fn(usize, usize, f64) -> f64,
    mut improved: impl FnMut(usize, usize),
) {
    let mut heap = BinaryHeap::new();
    for &k in from {
        cost[k] = 0.0;
        heap.push(Waiting { cost: 0.0, cell: k });
    }
    while let Some(Waiting { cost: so_far, cell }) = heap.pop() {
        if so_far > cost[cell] {
            continue;
        }
        for (next, length) in solid.neighbours(cell) {
            let there = so_far + price(cell, next, length);
            if there < cost[next] {
                cost[next] = there;
                improved(cell, next);
                heap.push(Waiting { cost: there, cell: next });
            }
        }
    }
}

/// A cell that waits for its turn: the cheapest first, of equal ones the lower number.
#[derive(Debug, PartialEq)]
struct Waiting {
    cost: f64,
    cell: usize,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.cell.cmp(&self.cell))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
