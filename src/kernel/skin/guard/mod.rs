//! The guard: where a method does worse than linear blending it is held back.

pub mod trials;
