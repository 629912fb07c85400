//! Methods measured over one motion, for the Compare workspace.

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

/// A figure that can be plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Figure {
    /// Volume over that at rest.
    #[default]
    Volume,
    /// First percentile of girth.
    Girth,
    /// 99th percentile of stretch.
    Stretch,
    /// Triangle pairs that cross.
    Crossings,
    /// How much of the surface is torn.
    Torn,
    /// How much of the flesh is thin.
    Thin,
    /// How far skin moves that should rest.
    Stray,
}

impl Figure {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Volume, Self::Girth, Self::Stretch, Self::Crossings, Self::Torn, Self::Thin, Self::Stray];

    /// What the panel says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Volume => "Volume",
            Self::Girth => "Girth",
            Self::Stretch => "Stretch",
            Self::Crossings => "Crossings",
            Self::Torn => "Torn",
            Self::Thin => "Thin",
            Self::Stray => "Stray",
        }
    }

    /// What it means.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Volume => "Volume of the skin over that at rest; 1 is kept, below loses",
            Self::Girth => {
                "Distance of the skin to its bone over that at rest, first percentile; collapse shows as a dip"
            }
            Self::Stretch => "How far triangles are stretched, 99th percentile; 1 is unstretched",
            Self::Crossings => "Pairs of triangles that cross and did not at rest",
            Self::Torn => "How much of the surface is stretched beyond 2.5 times its length, in percent",
            Self::Thin => "How much of the flesh is below 60 % of its thickness at rest, in percent",
            Self::Stray => "How far skin moves that linear blending leaves at rest, in percent of the height",
        }
    }

    /// Whether a row says at which joint it is worst.
    pub fn has_place(self) -> bool {
        matches!(self, Self::Torn | Self::Thin | Self::Stray)
    }

    /// The value in a row.
    pub fn of(self, row: &Row) -> f64 {
        match self {
            Self::Volume => row.measures.volume,
            Self::Girth => row.measures.girth_p1,
            Self::Stretch => row.measures.stretch_p99,
            Self::Crossings => row.measures.self_intersections as f64,
            Self::Torn => row.measures.torn_percent,
            Self::Thin => row.measures.thin_percent,
            Self::Stray => row.measures.stray_percent,
        }
    }

    /// A value with its unit.
    pub fn words(self, value: f64) -> String {
        match self {
            Self::Volume => format!("{:.1} %", 100.0 * value),
            Self::Girth => format!("{value:.2}"),
            Self::Stretch => format!("{value:.2}×"),
            Self::Crossings => format!("{value:.0}"),
            Self::Torn | Self::Thin | Self::Stray => format!("{value:.2} %"),
        }
    }

    /// How bad a value is: larger is worse.
    pub fn badness(self, row: &Row) -> f64 {
        match self {
            Self::Volume => (self.of(row) - 1.0).abs(),
            Self::Girth => 1.0 - self.of(row),
            Self::Stretch | Self::Crossings | Self::Torn | Self::Thin | Self::Stray => self.of(row),
        }
    }
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
        rows.map(|row| [row.time_secs.unwrap_or_default(), figure.of(row)]).collect()
    }

    /// The worst moments of a method by a figure, worst first, no two within half a second.
    pub fn worst(&self, method: &str, figure: Figure, count: usize) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| row.method == method).collect();
        rows.sort_by(|a, b| figure.badness(b).total_cmp(&figure.badness(a)));
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
