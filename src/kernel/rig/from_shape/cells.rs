//! The solid as cells: what is inside of a mesh, in one connected piece.
//!
//! A line through each row of cell middles, along x, y and z, says what it finds inside; two of the three
//! must agree, so that a hole in the mesh is seen through by one direction only. What is thinner than a
//! cell keeps one cell all the same. Parts that do not touch are joined by a bridge of cells.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use crate::kernel::geom::connectivity::topology::DisjointSets;
use crate::kernel::geom::search::voxels::VoxelGrid;
use crate::kernel::geom::{Chord, Rays};
use crate::kernel::progress::{Cancelled, Progress};

/// Cells along the longest side when the volume is found out.
const COARSE: f64 = 40.0;
/// The most and the fewest cells along the longest side.
const LONGEST: [f64; 2] = [24.0, 192.0];
/// The most cells of the whole box, inside or not.
const BOX: f64 = 6e6;
/// Chords thinner than this are cracks, in cells.
const CRACK: f64 = 0.02;
/// A separate part with a smaller share of the cells gets no bones of its own: eyes, buttons.
const SMALL_PART: f64 = 0.02;
/// No cell.
const NONE: u32 = u32::MAX;

/// Cubic cells inside of a mesh, numbered from 0.
#[derive(Debug)]
pub(super) struct SolidCells {
    /// The box with one empty layer all around.
    pub grid: VoxelGrid,
    /// The number of each cell of the box, [`NONE`] outside.
    number: Vec<u32>,
    /// The place in the box of each cell inside.
    place: Vec<u32>,
    /// Share of the cells about which the three directions disagree.
    pub doubtful: f64,
    /// Parts that were apart and are bridged now, the largest not counted.
    pub bridged: usize,
}

impl SolidCells {
    /// Fills a mesh with about `cells` cells. `None` where there is no volume.
    pub fn fill(
        rays: &Rays,
        bounds: [Point3<f64>; 2],
        cells: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let longest = (bounds[1] - bounds[0]).amax();
        if !(longest > 0.0 && longest.is_finite()) {
            return Ok(None);
        }
        let coarse = Self::with_cell(rays, bounds, longest / COARSE);
        progress.check()?;
        let volume = coarse.place.len() as f64 * coarse.grid.cell.powi(3);
        let wanted = (volume / cells.max(1) as f64).cbrt();
        let cell = wanted.clamp(longest / LONGEST[1], longest / LONGEST[0]);
        let cell = cell.max(((bounds[1] - bounds[0]).map(|l| l + cell).product() / BOX).cbrt());
        let mut fine = Self::with_cell(rays, bounds, cell);
        progress.check()?;
        if fine.place.is_empty() {
            return Ok(None);
        }
        fine.bridge_parts(progress)?;
        Ok(Some(fine))
    }

    fn with_cell(rays: &Rays, [low, high]: [Point3<f64>; 2], cell: f64) -> Self {
        // One empty layer all around, and the box in the middle: a symmetric mesh gets symmetric cells.
        let count = [0, 1, 2].map(|axis| ((high[axis] - low[axis]) / cell).ceil() as usize + 2);
        let middle = nalgebra::center(&low, &high);
        let low = middle - Vector3::from(count.map(|n| 0.5 * n as f64)) * cell;
        let grid = VoxelGrid { low, cell, count };
        let mut votes = vec![0u8; grid.cell_count()];
        for axis in 0..3 {
            for (place, vote) in grid.inside_along(rays, axis, voted) {
                votes[place] = votes[place].saturating_add(vote);
            }
        }
        let mut cells = Self {
            grid,
            number: vec![NONE; grid.cell_count()],
            place: Vec::new(),
            doubtful: 0.0,
            bridged: 0,
        };
        let doubtful = votes.iter().filter(|&&votes| votes == 1 || votes == 2).count();
        let agreed = votes.iter().enumerate().filter(|(_, votes)| **votes >= 2);
        agreed.for_each(|(place, _)| cells.add(place));
        cells.doubtful = doubtful as f64 / cells.place.len().max(1) as f64;
        cells
    }

    fn add(&mut self, place: usize) {
        if self.number[place] == NONE {
            self.number[place] = self.place.len() as u32;
            self.place.push(place as u32);
        }
    }

    /// Joins parts that do not touch by straight bridges, the nearest first; small ones are left alone.
    fn bridge_parts(&mut self, progress: &dyn Progress) -> Result<(), Cancelled> {
        let mut sets = DisjointSets::new(self.len());
        for k in 0..self.len() {
            for (next, _) in self.neighbours(k) {
                sets.join(k as u32, next as u32);
            }
        }
        let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for k in 0..self.len() {
            parts.entry(sets.root(k as u32)).or_default().push(k);
        }
        let mut parts: Vec<Vec<usize>> = parts.into_values().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        let mut apart = parts.split_off(1);
        let mut joined: Vec<usize> = parts.into_iter().flatten().filter(|&k| self.is_border(k)).collect();
        let enough = SMALL_PART * self.len() as f64;
        apart.retain(|part| part.len() as f64 >= enough);
        while !apart.is_empty() {
            progress.check()?;
            let gap = |a: usize, b: usize| (self.middle(a) - self.middle(b)).norm_squared();
            let nearest = |k: &usize| {
                let there = joined.iter().copied().min_by(|&a, &b| gap(a, *k).total_cmp(&gap(b, *k)))?;
                Some((gap(there, *k), *k, there))
            };
            let over = |p: usize| {
                let border: Vec<usize> = apart[p].iter().copied().filter(|&k| self.is_border(k)).collect();
                let gaps: Vec<_> = border.par_iter().filter_map(nearest).collect();
                gaps.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|gap| (p, gap))
            };
            let best = (0..apart.len()).filter_map(over).min_by(|a, b| a.1.0.total_cmp(&b.1.0));
            let Some((p, (_, from, to))) = best else { break };
            let (from, to) = (self.middle(from), self.middle(to));
            let steps = (2.0 * (to - from).norm() / self.grid.cell).ceil().max(1.0);
            for k in 0..=steps as usize {
                if let Some(place) = self.grid.place_at(&(from + (to - from) * (k as f64 / steps))) {
                    self.add(place);
                }
            }
            joined.extend(apart.remove(p).into_iter().filter(|&k| self.is_border(k)));
            self.bridged += 1;
        }
        Ok(())
    }

    fn is_border(&self, k: usize) -> bool {
        self.neighbours(k).count() < 26
    }

    /// Number of cells inside.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// The middle of cell `k`.
    pub fn middle(&self, k: usize) -> Point3<f64> {
        self.grid.middle_of(self.grid.at(self.place[k] as usize))
    }

    /// The mean of all cells: the centre of mass.
    pub fn center(&self) -> Point3<f64> {
        let sum = (0..self.len()).fold(Vector3::zeros(), |sum, k| sum + self.middle(k).coords);
        Point3::from(sum / self.len().max(1) as f64)
    }

    /// The cell that holds the point, where that is inside.
    pub fn cell_at(&self, p: &Point3<f64>) -> Option<usize> {
        self.grid.place_at(p).map(|place| self.number[place]).filter(|&k| k != NONE).map(|k| k as usize)
    }

    /// Whether the point lies in a cell that is inside.
    pub fn holds(&self, p: &Point3<f64>) -> bool {
        self.cell_at(p).is_some()
    }

    /// The cells inside that touch cell `k`, by face, edge or corner, with their distance in metres.
    pub fn neighbours(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        // The empty layer keeps what is inside from the border of the box; a bridge never reaches it.
        self.grid.around(self.place[k] as usize).filter_map(|(place, aside)| {
            let number = self.number[place];
            (number != NONE).then(|| (number as usize, (aside as f64).sqrt() * self.grid.cell))
        })
    }
}

/// The cells of a chord through their middles, and how much its word counts.
fn voted(chord: &Chord) -> (RangeInclusive<usize>, u8) {
    let (first, last) = (chord.enter.ceil(), chord.leave.floor());
    if first <= last {
        return (first as usize..=last as usize, 1);
    }
    if chord.length() > CRACK {
        // Thinner than a cell: it counts whatever the other directions say.
        let only = chord.middle().round().max(0.0) as usize;
        return (only..=only, 2);
    }
    (RangeInclusive::new(1, 0), 0)
}
