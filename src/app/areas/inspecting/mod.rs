//! What the document holds, and what is selected.

pub mod inspector;
pub mod outliner;
