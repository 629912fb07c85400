//! How a surface hangs together: its edges, the points around each point, its borders and components, and bands of
//! triangles between two rings.

pub mod edges;
pub mod neighbours;
pub mod tiling;
pub mod topology;
