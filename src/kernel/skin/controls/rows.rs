//! Which controls a vertex hangs on, and by how much: sparse rows, cleaned once for CPU and GPU.

use crate::kernel::math::rows::Rows;

/// Share of a vertex that may be dropped with its smallest weights.
///
/// Let δ be the dropped share of a row of positive weights, k the mean of what is kept and d the mean
/// of what is dropped: the vertex (1 − δ) k + δ d becomes k, so it moves by δ |d − k|. Both means lie
/// among the controls, hence by at most δ times the controls' diameter, in every pose: below a
/// millionth of the skin's diagonal for any cage up to twice as wide as its skin. At rest the same
/// bound holds for linear precision (Σ λ_c c = v).
pub const DROPPED_SHARE: f64 = 5e-7;

/// One control's share in a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlWeight {
    /// Index of the control.
    pub control: u32,
    /// Its share.
    pub weight: f32,
}

/// Weights of every vertex, controls rising, no zeros, summing to one. An empty row is a vertex that stays at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlRows {
    control_count: usize,
    rows: Rows<ControlWeight>,
    spread: f32,
}

impl ControlRows {
    /// What they take of memory.
    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    /// Collects one row per vertex over `control_count` controls: equal controls are added up, what is
    /// not finite or names no control is dropped, the rest is normalised. A row of positive weights
    /// loses its smallest, up to [`DROPPED_SHARE`]; one with negative weights keeps them all. A row
    /// that sums to nothing is empty.
    pub fn from_rows<R>(control_count: usize, rows: impl IntoIterator<Item = R>) -> Self
    where
        R: IntoIterator<Item = (usize, f64)>,
    {
        let mut packed = Self { control_count, rows: Rows::default(), spread: 1.0 };
        let (mut row, mut by_size) = (Vec::new(), Vec::new());
        for given in rows {
            row.clear();
            row.extend(given.into_iter().filter(|(c, w)| *c < control_count && w.is_finite() && *w != 0.0));
            normalise(&mut row);
            drop_smallest(&mut row, &mut by_size);
            packed.spread = packed.spread.max(row.iter().map(|(_, w)| w.abs()).sum::<f64>() as f32);
            let narrowed = row.iter().map(|&(c, w)| ControlWeight { control: c as u32, weight: w as f32 });
            packed.rows.push(narrowed.filter(|share| share.weight != 0.0));
        }
        packed
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of controls.
    pub fn control_count(&self) -> usize {
        self.control_count
    }

    /// Number of weights.
    pub fn weight_count(&self) -> usize {
        self.rows.values().len()
    }

    /// The weights of vertex `i`, controls rising.
    pub fn row(&self, i: usize) -> &[ControlWeight] {
        self.rows.row(i)
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[ControlWeight]> {
        self.rows.iter()
    }

    /// The largest Σ |λ_c| of a row: 1 where all weights are positive. A vertex leaves the box around
    /// the controls by no more than this factor, about the box's middle.
    pub fn spread(&self) -> f32 {
        self.spread
    }
}

/// Sorts by control, adds equal ones up and divides by the sum; a sum of nothing empties the row.
fn normalise(row: &mut Vec<(usize, f64)>) {
    if !row.is_sorted_by(|a, b| a.0 < b.0) {
        row.sort_by_key(|(control, _)| *control);
        row.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            kept.1 += if same { later.1 } else { 0.0 };
            same
        });
    }
    let (total, size) = row.iter().fold((0.0, 0.0), |(total, size), (_, w)| (total + w, size + w.abs()));
    if total.is_finite() && total > 1e-6 * size {
        row.iter_mut().for_each(|(_, w)| *w /= total);
    } else {
        row.clear();
    }
}

/// Takes the smallest weights away while they make up no more than [`DROPPED_SHARE`].
fn drop_smallest(row: &mut Vec<(usize, f64)>, by_size: &mut Vec<f64>) {
    by_size.clear();
    by_size.extend(row.iter().map(|(_, w)| *w).filter(|w| *w <= DROPPED_SHARE));
    if by_size.is_empty() || by_size.iter().any(|w| *w < 0.0) {
        return;
    }
    by_size.sort_unstable_by(f64::total_cmp);
    let mut dropped = 0.0;
    let first_kept = by_size.iter().find(|w| {
        dropped += **w;
        dropped > DROPPED_SHARE
    });
    // Equals of the first kept one are kept too, so no more than the share is lost.
    match first_kept {
        Some(limit) => row.retain(|(_, w)| w >= limit),
        None => row.retain(|(_, w)| *w > DROPPED_SHARE),
    }
    let total: f64 = row.iter().map(|(_, w)| w).sum();
    row.iter_mut().for_each(|(_, w)| *w /= total);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_merged_cleaned_and_normalised() {
        let rows = ControlRows::from_rows(
            4,
            [
                vec![(2, 1.0), (0, 1.0), (2, 2.0), (9, 5.0), (1, f64::NAN), (3, 0.0)],
                vec![],
                vec![(0, 1.0), (1, -1.0)],
                vec![(1, 2.0), (3, -1.0)],
            ],
        );
        let share = |control, weight| ControlWeight { control, weight };
        assert_eq!(rows.row(0), [share(0, 0.25), share(2, 0.75)]);
        assert!(rows.row(1).is_empty() && rows.row(2).is_empty(), "nothing to hang on");
        assert_eq!(rows.row(3), [share(1, 2.0), share(3, -1.0)]);
        assert_eq!(rows.spread(), 3.0);
    }

    #[test]
    fn what_is_dropped_moves_no_vertex_by_more_than_the_bound() {
        // Controls on a cube's corners; weights fall off so that some of them are tiny.
        let corner = |c: usize| [c & 1, c >> 1 & 1, c >> 2 & 1].map(|x| x as f64);
        let rows: Vec<Vec<(usize, f64)>> =
            (0..400).map(|i| (0..8).map(|c| (c, (-0.1 * (i * c) as f64).exp())).collect()).collect();
        let packed = ControlRows::from_rows(8, rows.iter().map(|row| row.iter().copied()));
        let mut lost = 0;
        for (row, kept) in rows.iter().zip(packed.rows()) {
            let total: f64 = row.iter().map(|(_, w)| w).sum();
            lost += row.len() - kept.len();
            for axis in 0..3 {
                let whole: f64 = row.iter().map(|(c, w)| w / total * corner(*c)[axis]).sum();
                let after: f64 = kept
                    .iter()
                    .map(|share| f64::from(share.weight) * corner(share.control as usize)[axis])
                    .sum();
                // The bound, and the rounding of the weights to f32.
                assert!((whole - after).abs() <= DROPPED_SHARE * 3_f64.sqrt() + 2e-7);
            }
        }
        assert!(lost > 100, "the test drops something");
    }

    #[test]
    fn many_equal_crumbs_are_not_swept_away_together() {
        let crumbs = (1..1001).map(|c| (c, 1e-8));
        let rows = ControlRows::from_rows(1001, [[(0, 1.0)].into_iter().chain(crumbs)]);
        let kept: f64 = rows.row(0).iter().map(|share| f64::from(share.weight)).sum();
        assert!((kept - 1.0).abs() < 1e-6);
        assert!(rows.row(0).len() == 1001, "equals stay together");
    }
}
