//! Where a method is held back so that it is never worse than linear blending.

pub mod panel;
