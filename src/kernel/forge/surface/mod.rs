//! From fields to a skin: the surface, its colours, and which joint moves which vertex.

pub mod inks;
pub mod lattice;
pub mod lens;
pub mod painter;
pub mod skinner;
