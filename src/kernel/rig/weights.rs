//! Skinning weights: which joints move a vertex, and how much. Any number of influences.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One joint's share in a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Influence {
    /// Index of the joint.
    pub joint: u16,
    /// Its share, in 0..=1.
    pub weight: f32,
}

/// Influences of every vertex in one run of memory: vertex `i` owns `influences[starts[i]..starts[i + 1]]`,
/// strongest first, all positive, summing to one. An empty row is a vertex that nothing moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    starts: Vec<u32>,
    influences: Vec<Influence>,
    /// How far each row was set by hand, in 0..=1; empty where none was.
    #[serde(default)]
    by_hand: Vec<f32>,
}

/// A row counts as wholly set by hand once a joint was given one part in this many.
const PAINTED: f32 = 4.0;

/// What cutting small influences cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PruneCost {
    /// How many vertices lost an influence.
    pub vertices: usize,
    /// The largest share that one vertex lost.
    pub largest_share: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { starts: vec![0], influences: Vec::new(), by_hand: Vec::new() }
    }
}

impl Weights {
    /// Collects one row per vertex: equal joints are added up, what is not finite and positive is
    /// dropped, the rest is sorted (strongest first) and normalised.
    pub fn from_rows<R>(rows: impl IntoIterator<Item = R>) -> Self
    where
        R: IntoIterator<Item = (usize, f64)>,
    {
        let mut weights = Self::default();
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for row in rows {
            sums.clear();
            for (joint, weight) in row {
                if weight.is_finite() && weight > 0.0 && joint <= usize::from(u16::MAX) {
                    *sums.entry(joint).or_default() += weight;
                }
            }
            let total: f64 = sums.values().sum();
            let start = weights.influences.len();
            weights.influences.extend(
                sums.iter()
                    .map(|(&joint, &weight)| Influence {
                        joint: joint as u16,
                        weight: (weight / total) as f32,
                    })
                    .filter(|influence| influence.weight > 0.0),
            );
            weights.influences[start..].sort_by(|a, b| b.weight.total_cmp(&a.weight));
            weights.starts.push(weights.influences.len() as u32);
        }
        weights
    }

    /// For each of these vertices the joint that moves it most.
    pub fn strongest_joints(&self, vertices: &[u32]) -> Vec<Option<usize>> {
        let strongest = |i: &u32| self.row(*i as usize).first().map(|share| usize::from(share.joint));
        vertices.iter().map(strongest).collect()
    }

    /// `count` vertices that nothing moves.
    pub fn none(count: usize) -> Self {
        Self { starts: vec![0; count + 1], ..Self::default() }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The influences of vertex `i`, strongest first.
    pub fn row(&self, i: usize) -> &[Influence] {
        &self.influences[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Influence]> {
        (0..self.len()).map(|i| self.row(i))
    }

    /// The share of joint `j` in vertex `i`.
    pub fn get(&self, i: usize, j: usize) -> f32 {
        self.row(i)
            .iter()
            .find(|influence| usize::from(influence.joint) == j)
            .map_or(0.0, |influence| influence.weight)
    }

    /// The most influences on one vertex.
    pub fn max_influences(&self) -> usize {
        self.rows().map(<[Influence]>::len).max().unwrap_or(0)
    }

    /// How many vertices nothing moves.
    pub fn unweighted(&self) -> usize {
        self.rows().filter(|row| row.is_empty()).count()
    }

    /// One past the highest joint that is used.
    pub fn joint_bound(&self) -> usize {
        self.influences.iter().map(|influence| usize::from(influence.joint) + 1).max().unwrap_or(0)
    }

    /// Keeps the `limit` strongest influences of each vertex and normalises again.
    pub fn pruned(&self, limit: usize) -> (Self, PruneCost) {
        let mut cost = PruneCost { vertices: 0, largest_share: 0.0 };
        for row in self.rows().filter(|row| row.len() > limit) {
            cost.vertices += 1;
            cost.largest_share =
                cost.largest_share.max(row[limit..].iter().map(|influence| influence.weight).sum());
        }
        let kept = Self::from_rows(self.rows().map(|row| {
            row.iter()
                .take(limit)
                .map(|influence| (usize::from(influence.joint), f64::from(influence.weight)))
        }));
        (kept, cost)
    }

    /// How far the row of vertex `i` was set by hand, in 0..=1: what automatic smoothing leaves alone.
    pub fn by_hand(&self, i: usize) -> f32 {
        self.by_hand.get(i).copied().unwrap_or(0.0)
    }

    /// These weights with what is known of their rows: `(vertex, how far it was set by hand)`.
    pub fn known_by_hand(mut self, rows: impl IntoIterator<Item = (usize, f32)>) -> Self {
        let count = self.len();
        for (i, amount) in rows.into_iter().filter(|(i, amount)| *i < count && amount.is_finite()) {
            self.by_hand.resize(count, 0.0);
            self.by_hand[i] = amount.clamp(0.0, 1.0);
        }
        self
    }

    /// These weights with some rows painted: `(vertex, joints and shares)`, vertices rising. Rows are
    /// cleaned as [`Self::from_rows`] does; the others are copied in long runs.
    pub fn painted(&self, changed: &[(usize, Vec<(usize, f64)>)]) -> Self {
        let fresh = Self::from_rows(changed.iter().map(|(_, row)| row.iter().copied()));
        let mut weights = Self {
            starts: Vec::with_capacity(self.starts.len()),
            influences: Vec::with_capacity(self.influences.len() + fresh.influences.len()),
            by_hand: self.by_hand.clone(),
        };
        weights.starts.push(0);
        let mut copied = 0;
        let ends = changed.iter().map(|(i, _)| *i).chain([self.len()]);
        for (k, i) in ends.enumerate() {
            debug_assert!(copied <= i && i <= self.len(), "vertices rise");
            let (from, to) = (self.starts[copied], self.starts[i]);
            let shift = (weights.influences.len() as u32).wrapping_sub(from);
            weights.influences.extend_from_slice(&self.influences[from as usize..to as usize]);
            weights.starts.extend(self.starts[copied + 1..=i].iter().map(|start| start.wrapping_add(shift)));
            if k < changed.len() {
                weights.influences.extend_from_slice(fresh.row(k));
                weights.starts.push(weights.influences.len() as u32);
                copied = i + 1;
            }
        }
        let amounts = changed.iter().enumerate().map(|(k, (i, _))| {
            let joints =
                self.row(*i).iter().chain(fresh.row(k)).map(|influence| usize::from(influence.joint));
            let given: f32 = joints.map(|j| (fresh.get(k, j) - self.get(*i, j)).max(0.0)).fold(0.0, f32::max);
            (*i, self.by_hand(*i) + PAINTED * given)
        });
        weights.known_by_hand(amounts.collect::<Vec<_>>())
    }

    /// Rows in another order or number: row `k` of the result is row `of(k)` of this.
    pub fn gathered(&self, of: impl IntoIterator<Item = usize>) -> Self {
        let mut weights = Self::default();
        for i in of {
            weights.influences.extend_from_slice(self.row(i));
            weights.starts.push(weights.influences.len() as u32);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_merged_sorted_and_normalised() {
        let weights =
            Weights::from_rows([vec![(3, 1.0), (1, 2.0), (3, 3.0), (2, -1.0), (4, f64::NAN)], vec![]]);
        let row = weights.row(0);
        assert_eq!(row.iter().map(|i| i.joint).collect::<Vec<_>>(), [3, 1]);
        assert!((row[0].weight - 4.0 / 6.0).abs() < 1e-6);
        assert_eq!(weights.unweighted(), 1);
    }

    #[test]
    fn replaced_rows_are_as_if_all_had_been_collected_anew() {
        let rows = [vec![(0, 1.0)], vec![(1, 0.5), (2, 0.5)], vec![], vec![(2, 1.0)]];
        let weights = Weights::from_rows(rows.clone());
        for changed in [vec![], vec![0], vec![3], vec![0, 1, 2, 3], vec![1, 3], vec![2]] {
            let mut wanted = rows.clone();
            let fresh: Vec<_> = changed.iter().map(|&i| (i, vec![(7, 3.0), (0, 1.0)])).collect();
            fresh.iter().for_each(|(i, row)| wanted[*i] = row.clone());
            let painted = weights.painted(&fresh);
            assert!(painted.rows().eq(Weights::from_rows(wanted).rows()));
            let by_hand = (0..rows.len()).filter(|i| painted.by_hand(*i) > 0.0);
            assert_eq!(by_hand.collect::<Vec<_>>(), changed, "hands are remembered");
        }
    }

    #[test]
    fn pruning_says_what_it_cost() {
        let weights = Weights::from_rows([[(0, 0.5), (1, 0.3), (2, 0.2)], [(0, 1.0), (1, 0.0), (2, 0.0)]]);
        let (kept, cost) = weights.pruned(2);
        assert_eq!(cost.vertices, 1);
        assert!((cost.largest_share - 0.2).abs() < 1e-6);
        assert!((kept.get(0, 0) - 0.625).abs() < 1e-6);
        assert_eq!(kept.max_influences(), 2);
    }
}
