//! Meshes and what is computed from their shape alone.

pub mod connectivity;
pub mod looks;
pub mod measure;
pub mod mesh;
pub mod mirrors;
pub mod normals;
pub mod search;
pub mod surface;
pub mod values;

pub use connectivity::topology::Topology;
pub use looks::material::{Image, ImageFormat, Material};
pub use mesh::{Mesh, MeshData, MeshError, Part};
pub use mirrors::mirror::{Plane, VertexMirror};
pub use search::bounds::bounds;
pub use search::chords::Chord;
pub use search::rays::Rays;
pub use surface::Surface;
pub use values::laplacian::Laplacian;
