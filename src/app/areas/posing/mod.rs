//! Posing, the pose library, and edits of the document.

pub mod panel;
mod perform;
pub mod tool;
