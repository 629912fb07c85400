//! Pictures: everything that knows wgpu. A [`Scene`] is plain data; the renderer turns it into pixels.

pub mod camera;
pub mod scene;

pub use camera::{Camera, Ray, ViewAxis};
pub use scene::Scene;
