//! The solid as cells: what is inside of a mesh, in one connected piece.
//!
//! A line through each row of cell middles, along x, y and z, says what it finds inside; two of the three
//! must agree, so that a hole in the mesh is seen through by one direction only. What is thinner than a
//! cell keeps one cell all the same. Parts that do not touch are joined by a bridge of cells.

use std::collections::BTreeMap;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use crate::kernel::geom::topology::DisjointSets;
use crate::kernel::geom::{Rays, chords};
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
pub(super) struct Voxels {
    low: Point3<f64>,
    /// Edge of a cell, in metres.
    pub cell: f64,
    count: [usize; 3],
    /// The number of each cell of the box, [`NONE`] outside.
    number: Vec<u32>,
    /// The place in the box of each cell inside.
    place: Vec<u32>,
    /// Share of the cells about which the three directions disagree.
    pub doubtful: f64,
    /// Parts that were apart and are bridged now, the largest not counted.
    pub bridged: usize,
}

impl Voxels {
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
        let volume = coarse.place.len() as f64 * coarse.cell.powi(3);
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
        let mut voxels = Self {
            low,
            cell,
            count,
            number: vec![NONE; count.iter().product()],
            place: Vec::new(),
            doubtful: 0.0,
            bridged: 0,
        };
        let mut votes = vec![0u8; voxels.number.len()];
        for axis in 0..3 {
            for (place, vote) in voxels.along(rays, axis) {
                votes[place] = votes[place].saturating_add(vote);
            }
        }
        let doubtful = votes.iter().filter(|&&votes| votes == 1 || votes == 2).count();
        let agreed = votes.iter().enumerate().filter(|(_, votes)| **votes >= 2);
        agreed.for_each(|(place, _)| voxels.add(place));
        voxels.doubtful = doubtful as f64 / voxels.place.len().max(1) as f64;
        voxels
    }

    /// The cells that lines along one axis find inside, each with its vote.
    fn along(&self, rays: &Rays, axis: usize) -> Vec<(usize, u8)> {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let lines: Vec<Vec<(usize, u8)>> = (0..self.count[u] * self.count[v])
            .into_par_iter()
            .map(|line| {
                let mut at = [0; 3];
                (at[u], at[v]) = (line % self.count[u], line / self.count[u]);
                let from = self.middle_of(at);
                let mut found = Vec::new();
                for chord in chords::line_chords(rays, &from, &(Vector3::ith(axis, self.cell))) {
                    let (first, last) = (chord.enter.ceil(), chord.leave.floor());
                    if first <= last {
                        found.extend((first as usize..=last as usize).map(|k| (k, 1)));
                    } else if chord.length() > CRACK {
                        // Thinner than a cell: it counts whatever the other directions say.
                        found.push((chord.middle().round().max(0.0) as usize, 2));
                    }
                }
                let place = |(k, vote): (usize, u8)| {
                    at[axis] = k;
                    (k < self.count[axis]).then(|| (self.place_of(at), vote))
                };
                found.into_iter().filter_map(place).collect()
            })
            .collect();
        lines.into_iter().flatten().collect()
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
            let steps = (2.0 * (to - from).norm() / self.cell).ceil().max(1.0);
            for k in 0..=steps as usize {
                if let Some(place) = self.place_at(&(from + (to - from) * (k as f64 / steps))) {
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
        self.middle_of(self.at(k))
    }

    /// The mean of all cells: the centre of mass.
    pub fn center(&self) -> Point3<f64> {
        let sum = (0..self.len()).fold(Vector3::zeros(), |sum, k| sum + self.middle(k).coords);
        Point3::from(sum / self.len().max(1) as f64)
    }

    /// The cell that holds the point, where that is inside.
    pub fn cell_at(&self, p: &Point3<f64>) -> Option<usize> {
        self.place_at(p).map(|place| self.number[place]).filter(|&k| k != NONE).map(|k| k as usize)
    }

    /// Whether the point lies in a cell that is inside.
    pub fn holds(&self, p: &Point3<f64>) -> bool {
        self.cell_at(p).is_some()
    }

    /// The cells inside that touch cell `k`, by face, edge or corner, with their distance in metres.
    pub fn neighbours(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let here = self.at(k);
        (0..27).filter_map(move |step: usize| {
            let offset = [step % 3, step / 3 % 3, step / 9];
            let aside = offset.iter().filter(|&&o| o != 1).count();
            // The empty layer around the box keeps neighbours in range; a bridge never reaches it.
            let at = [0, 1, 2].map(|axis: usize| (here[axis] + offset[axis]).wrapping_sub(1));
            let fits = aside > 0 && (0..3).all(|axis| at[axis] < self.count[axis]);
            let number = if fits { self.number[self.place_of(at)] } else { NONE };
            (number != NONE).then(|| (number as usize, (aside as f64).sqrt() * self.cell))
        })
    }

    fn place_at(&self, p: &Point3<f64>) -> Option<usize> {
        let at = (p - self.low) / self.cell;
        let fits = (0..3).all(|axis| at[axis] >= 0.0 && at[axis] < self.count[axis] as f64);
        fits.then(|| self.place_of([at.x as usize, at.y as usize, at.z as usize]))
    }

    fn place_of(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    fn at(&self, k: usize) -> [usize; 3] {
        let (place, [nx, ny, _]) = (self.place[k] as usize, self.count);
        [place % nx, place / nx % ny, place / (nx * ny)]
    }

    fn middle_of(&self, at: [usize; 3]) -> Point3<f64> {
        self.low + Vector3::from(at.map(|k| k as f64 + 0.5)) * self.cell
    }
}
