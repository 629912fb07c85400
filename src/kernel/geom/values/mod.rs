//! Values on a surface: what is smooth there, and what falls no faster than it may.

pub mod laplacian;
pub mod slopes;
