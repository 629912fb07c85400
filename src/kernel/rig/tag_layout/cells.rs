//! The body as coarse cells: what is inside, and the shortest ways through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::Point3;

use crate::kernel::geom::Rays;
use crate::kernel::geom::bounds;
use crate::kernel::geom::search::voxels::VoxelGrid;

/// Cells from the ground to the crown.
const ROWS: usize = 64;
/// Cells at most: what is no body may be long and flat.
const MOST: f64 = 150_000.0;
/// How much dearer a cell outside is: bodies of several shells hang together all the same.
const OUTSIDE: u32 = 10;

/// Ten times the length of a step over a face, an edge or a corner, in cells.
const STEP: [u32; 4] = [0, 10, 14, 17];

/// Cubic cells over the body's box; the body stands along +Y and faces along Z.
pub(super) struct BodyCells {
    /// The body's box.
    pub grid: VoxelGrid,
    inside: Vec<bool>,
    /// Inside, or next to it: where ways may run.
    passable: Vec<bool>,
}

impl BodyCells {
    /// Fills the cells that lie inside of the mesh or hold a point of it. `None` for a body without height.
    pub fn fill(rays: &Rays, points: &[Point3<f64>]) -> Option<Self> {
        let [low, high] = bounds(points.iter().copied())?;
        let extent = high - low;
        let cell = (extent.y / ROWS as f64).max((extent.product() / MOST).cbrt()).max(extent.amax() / 1e3);
        if extent.y <= 1e-9 * extent.amax() || cell <= 0.0 {
            return None;
        }
        let count = [extent.x, extent.y, extent.z].map(|length| (length / cell).ceil().max(1.0) as usize);
        let grid = VoxelGrid { low, cell, count };
        let mut cells = Self { grid, inside: vec![false; grid.cell_count()], passable: Vec::new() };
        let at = |depth: f64| (depth.round().max(0.0) as usize).min(count[2] - 1);
        for (k, ()) in grid.inside_along(rays, 2, |chord| (at(chord.enter)..=at(chord.leave), ())) {
            cells.inside[k] = true;
        }
        for p in points {
            let k = grid.place_of(cells.cell_of(p));
            cells.inside[k] = true;
        }
        cells.passable = cells.inside.clone();
        for k in (0..grid.cell_count()).filter(|k| cells.inside[*k]) {
            grid.around(k).for_each(|(next, _)| cells.passable[next] = true);
        }
        Some(cells)
    }

    /// The cell that holds the point, or the nearest one.
    pub fn cell_of(&self, p: &Point3<f64>) -> [usize; 3] {
        let at = |axis: usize| {
            let k = ((p[axis] - self.grid.low[axis]) / self.grid.cell).floor().max(0.0) as usize;
            k.min(self.grid.count[axis] - 1)
        };
        [at(0), at(1), at(2)]
    }

    /// Whether the cell is inside.
    pub fn is_inside(&self, cell: [usize; 3]) -> bool {
        self.inside[self.grid.place_of(cell)]
    }

    /// Numbers of all cells inside.
    pub fn all_inside(&self) -> impl Iterator<Item = usize> {
        self.inside.iter().enumerate().filter(|(_, inside)| **inside).map(|(k, _)| k)
    }

    /// Whether the body covers column `x` of row `y`, seen from the front.
    pub fn covered(&self, x: usize, y: usize) -> bool {
        (0..self.grid.count[2]).any(|z| self.is_inside([x, y, z]))
    }

    /// The cell inside that is nearest to the point.
    pub fn nearest_inside(&self, p: &Point3<f64>) -> Option<usize> {
        let gap = |k: usize| (self.middle(k) - p).norm_squared();
        self.all_inside().min_by(|&a, &b| gap(a).total_cmp(&gap(b)))
    }

    /// The middle of cell `k`.
    pub fn middle(&self, k: usize) -> Point3<f64> {
        self.grid.middle_of(self.grid.at(k))
    }

    /// Ways to everywhere that begin nowhere yet.
    pub fn no_ways(&self) -> Ways {
        Ways { length: vec![u32::MAX; self.inside.len()], before: vec![u32::MAX; self.inside.len()] }
    }

    /// Lets shortest ways begin at cell `from` too (Dijkstra 1959).
    pub fn begin_at(&self, from: usize, ways: &mut Ways) {
        let mut heap = BinaryHeap::new();
        ways.length[from] = 0;
        ways.before[from] = u32::MAX;
        heap.push(Reverse((0, from)));
        while let Some(Reverse((length, k))) = heap.pop() {
            if length > ways.length[k] {
                continue;
            }
            for (next, aside) in self.grid.around(k) {
                let there = length + STEP[aside] * if self.inside[next] { 1 } else { OUTSIDE };
                if self.passable[next] && there < ways.length[next] {
                    ways.length[next] = there;
                    ways.before[next] = k as u32;
                    heap.push(Reverse((there, next)));
                }
            }
        }
    }
}

/// The shortest way to each cell; `u32::MAX` where there is none.
#[derive(Clone)]
pub(super) struct Ways {
    /// Ten times its length in cells.
    pub length: Vec<u32>,
    before: Vec<u32>,
}

impl Ways {
    /// The cells from `k` back to where the ways begin.
    pub fn back(&self, k: usize) -> Vec<usize> {
        let step = |&k: &usize| Some(self.before[k] as usize).filter(|&b| b != u32::MAX as usize);
        std::iter::successors(Some(k), step).collect()
    }
}
