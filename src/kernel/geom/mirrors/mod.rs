//! Mirror planes: found from the shape alone, and which point lies opposite of which.

pub mod mirror;
pub mod symmetry;
