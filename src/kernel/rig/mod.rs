//! Skeletons and everything that hangs on them.

pub mod character;
pub mod clip;
pub mod convert;
pub mod pose;
pub mod posed;
pub mod skeleton;
pub mod tags;
pub mod weights;

pub use character::{Character, Source};
pub use clip::{Clip, Curve, Interpolation, Track};
pub use pose::Pose;
pub use posed::{JointMatrix, Posed};
pub use skeleton::{Bone, Joint, Skeleton, SkeletonError};
pub use tags::{Tag, TagName, Tags};
pub use weights::{Influence, Weights};
