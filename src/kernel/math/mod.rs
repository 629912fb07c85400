//! Mathematics that knows nothing of meshes or skeletons.

pub mod affine;
pub mod angle;
pub mod dual_quaternion;
pub mod rbf;
pub mod rows;
pub mod smooth;
pub mod sparse;
pub mod spherical;
pub mod transform;

pub use affine::Affine;
pub use dual_quaternion::DualQuaternion;
pub use transform::Transform;
