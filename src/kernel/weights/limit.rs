//! Cutting a row to a few influences without a jump.
//!
//! Dropping the weakest influence outright tears a skin where two influences swap ranks. Here the
//! strongest that must go sets a level l, and each that stays becomes (w² − l²) / w: nothing at the
//! level, nearly itself well above it, continuous throughout. Rows are normalised afterwards.

use super::Row;

/// Shares below this are the far tail of a solution and serve nobody.
const NEGLIGIBLE: f64 = 1e-3;

/// Keeps the `count` strongest influences of the row. The row has one entry per joint.
pub fn limit(row: &mut Row, count: usize) {
    row.retain(|(_, w)| w.is_finite() && *w > 0.0);
    let total: f64 = row.iter().map(|(_, w)| w).sum();
    if row.is_empty() || total <= 0.0 {
        return;
    }
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let strongest = row[0];
    let level = row.get(count).map_or(0.0, |(_, w)| w / total).max(NEGLIGIBLE);
    row.truncate(count);
    for (_, w) in row.iter_mut() {
        let share = *w / total;
        *w = if share > level { (share * share - level * level) / share } else { 0.0 };
    }
    row.retain(|(_, w)| *w > 0.0);
    if row.is_empty() {
        // More equal influences than may stay: any choice jumps somewhere, so take the first.
        row.push((strongest.0, 1.0));
    }
    let total: f64 = row.iter().map(|(_, w)| w).sum();
    row.iter_mut().for_each(|(_, w)| *w /= total);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_influences_that_swap_ranks_do_not_jump() {
        let cut = |a: f64, b: f64| {
            let mut row = vec![(0, 0.6), (1, a), (2, b)];
            limit(&mut row, 2);
            let share = |j| row.iter().find(|entry| entry.0 == j).map_or(0.0, |entry| entry.1);
            [share(0), share(1), share(2)]
        };
        let (before, after) = (cut(0.2001, 0.1999), cut(0.1999, 0.2001));
        assert!(before.iter().zip(after).all(|(x, y)| (x - y).abs() < 2e-3), "{before:?} {after:?}");
    }

    #[test]
    fn equal_shares_over_the_limit_still_leave_one() {
        let mut row = vec![(3, 0.25), (1, 0.25), (2, 0.25), (0, 0.25)];
        limit(&mut row, 2);
        assert_eq!(row, vec![(0, 1.0)]);
    }
}
