//! Sinew: a studio for rigging and skinning characters.
//!
//! Folders are layers, and a lower one never knows a higher one:
//!
//! | layer | holds |
//! |---|---|
//! | [`kernel`] | the mathematics: meshes, skeletons, weights, skinning methods, measures, built-in characters |
//! | [`doc`] | the open document, its edits and their history |
//! | [`io`] | files in and out, by extension |
//! | [`jobs`] | the worker thread: long work with progress and cancel |
//! | `render` | pictures: everything that knows wgpu (feature `gui`) |
//! | [`cli`] | the command line |
//! | `app` | the window (feature `gui`) |

#[cfg(feature = "gui")]
pub mod app;
pub mod cli;
pub mod doc;
pub mod io;
pub mod jobs;
pub mod kernel;
#[cfg(feature = "gui")]
pub mod render;
