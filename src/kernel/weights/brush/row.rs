//! One vertex' weights under the brush: always normalised, locked joints untouched.

/// Joints and shares of one vertex, summing to one.
pub(super) type Row = Vec<(usize, f64)>;

/// Shares below this are dropped after a dab.
const NEGLIGIBLE: f64 = 1e-5;

/// The share of joint `j`.
pub(super) fn share(row: &Row, j: usize) -> f64 {
    row.iter().find(|entry| entry.0 == j).map_or(0.0, |entry| entry.1)
}

/// Gives joint `j` the share `wanted`, as far as locked joints leave room; the other joints give way
/// or fill up in proportion. `heirs` receive what nobody else can take; they are asked for only then.
pub(super) fn set(
    row: &mut Row,
    j: usize,
    wanted: f64,
    locked: &dyn Fn(usize) -> bool,
    heirs: impl Fn() -> Row,
) {
    if locked(j) {
        return;
    }
    let kept: f64 = row.iter().filter(|entry| locked(entry.0)).map(|entry| entry.1).sum();
    let room = (1.0 - kept).max(0.0);
    let wanted = wanted.clamp(0.0, room);
    let is_other = |entry: &(usize, f64)| entry.0 != j && !locked(entry.0);
    let mut others: f64 = row.iter().copied().filter(|entry| is_other(entry)).map(|entry| entry.1).sum();
    if others <= 0.0 && wanted < room {
        let free: Vec<(usize, f64)> =
            heirs().into_iter().filter(|heir| is_other(heir) && heir.1 > 0.0).collect();
        others = free.iter().map(|heir| heir.1).sum();
        if others <= 0.0 {
            // Nobody can take it: a row must not lose its sum.
            return;
        }
        row.extend(free);
    }
    let scale = if others > 0.0 { (room - wanted) / others } else { 0.0 };
    for entry in row.iter_mut().filter(|entry| entry.0 != j && !locked(entry.0)) {
        entry.1 *= scale;
    }
    row.retain(|entry| entry.0 != j);
    row.push((j, wanted));
}

/// Moves the row towards `mean` by `amount` in 0..=1; locked joints keep their shares.
pub(super) fn blend(row: &mut Row, mean: &Row, amount: f64, locked: &dyn Fn(usize) -> bool) {
    let kept: f64 = row.iter().filter(|entry| locked(entry.0)).map(|entry| entry.1).sum();
    for entry in row.iter_mut().filter(|entry| !locked(entry.0)) {
        entry.1 *= 1.0 - amount;
    }
    for &(j, w) in mean.iter().filter(|entry| !locked(entry.0)) {
        match row.iter_mut().find(|entry| entry.0 == j) {
            Some(entry) => entry.1 += amount * w,
            None => row.push((j, amount * w)),
        }
    }
    let free: f64 = row.iter().filter(|entry| !locked(entry.0)).map(|entry| entry.1).sum();
    if free > 0.0 {
        let scale = (1.0 - kept).max(0.0) / free;
        row.iter_mut().filter(|entry| !locked(entry.0)).for_each(|entry| entry.1 *= scale);
    }
}

/// Drops what is negligible, keeps at most `limit` joints (locked ones and `favourite` first), and
/// normalises.
pub(super) fn tidy(row: &mut Row, limit: usize, favourite: usize, locked: &dyn Fn(usize) -> bool) {
    row.retain(|entry| entry.1.is_finite() && (entry.1 > NEGLIGIBLE || (locked(entry.0) && entry.1 > 0.0)));
    let first = |j: usize| locked(j) || j == favourite;
    row.sort_by(|a, b| first(b.0).cmp(&first(a.0)).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
    row.truncate(limit.max(1));
    let total = |row: &Row, of: bool| row.iter().filter(|e| locked(e.0) == of).map(|e| e.1).sum::<f64>();
    let (kept, free) = (total(row, true), total(row, false));
    if free > 0.0 && kept < 1.0 {
        row.iter_mut().filter(|entry| !locked(entry.0)).for_each(|entry| entry.1 *= (1.0 - kept) / free);
    }
}
