//! Skinning weights: which joints move a vertex, and how much. Any number of influences.

use std::collections::BTreeMap;

use crate::kernel::math::rows::Rows;

/// One joint's share in a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// Index of the joint.
    pub joint: u16,
    /// Its share, in 0..=1.
    pub weight: f32,
}

/// The influences of every vertex, strongest first, all positive, summing to one. An empty row is a vertex that
/// nothing moves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    rows: Rows<Influence>,
    /// How far each row was set by hand, in 0..=1; empty where none was.
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

impl Weights {
    /// Collects one row per vertex: equal joints are added up, what is not finite and positive is
    /// dropped, the rest is sorted (strongest first) and normalised.
    pub fn from_rows<R>(rows: impl IntoIterator<Item = R>) -> Self
    where
        R: IntoIterator<Item = (usize, f64)>,
    {
        let mut made = Rows::default();
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for row in rows {
            sums.clear();
            for (joint, weight) in row {
                if weight.is_finite() && weight > 0.0 && joint <= usize::from(u16::MAX) {
                    *sums.entry(joint).or_default() += weight;
                }
            }
            let total: f64 = sums.values().sum();
            let shares = sums
                .iter()
                .map(|(&joint, &weight)| Influence { joint: joint as u16, weight: (weight / total) as f32 });
            made.push(shares.filter(|influence| influence.weight > 0.0));
            let row = made.len() - 1;
            made.row_mut(row).sort_by(|a, b| b.weight.total_cmp(&a.weight));
        }
        Self { rows: made, by_hand: Vec::new() }
    }

    /// For each of these vertices the joint that moves it most.
    pub fn strongest_joints(&self, vertices: &[u32]) -> Vec<Option<usize>> {
        vertices.iter().map(|vertex| self.strongest(*vertex as usize)).collect()
    }

    /// `count` vertices that nothing moves.
    pub fn none(count: usize) -> Self {
        Self { rows: Rows::empty(count), by_hand: Vec::new() }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The influences of vertex `i`, strongest first.
    pub fn row(&self, i: usize) -> &[Influence] {
        self.rows.row(i)
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Influence]> {
        self.rows.iter()
    }

    /// The share of joint `j` in vertex `i`.
    pub fn get(&self, i: usize, j: usize) -> f32 {
        self.row(i)
            .iter()
            .find(|influence| usize::from(influence.joint) == j)
            .map_or(0.0, |influence| influence.weight)
    }

    /// The joint with the largest share in vertex `i`, the first of equals.
    pub fn strongest(&self, i: usize) -> Option<usize> {
        self.row(i).first().map(|influence| usize::from(influence.joint))
    }

    /// What vertex `i` has of joints that count by `of`, such as 1 for those that turn and 0 for the others.
    pub fn part(&self, i: usize, of: impl Fn(usize) -> f64) -> f64 {
        let (mut whole, mut part) = (0.0, 0.0);
        for influence in self.row(i) {
            whole += f64::from(influence.weight);
            part += f64::from(influence.weight) * of(usize::from(influence.joint));
        }
        if whole > 0.0 { part / whole } else { 0.0 }
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
        self.rows.values().iter().map(|influence| usize::from(influence.joint) + 1).max().unwrap_or(0)
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
        let mut rows = Rows::with_capacity(self.len(), self.rows.values().len() + fresh.rows.values().len());
        let mut copied = 0;
        for (k, (i, _)) in changed.iter().enumerate() {
            debug_assert!(copied <= *i && *i < self.len(), "vertices rise");
            rows.push_rows_of(&self.rows, copied..*i);
            rows.push_rows_of(&fresh.rows, k..k + 1);
            copied = i + 1;
        }
        rows.push_rows_of(&self.rows, copied..self.len());
        let amounts = changed.iter().enumerate().map(|(k, (i, _))| {
            let joints =
                self.row(*i).iter().chain(fresh.row(k)).map(|influence| usize::from(influence.joint));
            let given: f32 = joints.map(|j| (fresh.get(k, j) - self.get(*i, j)).max(0.0)).fold(0.0, f32::max);
            (*i, self.by_hand(*i) + PAINTED * given)
        });
        Self { rows, by_hand: self.by_hand.clone() }.known_by_hand(amounts.collect::<Vec<_>>())
    }

    /// What they take of memory.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + size_of_val(&*self.by_hand)
    }

    /// Rows in another order or number: row `k` of the result is row `of(k)` of this.
    pub fn gathered(&self, of: impl IntoIterator<Item = usize>) -> Self {
        let mut rows = Rows::default();
        of.into_iter().for_each(|i| rows.push_rows_of(&self.rows, i..i + 1));
        Self { rows, by_hand: Vec::new() }
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
