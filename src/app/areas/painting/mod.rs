//! Painting weights in any pose.

pub mod tool;
