//! Cage coordinates as sparse rows: what is stored, written and sent to the GPU.

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
    /// Where each row begins in `entries`, and where the last ends.
    offsets: Vec<u32>,
    entries: Vec<Entry>,
    cage_vertices: usize,
}

impl Coordinates {
    /// No row yet, for a cage of so many vertices.
    pub fn new(cage_vertices: usize) -> Self {
        Self { offsets: vec![0], entries: Vec::new(), cage_vertices }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
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
        &self.entries[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Entry]> {
        (0..self.len()).map(|i| self.row(i))
    }

    /// Where each row begins in [`Self::entries`], and where the last ends.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The weights of all rows, one after the other.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
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
        self.entries.extend(stored.map(|(c, &weight)| Entry { vertex: c as u32, weight: weight as f32 }));
        self.offsets.push(self.entries.len() as u32);
    }

    /// Adds a row of `other`, which is over the same cage.
    pub fn push_row_of(&mut self, other: &Self, i: usize) {
        self.entries.extend_from_slice(other.row(i));
        self.offsets.push(self.entries.len() as u32);
    }

    /// The same rows over other numbers of the cage vertices: what each became, among so many.
    pub fn renamed(&self, new_vertex: &[u32], cage_vertices: usize) -> Self {
        let mut result = Self { offsets: self.offsets.clone(), entries: self.entries.clone(), cage_vertices };
        for entry in &mut result.entries {
            entry.vertex = new_vertex[entry.vertex as usize];
        }
        for range in self.offsets.windows(2) {
            result.entries[range[0] as usize..range[1] as usize].sort_by_key(|entry| entry.vertex);
        }
        result
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
