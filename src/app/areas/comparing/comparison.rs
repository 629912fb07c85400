//! Methods measured over one motion, for the Compare workspace.

use super::figures::Figure;
use crate::app::jobs::{Inputs, JobKind};
use crate::jobs::measure::Row;

/// Measures methods over a motion.
pub const COMPARE: JobKind = JobKind::shown("compare");

/// The measures of several methods over a motion.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The motion's name.
    pub motion: String,
    /// One row per method and moment.
    pub rows: Vec<Row>,
    /// What was measured: once that has changed, the figures are of a skin that is no more.
    pub inputs: Inputs,
}

impl Comparison {
    /// The methods that were measured, in order.
    pub fn methods(&self) -> Vec<&'static str> {
        let mut methods: Vec<&'static str> = Vec::new();
        for row in &self.rows {
            if !methods.contains(&row.method) {
                methods.push(row.method);
            }
        }
        methods
    }

    /// Time and value of a figure, over the motion.
    pub fn curve(&self, method: &str, figure: Figure) -> Vec<[f64; 2]> {
        let rows = self.rows.iter().filter(|row| row.method == method);
        rows.map(|row| [row.time_secs.unwrap_or_default(), figure.value(row)]).collect()
    }

    /// The worst moments of a method by a figure, worst first, no two within half a second.
    pub fn worst(&self, method: &str, figure: Figure, count: usize) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| row.method == method).collect();
        rows.sort_by(|a, b| figure.badness_of(b).total_cmp(&figure.badness_of(a)));
        let mut worst: Vec<&Row> = Vec::new();
        for row in rows {
            let time = |row: &Row| row.time_secs.unwrap_or_default();
            if worst.len() < count && worst.iter().all(|other| (time(other) - time(row)).abs() > 0.5) {
                worst.push(row);
            }
        }
        worst
    }
}
