//! Motions and the timeline.

mod perform;
pub mod playback;
pub mod timeline;
