//! Motions made by formula: range of motion, walk, and sweeps of one joint.
//!
//! Rotations are said in world rest space about anatomical axes ([`axes`]) and only then brought
//! into each joint's frame, so that the same motion comes out for any rest pose and any frames.

pub mod alone;
pub mod axes;
mod range;
mod stage;
mod sweep;
#[cfg(test)]
mod tests;
mod walk;

pub use axes::{bend_axis, twist_axis};
pub use range::{range_moments, range_of_motion};
pub use sweep::{bend_sweep, pose_bent, pose_twisted, sweeps, twist_sweep};
pub use walk::walk;

use super::{Clip, Skeleton};

/// The clips that are made for a skeleton rather than read from a file: those of a biped, if it is one.
pub fn generated(skeleton: &Skeleton) -> Vec<Clip> {
    walk(skeleton).into_iter().chain(range_of_motion(skeleton)).collect()
}
