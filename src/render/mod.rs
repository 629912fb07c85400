//! Pictures: everything that knows wgpu. A [`Scene`] is plain data; the [`Renderer`] turns it into pixels.
//!
//! | file | holds |
//! |---|---|
//! | [`scene`], [`camera`] | what one picture shows and where from; no wgpu |
//! | [`cage`], [`curves`] | a posed cage, a posed curve skeleton as lines and dots; no wgpu |
//! | [`shading`] | how a skin is coloured, a row each |
//! | [`pick`] | what is under the pointer; no wgpu |
//! | [`ramp`] | colours that stand for numbers, for shaders and legends alike |
//! | [`context`] | a graphics device without a window |
//! | [`renderer`] | one frame: which pass draws what, in which order |
//! | [`targets`] | the multisampled picture of each view |
//! | [`uploads`], [`stream`] | what is written anew in each frame, in buffers that are used again |
//! | [`meshes`], [`textures`], [`identity`] | what lives on the device, by the identity of what it shows |
//! | [`deform`] | skinning in a compute shader |
//! | [`passes`] | one file per kind of thing that is drawn |
//! | [`gpu_data`], [`shaders`] | structs that Rust and WGSL share, and the WGSL itself |
//! | [`offscreen`] | a scene as an image |

pub mod cage;
pub mod camera;
pub mod context;
pub mod curves;
pub mod deform;
pub mod gpu_data;
pub mod identity;
pub mod meshes;
pub mod offscreen;
pub mod passes;
pub mod pick;
pub mod ramp;
pub mod renderer;
pub mod scene;
pub mod shaders;
pub mod shading;
pub mod stream;
pub mod targets;
pub mod textures;
pub mod uploads;

pub use camera::{Camera, Ray, ViewAxis};
pub use context::{Gpu, RenderError};
pub use offscreen::picture;
pub use renderer::Renderer;
pub use scene::Scene;
