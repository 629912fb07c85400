//! Methods against each other: live numbers in the panes, and measures over a whole motion.

pub mod comparison;
pub mod numbers;
pub mod panel;
