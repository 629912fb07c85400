//! The template editor: a copy with a history of its own, shown in place of the binding in use.

pub mod edited;
pub mod panel;
mod perform;
pub mod tool;
