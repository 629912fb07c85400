//! Where things are: boxes, rays, nearest points, segments, and cells that fill a mesh.

pub mod bounds;
pub mod chords;
pub mod morton;
pub mod rays;
pub mod segment;
pub mod voxels;
