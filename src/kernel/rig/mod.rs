//! Skeletons and everything that hangs on them.

pub mod anchors;
pub mod character;
pub mod clip;
pub mod convert;
pub mod from_shape;
pub mod from_tags;
pub mod humanoid;
pub mod ik;
pub mod mirror;
pub mod motions;
pub mod pose;
pub mod pose_library;
pub mod posed;
pub mod retarget;
pub mod skeleton;
pub mod tag_layout;
pub mod tags;
#[cfg(test)]
mod test_bodies;
pub mod weights;

pub use anchors::{Anchor, Anchors};
pub use character::{Character, Source};
pub use clip::{Clip, Curve, Interpolation, Track};
pub use from_shape::{ShapeError, ShapeOptions, skeleton_from_shape};
pub use from_tags::{TagsError, skeleton_from_tags};
pub use humanoid::{Humanoid, Role};
pub use ik::{Goal, IkOptions};
pub use mirror::JointMirror;
pub use pose::Pose;
pub use pose_library::NamedPose;
pub use posed::{JointMatrix, Posed};
pub use retarget::{RetargetError, Retargeted, retarget};
pub use skeleton::{Bone, Joint, Skeleton, SkeletonError};
pub use tags::{Tag, TagName, Tags};
pub use weights::{Influence, Weights};
