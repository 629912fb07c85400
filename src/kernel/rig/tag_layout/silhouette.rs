//! What the front view says: the middle line, where the legs part, where the neck is.

use super::cells::BodyCells;

/// The front view, in cells: which columns of each row the body covers.
pub(super) struct Silhouette {
    rows: Vec<Vec<bool>>,
    /// The middle line, in columns.
    pub middle: f64,
}

impl Silhouette {
    pub fn of(cells: &BodyCells) -> Self {
        let [columns, rows, _] = cells.grid.count;
        let rows: Vec<Vec<bool>> =
            (0..rows).map(|y| (0..columns).map(|x| cells.covered(x, y)).collect()).collect();
        let mut silhouette = Self { rows, middle: 0.5 * columns as f64 };
        silhouette.middle = silhouette.line_of_symmetry();
        silhouette
    }

    /// Rows from the ground to the crown.
    pub fn height(&self) -> f64 {
        self.rows.len() as f64
    }

    /// Of the lines near the middle of the box the one that most of the view mirrors at.
    fn line_of_symmetry(&self) -> f64 {
        let columns = self.rows.first().map_or(0, Vec::len) as i64;
        let reach = (self.height() * 0.1) as i64;
        // Twice the line, so that it may run between two columns.
        let overlap = |sum: i64| {
            let pairs = self.rows.iter().map(|row| {
                (0..columns)
                    .filter(|&x| {
                        row[x as usize] && (0..columns).contains(&(sum - x)) && row[(sum - x) as usize]
                    })
                    .count()
            });
            pairs.sum::<usize>()
        };
        let best = (columns - 1 - reach..=columns - 1 + reach)
            .max_by_key(|&sum| (overlap(sum), -(sum - columns + 1).abs()))
            .unwrap_or(columns - 1);
        0.5 * (best + 1) as f64
    }

    /// Runs of covered columns of row `y`, first and one past the last, relative to the middle line.
    pub fn runs(&self, y: usize) -> Vec<[f64; 2]> {
        let mut runs: Vec<[f64; 2]> = Vec::new();
        for (x, _) in self.rows[y].iter().enumerate().filter(|(_, covered)| **covered) {
            let from = x as f64 - self.middle;
            match runs.last_mut() {
                Some(last) if last[1] == from => last[1] += 1.0,
                _ => runs.push([from, from + 1.0]),
            }
        }
        runs
    }

    /// Half the width of the run over the middle line; `None` where the line is free.
    pub fn half_width(&self, y: usize) -> Option<f64> {
        let runs = self.runs(y);
        runs.iter().find(|run| run[0] < 0.5 && run[1] > -0.5).map(|run| 0.5 * (run[1] - run[0]))
    }

    /// The row where the legs part: above the highest free stretch of the middle line below the waist.
    /// `None` where that is the hem of a skirt, much wider than the legs under it.
    pub fn crotch(&self) -> Option<f64> {
        let last = (0.6 * self.height()) as usize;
        let free = (0..last).rev().find(|&y| self.half_width(y).is_none())?;
        let below = free.saturating_sub(2);
        let [left, right] = [1.0, -1.0].map(|side| {
            let runs = self.runs(below).into_iter().filter(|run| (run[0] + run[1]) * side > 0.0);
            runs.map(|run| (run[0] * side).max(run[1] * side)).fold(f64::INFINITY, f64::min)
        });
        let hem = self.half_width(free + 2)? > 1.2 * 0.5 * (left + right);
        Some(free as f64 + 1.0).filter(|row| !hem && *row > 0.08 * self.height())
    }

    /// The narrowest row between head and shoulders, if there is a clear one.
    pub fn neck(&self) -> Option<f64> {
        let widths: Vec<f64> = (0..self.rows.len()).map(|y| self.half_width(y).unwrap_or(0.0)).collect();
        let widest = |rows: std::ops::Range<usize>| widths[rows].iter().copied().fold(0.0, f64::max);
        let reach = (0.2 * self.height()) as usize;
        let (first, last) = ((0.55 * self.height()) as usize, (0.95 * self.height()) as usize);
        let narrowness = |y: usize| {
            let around = widest(y + 1..widths.len()).min(widest(y.saturating_sub(reach)..y));
            if around > 0.0 && widths[y] > 0.0 { widths[y] / around } else { f64::INFINITY }
        };
        // A waist is a valley too: but a neck is thinner, and has no arms above it.
        let reaches: Vec<f64> = (0..self.rows.len())
            .map(|y| self.runs(y).into_iter().flatten().map(f64::abs).fold(0.0, f64::max))
            .collect();
        let farthest = |rows: &[f64]| rows.iter().copied().fold(0.0, f64::max);
        // Arms that are spread out reach farthest; arms that hang leave the shoulders the widest.
        let low = (0.72 * self.height()) as usize;
        let under_arms = |y: usize| {
            farthest(&reaches[y..]) >= 0.9 * farthest(&reaches)
                || (y < low && farthest(&widths[y..]) >= 0.9 * farthest(&widths))
        };
        let clear = (first..last).filter(|&y| narrowness(y) < 0.85 && !under_arms(y));
        clear.min_by(|&a, &b| widths[a].total_cmp(&widths[b])).map(|y| y as f64 + 0.5)
    }

    /// The middle of the leg at row `y` on one side (+1 or −1), from the middle line; `None` where the
    /// legs cannot be told apart.
    pub fn leg(&self, y: usize, side: f64) -> Option<f64> {
        let centers = self.runs(y).into_iter().filter(|run| run[0] >= -0.5 || run[1] <= 0.5);
        centers
            .map(|run| 0.5 * (run[0] + run[1]) * side)
            .filter(|center| *center > 0.0)
            .min_by(f64::total_cmp)
    }
}
