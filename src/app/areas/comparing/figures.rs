//! The figures that are plotted and listed, a row each.

use std::ops::Deref;

use crate::jobs::measure::Row;
use crate::kernel::measure::Measures;

/// What there is to a figure.
#[derive(Debug)]
pub struct FigureRow {
    /// What the panel says.
    pub label: &'static str,
    /// What it means.
    pub explanation: &'static str,
    of: fn(&Measures) -> f64,
    words: fn(f64) -> String,
    /// How bad a value is: larger is worse.
    badness: fn(f64) -> f64,
    /// Whether what is measured says at which joint it is worst.
    pub has_place: bool,
}

const FIGURES: &[FigureRow] = &[
    FigureRow {
        label: "Volume",
        explanation: "Volume of the skin over that at rest; 100 % is kept, below loses",
        of: |measures| measures.volume,
        words: |value| format!("{:.1} %", 100.0 * value),
        badness: |value| (value - 1.0).abs(),
        has_place: false,
    },
    FigureRow {
        label: "Girth",
        explanation: "Distance of the skin to its bone over that at rest, first percentile; collapse shows as a dip",
        of: |measures| measures.girth_p1,
        words: |value| format!("{value:.2}"),
        badness: |value| 1.0 - value,
        has_place: false,
    },
    FigureRow {
        label: "Stretch",
        explanation: "How far triangles are stretched, 99th percentile; 1 is unstretched",
        of: |measures| measures.stretch_p99,
        words: |value| format!("{value:.2}×"),
        badness: |value| value,
        has_place: false,
    },
    FigureRow {
        label: "Crossings",
        explanation: "Pairs of triangles that cross and did not at rest",
        of: |measures| measures.self_intersections as f64,
        words: |value| format!("{value:.0}"),
        badness: |value| value,
        has_place: false,
    },
    FigureRow {
        label: "Torn",
        explanation: "How much of the surface is stretched beyond 2.5 times its length, in percent",
        of: |measures| measures.torn_percent,
        words: percent,
        badness: |value| value,
        has_place: true,
    },
    FigureRow {
        label: "Thin",
        explanation: "How much of the flesh is below 60 % of its thickness at rest, in percent",
        of: |measures| measures.thin_percent,
        words: percent,
        badness: |value| value,
        has_place: true,
    },
    FigureRow {
        label: "Stray",
        explanation: "How far skin moves that linear blending leaves at rest, in percent of the height",
        of: |measures| measures.stray_percent,
        words: percent,
        badness: |value| value,
        has_place: true,
    },
];

fn percent(value: f64) -> String {
    format!("{value:.2} %")
}

/// One of the figures; the first unless another is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figure(usize);

impl Deref for Figure {
    type Target = FigureRow;

    fn deref(&self) -> &FigureRow {
        &FIGURES[self.0]
    }
}

impl Figure {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FIGURES.len()).map(Self)
    }

    /// The value in a row.
    pub fn value(self, row: &Row) -> f64 {
        (self.of)(&row.measures)
    }

    /// The value in a row, with its unit.
    pub fn words_of(self, row: &Row) -> String {
        (self.words)(self.value(row))
    }

    /// How bad the value in a row is: larger is worse.
    pub fn badness_of(self, row: &Row) -> f64 {
        (self.badness)(self.value(row))
    }
}
