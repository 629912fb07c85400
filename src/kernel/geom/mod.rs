//! Meshes and what is computed from their shape alone.

pub mod boxes;
pub mod material;
pub mod measure;
pub mod mesh;
pub mod normals;
pub mod surface;
pub mod topology;

pub use material::{Image, ImageFormat, Material};
pub use mesh::{Mesh, MeshData, MeshError, Part};
pub use surface::Surface;
pub use topology::Topology;
