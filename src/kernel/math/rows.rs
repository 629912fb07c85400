//! Rows of different lengths in one run of memory.

use std::ops::Range;

/// A list of rows: row `i` is `values[starts[i]..starts[i + 1]]`. One allocation for all of them, so that a
/// loop over rows reads memory in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows<T> {
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], values: Vec::new() }
    }
}

impl<T> Rows<T> {
    /// So many rows of nothing.
    pub fn empty(count: usize) -> Self {
        Self { starts: vec![0; count + 1], values: Vec::new() }
    }

    /// No row yet, with memory for so many and for their values.
    pub fn with_capacity(rows: usize, values: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self { starts, values: Vec::with_capacity(values) }
    }

    /// Sorts values into `count` rows, each into the row that stands before it; within a row they keep their order.
    pub fn from_pairs(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self
    where
        T: Copy + Default,
    {
        let mut starts = vec![0_u32; count + 1];
        pairs.clone().for_each(|(row, _)| starts[row as usize + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut values = vec![T::default(); starts[count] as usize];
        for (row, value) in pairs {
            let at = &mut next[row as usize];
            values[*at as usize] = value;
            *at += 1;
        }
        Self { starts, values }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.values.extend(row);
        self.starts.push(self.values.len() as u32);
    }

    /// Adds a run of another's rows.
    pub fn push_rows_of(&mut self, other: &Self, rows: Range<usize>)
    where
        T: Copy,
    {
        let (from, to) = (other.starts[rows.start], other.starts[rows.end]);
        let shift = (self.values.len() as u32).wrapping_sub(from);
        self.values.extend_from_slice(&other.values[from as usize..to as usize]);
        let ends = &other.starts[rows.start + 1..=rows.end];
        self.starts.extend(ends.iter().map(|end| end.wrapping_add(shift)));
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where row `i` lies in [`Self::values`].
    #[inline]
    pub fn range(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[T] {
        &self.values[self.range(i)]
    }

    /// Row `i`, to be changed in place.
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        let range = self.range(i);
        &mut self.values[range]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        (0..self.len()).map(|i| self.row(i))
    }

    /// The values of all rows, one after the other.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(self.starts()) + size_of_val(self.values())
    }

    /// Where each row begins, and where the last ends.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }
}

impl<T, R: IntoIterator<Item = T>> FromIterator<R> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut made = Self::default();
        rows.into_iter().for_each(|row| made.push(row));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_into_rows_and_keep_their_order() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd')];
        let rows = Rows::from_pairs(4, pairs.into_iter());
        assert_eq!(rows, [vec!['b', 'd'], vec![], vec!['a', 'c'], vec![]].into_iter().collect());
        assert_eq!((rows.len(), rows.range(2)), (4, 2..4));
    }

    #[test]
    fn runs_of_rows_are_copied_whole() {
        let rows: Rows<u8> = [vec![1, 2], vec![], vec![3], vec![4, 5]].into_iter().collect();
        let mut made = Rows::default();
        made.push([9]);
        made.push_rows_of(&rows, 1..4);
        made.push_rows_of(&rows, 0..0);
        made.push_rows_of(&rows, 0..1);
        assert_eq!(made, [vec![9], vec![], vec![3], vec![4, 5], vec![1, 2]].into_iter().collect());
        assert_eq!(Rows::<u8>::empty(2).iter().map(<[u8]>::len).collect::<Vec<_>>(), [0, 0]);
    }
}
