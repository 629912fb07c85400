//! What shaders need to deform a skin as a method does: plain data, no GPU.
//!
//! A form is a list of stages, compute shaders of `shaders/` that run one after the other over all vertices, and what is
//! worked out for each pose. A method with a shader of its own brings both beside its other code; the renderer knows
//! neither.

pub mod blend;
pub mod boxes;

use std::fmt::Debug;

use self::boxes::Corners;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Posed;

/// Bytes of one buffer that every graphics device can bind.
pub const EVERY_DEVICE: usize = 128 << 20;

/// A bound method as data for compute shaders: with the rest mesh and a pose it says everything.
pub trait GpuForm: Debug + Send + Sync {
    /// What a device keeps for the skin of `mesh`; none where it is bound to another.
    fn prepare(&self, mesh: &Mesh) -> Option<Prepared>;
}

/// What a device keeps of a form.
pub struct Prepared {
    /// What runs, in order.
    pub stages: Vec<Stage>,
    /// What is written for each pose.
    pub poses: Box<dyn Poses>,
}

/// One compute shader and what it reads besides the pose.
pub struct Stage {
    /// Its entry point, one of those that `render::shaders` lists.
    pub entry: &'static str,
    /// What it knows of the vertices, as words.
    pub rows: Vec<u32>,
}

/// Works out what the shaders of a form read of a pose.
pub trait Poses: Send + Sync {
    /// Adds it to `floats`, which is empty; none where the pose lacks joints.
    fn write(&mut self, posed: &Posed, floats: &mut Vec<f32>) -> Option<PoseWritten>;
}

/// What was written of a pose.
pub struct PoseWritten {
    /// Where its second part begins, in groups of four floats; none where it has one part only.
    pub second: Option<usize>,
    /// A box around the skin in that pose.
    pub bounds: Corners,
}
