//! Which triangles of the cage each row of coordinates depends on: for a point inside those that it sees, for
//! all others every one. After a part of the cage was replaced, this tells which rows are still right.

/// A bit for each point and triangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependence {
    words: usize,
    bits: Vec<u64>,
}

impl Dependence {
    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.bits)
    }

    /// No point yet, over so many triangles.
    pub fn new(triangles: usize) -> Self {
        Self { words: triangles.div_ceil(64), bits: Vec::new() }
    }

    /// Adds a point.
    pub fn push(&mut self, seen: &[u64]) {
        self.bits.extend_from_slice(&seen[..self.words]);
    }

    /// The triangles of point `i`, a bit for each.
    pub fn row(&self, i: usize) -> &[u64] {
        &self.bits[i * self.words..(i + 1) * self.words]
    }

    /// The points, rising, that depend on any of the `triangles`.
    pub fn points_with(&self, triangles: &[u32]) -> Vec<u32> {
        if self.words == 0 {
            return Vec::new();
        }
        let mut mask = vec![0_u64; self.words];
        triangles.iter().for_each(|t| mask[*t as usize / 64] |= 1 << (t % 64));
        let rows = self.bits.chunks_exact(self.words).enumerate();
        let hit = rows.filter(|(_, row)| row.iter().zip(&mask).any(|(seen, wanted)| seen & wanted != 0));
        hit.map(|(i, _)| i as u32).collect()
    }

    /// The same over other numbers of the triangles: what each became, among so many.
    pub fn renamed(&self, new_triangle: &[Option<u32>], triangles: usize) -> Self {
        let mut result = Self::new(triangles);
        let count = self.bits.len().checked_div(self.words).unwrap_or(0);
        result.bits.resize(count * result.words, 0);
        for i in 0..count {
            let to = &mut result.bits[i * result.words..(i + 1) * result.words];
            for (word, bits) in self.row(i).iter().enumerate() {
                let mut left = *bits;
                while left != 0 {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    if let Some(Some(t)) = new_triangle.get(word * 64 + bit) {
                        to[*t as usize / 64] |= 1 << (t % 64);
                    }
                }
            }
        }
        result
    }

    /// The same with those `rows` replaced by the rows of `by`, in order.
    pub fn with_rows(mut self, rows: &[u32], by: &Self) -> Self {
        for (k, i) in rows.iter().enumerate() {
            let at = *i as usize * self.words;
            self.bits[at..at + self.words].copy_from_slice(by.row(k));
        }
        self
    }
}
