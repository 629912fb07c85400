//! Vertices out of face corners: where one file vertex meets several texture coordinates or
//! normals, the first pair encountered stays on the vertex itself and each further pair becomes a
//! drawing copy at the end, so that the file's vertex order survives.

use std::collections::HashMap;
use std::hash::Hash;

/// Index into a table of texture coordinates or normals that no corner named.
pub const NONE: u32 = u32::MAX;

/// The vertices met so far: the file's own and the copies.
#[derive(Debug)]
pub struct Corners {
    /// Texture coordinate and normal on each vertex; `None` until a corner names the vertex.
    pairs: Vec<Option<[u32; 2]>>,
    own: usize,
    copy_of: Vec<u32>,
    copies: HashMap<[u32; 3], u32>,
}

impl Corners {
    /// `own` file vertices and no copy yet.
    pub fn new(own: usize) -> Self {
        Self { pairs: vec![None; own], own, copy_of: Vec::new(), copies: HashMap::new() }
    }

    /// The vertex for a corner at file vertex `v` with texture coordinate `uv` and normal `normal`,
    /// either of which may be [`NONE`].
    pub fn vertex(&mut self, v: u32, uv: u32, normal: u32) -> u32 {
        let pair = [uv, normal];
        match &mut self.pairs[v as usize] {
            first @ None => {
                *first = Some(pair);
                v
            }
            Some(first) if *first == pair => v,
            Some(_) => *self.copies.entry([v, uv, normal]).or_insert_with(|| {
                self.copy_of.push(v);
                self.pairs.push(Some(pair));
                (self.own + self.copy_of.len() - 1) as u32
            }),
        }
    }

    /// The file vertex behind each copy.
    pub fn copy_of(&self) -> &[u32] {
        &self.copy_of
    }

    /// One value a vertex, copies included, made from its file vertex.
    pub fn spread<T: Clone>(&self, per_file_vertex: &[T]) -> Vec<T> {
        let copies = self.copy_of.iter().map(|&v| per_file_vertex[v as usize].clone());
        per_file_vertex.iter().cloned().chain(copies).collect()
    }

    /// As [`Self::spread`], and empty where there is nothing to spread.
    pub fn spread_or_empty<T: Clone>(&self, per_file_vertex: &[T]) -> Vec<T> {
        if per_file_vertex.is_empty() { Vec::new() } else { self.spread(per_file_vertex) }
    }

    /// The texture coordinate of each vertex out of `table`; empty where no corner has one.
    pub fn uvs<T: Clone>(&self, table: &[T], missing: T) -> Vec<T> {
        self.gather(0, table, missing)
    }

    /// The normal of each vertex out of `table`; empty where no corner has one.
    pub fn normals<T: Clone>(&self, table: &[T], missing: T) -> Vec<T> {
        self.gather(1, table, missing)
    }

    fn gather<T: Clone>(&self, which: usize, table: &[T], missing: T) -> Vec<T> {
        let found = |pair: &Option<[u32; 2]>| pair.and_then(|pair| table.get(pair[which] as usize)).cloned();
        if self.pairs.iter().all(|pair| found(pair).is_none()) {
            return Vec::new();
        }
        self.pairs.iter().map(|pair| found(pair).unwrap_or_else(|| missing.clone())).collect()
    }
}

/// A table of values in which equal ones share the first index: exporters that write a normal for
/// every corner would otherwise split every vertex.
#[derive(Debug)]
pub struct Table<K> {
    first: HashMap<K, u32>,
    index: Vec<u32>,
}

impl<K> Default for Table<K> {
    fn default() -> Self {
        Self { first: HashMap::new(), index: Vec::new() }
    }
}

impl<K: Hash + Eq> Table<K> {
    /// Notes the next value of the file by a key that tells values apart.
    pub fn push(&mut self, key: K) {
        let next = self.index.len() as u32;
        self.index.push(*self.first.entry(key).or_insert(next));
    }

    /// The first index with the value at `k`.
    pub fn canonical(&self, k: usize) -> Option<u32> {
        self.index.get(k).copied()
    }

    /// Number of values in the file.
    pub fn len(&self) -> usize {
        self.index.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_pair_makes_one_copy_however_often_it_is_met() {
        let mut corners = Corners::new(2);
        assert_eq!(corners.vertex(1, 5, NONE), 1);
        assert_eq!(corners.vertex(1, 6, NONE), 2);
        assert_eq!(corners.vertex(1, 5, NONE), 1);
        assert_eq!(corners.vertex(1, 6, NONE), 2);
        assert_eq!(corners.copy_of(), [1]);
        assert_eq!(corners.spread(&["a", "b"]), ["a", "b", "b"]);
        assert!(corners.normals(&[0.0], 0.0).is_empty());
    }
}
