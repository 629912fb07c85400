//! Methods against each other: live numbers in the panes, and measures over a whole motion.

mod compared;
pub mod comparison;
pub mod numbers;
pub mod panel;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area {
    // The templates before it say whose turn it is on the worker, with the pose as it is now.
    posed: |studio| studio.keep_measured(),
    ..Area::NONE
};
