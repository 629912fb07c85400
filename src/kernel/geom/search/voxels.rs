//! A box divided into cubic cells, and which of them lie inside of a mesh.

use std::ops::RangeInclusive;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::chords::{Chord, line_chords};
use super::rays::Rays;

/// Cubic cells of a box. A cell has three numbers, along x, y and z, and a place in the order of all: x first, then
/// y, then z.
#[derive(Debug, Clone, Copy)]
pub struct VoxelGrid {
    /// The lower corner of the box.
    pub low: Point3<f64>,
    /// Edge of a cell, in metres.
    pub cell: f64,
    /// Cells along x, y and z.
    pub count: [usize; 3],
}

impl VoxelGrid {
    /// Number of cells in the box.
    pub fn cell_count(&self) -> usize {
        self.count.iter().product()
    }

    /// The place of a cell.
    pub fn place_of(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// The cell in a place.
    pub fn at(&self, place: usize) -> [usize; 3] {
        let [nx, ny, _] = self.count;
        [place % nx, place / nx % ny, place / (nx * ny)]
    }

    /// The middle of a cell.
    pub fn middle_of(&self, at: [usize; 3]) -> Point3<f64> {
        self.low + Vector3::from(at.map(|k| k as f64 + 0.5)) * self.cell
    }

    /// The place of the cell that holds the point; `None` outside of the box.
    pub fn place_at(&self, p: &Point3<f64>) -> Option<usize> {
        let at = (p - self.low) / self.cell;
        let fits = (0..3).all(|axis| at[axis] >= 0.0 && at[axis] < self.count[axis] as f64);
        fits.then(|| self.place_of([at.x as usize, at.y as usize, at.z as usize]))
    }

    /// The cells of the box that touch the one in `place`, and by what: 1 a face, 2 an edge, 3 a corner.
    pub fn around(&self, place: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (grid, here) = (*self, self.at(place));
        (0..27).filter_map(move |step: usize| {
            let offset = [step % 3, step / 3 % 3, step / 9];
            let aside = offset.iter().filter(|&&o| o != 1).count();
            let at = [0, 1, 2].map(|axis: usize| (here[axis] + offset[axis]).wrapping_sub(1));
            let fits = aside > 0 && (0..3).all(|axis| at[axis] < grid.count[axis]);
            fits.then(|| (grid.place_of(at), aside))
        })
    }

    /// What lines through the middles of cells along an axis find inside of a mesh, by place. `cells` makes of a chord,
    /// whose depths are in cells from the middle of the first, a run of cells and a remark on each of them.
    pub fn inside_along<T: Copy + Send>(
        &self,
        rays: &Rays,
        axis: usize,
        cells: impl Fn(&Chord) -> (RangeInclusive<usize>, T) + Sync,
    ) -> Vec<(usize, T)> {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let lines: Vec<Vec<(usize, T)>> = (0..self.count[u] * self.count[v])
            .into_par_iter()
            .map(|line| {
                let mut at = [0; 3];
                (at[u], at[v]) = (line % self.count[u], line / self.count[u]);
                let mut found = Vec::new();
                for chord in line_chords(rays, &self.middle_of(at), &Vector3::ith(axis, self.cell)) {
                    let (run, remark) = cells(&chord);
                    for k in run.take_while(|k| *k < self.count[axis]) {
                        at[axis] = k;
                        found.push((self.place_of(at), remark));
                    }
                }
                found
            })
            .collect();
        lines.into_iter().flatten().collect()
    }
}
