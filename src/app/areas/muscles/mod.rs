//! Placing muscles under the skin.

pub mod panel;
mod perform;
pub mod posed;
pub mod tool;
