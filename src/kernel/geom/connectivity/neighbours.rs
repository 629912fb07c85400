//! The points around each point of a surface.

use crate::kernel::math::rows::Rows;

/// For each point those that an edge joins with it, rising, each once.
#[derive(Debug, Clone, Default)]
pub struct Neighbours(Rows<u32>);

impl Neighbours {
    /// The neighbours of `count` points between triangles.
    pub fn of(count: usize, triangles: &[[u32; 3]]) -> Self {
        let both_ways =
            triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]);
        let mut all = Rows::from_pairs(count, both_ways);
        let mut once = Rows::default();
        for p in 0..count {
            let row = all.row_mut(p);
            row.sort_unstable();
            once.push(row.chunk_by(u32::eq).map(|same| same[0]));
        }
        Self(once)
    }

    /// The neighbours of point `p`.
    pub fn around(&self, p: usize) -> &[u32] {
        self.0.row(p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_rise_and_come_once() {
        let neighbours = Neighbours::of(5, &[[2, 0, 1], [0, 2, 3]]);
        assert_eq!(neighbours.around(0), [1, 2, 3]);
        assert_eq!(neighbours.around(2), [0, 1, 3]);
        assert!(neighbours.around(4).is_empty());
    }
}
