//! What a shader needs to deform a skin as a method does: plain data, no GPU.

use std::sync::Arc;

use crate::kernel::rig::Weights;

/// A bound method as data for a compute shader. The rest mesh and the pose come from elsewhere.
#[derive(Debug, Clone)]
pub struct GpuForm {
    /// Which shader.
    pub kernel: GpuKernel,
    /// One row per vertex.
    pub weights: Arc<Weights>,
}

/// The shaders that deform; one WGSL entry point each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GpuKernel {
    /// Sums of matrices.
    Linear,
    /// Sums of dual quaternions, after sums of stretches.
    DualQuaternion,
}
