//! Correcting the fitted cage by hand.

pub mod panel;
mod perform;
pub mod tool;
