//! Cage coordinates as sparse rows: what is stored, written and sent to the GPU.

use std::ops::Range;

use crate::kernel::math::rows::Rows;

/// One cage vertex's share in a point.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Entry {
    /// The cage vertex.
    pub vertex: u32,
    /// Its weight.
    pub weight: f32,
}

/// A row of weights for each point, over the vertices of one cage; every row sums to one.
/// Cage vertices without a weight are not stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinates {
    rows: Rows<Entry>,
    cage_vertices: usize,
}

impl Coordinates {
    /// What they take of memory.
    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    /// No row yet, for a cage of so many vertices.
    pub fn new(cage_vertices: usize) -> Self {
        Self { rows: Rows::default(), cage_vertices }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of vertices of the cage, and of columns.
    pub fn cage_vertices(&self) -> usize {
        self.cage_vertices
    }

    /// The weights of point `i`, by rising cage vertex.
    pub fn row(&self, i: usize) -> &[Entry] {
        self.rows.row(i)
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Entry]> {
        self.rows.iter()
    }

    /// Where row `i` lies in [`Self::entries`].
    pub fn range(&self, i: usize) -> Range<usize> {
        self.rows.range(i)
    }

    /// The weights of all rows, one after the other.
    pub fn entries(&self) -> &[Entry] {
        self.rows.values()
    }

    /// Row by row a weight for every cage vertex, zeros included: shape (points, cage vertices).
    pub fn dense(&self) -> impl Iterator<Item = f32> {
        self.rows().flat_map(|row| {
            let mut entries = row.iter().peekable();
            (0..self.cage_vertices as u32)
                .map(move |c| entries.next_if(|entry| entry.vertex == c).map_or(0.0, |entry| entry.weight))
        })
    }

    /// Adds a row: a weight for every cage vertex, narrowed to f32.
    pub fn push_dense(&mut self, weights: &[f64]) {
        let stored = weights.iter().enumerate().filter(|(_, weight)| **weight as f32 != 0.0);
        self.rows.push(stored.map(|(c, &weight)| Entry { vertex: c as u32, weight: weight as f32 }));
    }

    /// Adds a row of `other`, which is over the same cage.
    pub fn push_row_of(&mut self, other: &Self, i: usize) {
        self.rows.push_rows_of(&other.rows, i..i + 1);
    }

    /// The same rows over other numbers of the cage vertices: what each became, among so many.
    pub fn renamed(&self, new_vertex: &[u32], cage_vertices: usize) -> Self {
        let mut rows = self.rows.clone();
        for i in 0..rows.len() {
            let row = rows.row_mut(i);
            row.iter_mut().for_each(|entry| entry.vertex = new_vertex[entry.vertex as usize]);
            row.sort_by_key(|entry| entry.vertex);
        }
        Self { rows, cage_vertices }
    }

    /// These rows with those listed in `rows` (rising) replaced by the rows of `by`, in order. Both are
    /// over the same cage; after an edit that renumbers it, [`Self::renamed`] comes first.
    pub fn with_rows(&self, rows: &[u32], by: &Self) -> Self {
        let mut result = Self::new(self.cage_vertices);
        let mut replaced = rows.iter().enumerate().peekable();
        for i in 0..self.len() {
            match replaced.next_if(|(_, row)| **row as usize == i) {
                Some((k, _)) => result.push_row_of(by, k),
                None => result.push_row_of(self, i),
            }
        }
        result
    }
}
