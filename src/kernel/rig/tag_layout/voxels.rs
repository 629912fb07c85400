//! The body as coarse cells: what is inside, and the shortest ways through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use crate::kernel::geom::{Rays, bounds, chords};

/// Cells from the ground to the crown.
const ROWS: usize = 64;
/// Cells at most: what is no body may be long and flat.
const MOST: f64 = 150_000.0;
/// How much dearer a cell outside is: bodies of several shells hang together all the same.
const OUTSIDE: u32 = 10;

/// Cubic cells over the body's box; the body stands along +Y and faces along Z.
pub(super) struct Voxels {
    low: Point3<f64>,
    /// Edge of a cell, in metres.
    pub cell: f64,
    /// Cells along x, y and z.
    pub count: [usize; 3],
    inside: Vec<bool>,
    /// Inside, or next to it: where ways may run.
    passable: Vec<bool>,
}

impl Voxels {
    /// Fills the cells that lie inside of the mesh or hold a point of it. `None` for a body without height.
    pub fn fill(rays: &Rays, points: &[Point3<f64>]) -> Option<Self> {
        let [low, high] = bounds(points.iter().copied())?;
        let extent = high - low;
        let cell = (extent.y / ROWS as f64).max((extent.product() / MOST).cbrt()).max(extent.amax() / 1e3);
        if extent.y <= 1e-9 * extent.amax() || cell <= 0.0 {
            return None;
        }
        let count = [extent.x, extent.y, extent.z].map(|length| (length / cell).ceil().max(1.0) as usize);
        let inside = vec![false; count.iter().product()];
        let mut voxels = Self { low, cell, count, inside, passable: Vec::new() };
        let columns: Vec<Vec<usize>> = (0..count[0] * count[1])
            .into_par_iter()
            .map(|column| {
                let (x, y) = (column % count[0], column / count[0]);
                let from = voxels.center([x, y, 0]);
                let inside = chords::line_chords(rays, &from, &(Vector3::z() * cell));
                let at = |depth: f64| (depth.round().max(0.0) as usize).min(count[2] - 1);
                inside
                    .iter()
                    .flat_map(|c| at(c.enter)..=at(c.leave))
                    .map(|z| voxels.index([x, y, z]))
                    .collect()
            })
            .collect();
        for k in columns.into_iter().flatten() {
            voxels.inside[k] = true;
        }
        for p in points {
            let k = voxels.index(voxels.cell_of(p));
            voxels.inside[k] = true;
        }
        voxels.passable = voxels.inside.clone();
        for k in 0..voxels.inside.len() {
            if voxels.inside[k] {
                voxels.neighbours(k).for_each(|(next, _)| voxels.passable[next] = true);
            }
        }
        Some(voxels)
    }

    /// The number of a cell.
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// The cell of that number.
    pub fn cell_at(&self, k: usize) -> [usize; 3] {
        let [nx, ny, _] = self.count;
        [k % nx, k / nx % ny, k / (nx * ny)]
    }

    /// The cell that holds the point, or the nearest one.
    pub fn cell_of(&self, p: &Point3<f64>) -> [usize; 3] {
        let at = |axis: usize| {
            let k = ((p[axis] - self.low[axis]) / self.cell).floor().max(0.0) as usize;
            k.min(self.count[axis] - 1)
        };
        [at(0), at(1), at(2)]
    }

    /// The middle of a cell.
    pub fn center(&self, cell: [usize; 3]) -> Point3<f64> {
        self.low + Vector3::from(cell.map(|k| k as f64 + 0.5)) * self.cell
    }

    /// Whether the cell is inside.
    pub fn is_inside(&self, cell: [usize; 3]) -> bool {
        self.inside[self.index(cell)]
    }

    /// Numbers of all cells inside.
    pub fn all_inside(&self) -> impl Iterator<Item = usize> {
        self.inside.iter().enumerate().filter(|(_, inside)| **inside).map(|(k, _)| k)
    }

    /// Whether the body covers column `x` of row `y`, seen from the front.
    pub fn covered(&self, x: usize, y: usize) -> bool {
        (0..self.count[2]).any(|z| self.is_inside([x, y, z]))
    }

    /// The cell inside that is nearest to the point.
    pub fn nearest_inside(&self, p: &Point3<f64>) -> Option<usize> {
        let gap = |k: usize| (self.center(self.cell_at(k)) - p).norm_squared();
        self.all_inside().min_by(|&a, &b| gap(a).total_cmp(&gap(b)))
    }

    /// The cells around cell `k`, with ten times their distances in cells.
    fn neighbours(&self, k: usize) -> impl Iterator<Item = (usize, u32)> + use<> {
        let (here, count) = (self.cell_at(k), self.count);
        (0..27).filter_map(move |step: usize| {
            let offset = [step % 3, step / 3 % 3, step / 9];
            let far = [0, 10, 14, 17][offset.iter().filter(|&&o| o != 1).count()];
            let [x, y, z] = [0, 1, 2].map(|axis: usize| (here[axis] + offset[axis]).wrapping_sub(1));
            let fits = x < count[0] && y < count[1] && z < count[2] && far > 0;
            fits.then(|| ((z * count[1] + y) * count[0] + x, far))
        })
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
            for (next, far) in self.neighbours(k) {
                let there = length + far * if self.inside[next] { 1 } else { OUTSIDE };
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
