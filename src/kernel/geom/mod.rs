//! Meshes and what is computed from their shape alone.

pub mod bounds;
pub mod chords;
pub mod edges;
pub mod laplacian;
pub mod material;
pub mod measure;
pub mod mesh;
pub mod mirror;
pub mod morton;
pub mod neighbours;
pub mod normals;
pub mod picture;
pub mod rays;
pub mod segment;
pub mod slopes;
pub mod surface;
pub mod symmetry;
pub mod tiling;
pub mod topology;
pub mod voxels;

pub use bounds::bounds;
pub use chords::Chord;
pub use laplacian::Laplacian;
pub use material::{Image, ImageFormat, Material};
pub use mesh::{Mesh, MeshData, MeshError, Part};
pub use mirror::{Plane, VertexMirror};
pub use rays::Rays;
pub use surface::Surface;
pub use topology::Topology;
