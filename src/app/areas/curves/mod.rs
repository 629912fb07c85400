//! Shaping the curves of the curve skeleton, and how twists are spread along bones.

pub mod panel;
mod perform;
pub mod settings;
pub mod tool;
pub mod twist_plot;
