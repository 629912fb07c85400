//! The mathematics: no window, no GPU, no files, no clocks, no globals.

pub mod coords;
pub mod detached;
pub mod forge;
pub mod geom;
pub mod info;
pub mod math;
pub mod measure;
pub mod memory;
pub mod progress;
pub mod rig;
pub mod skin;
pub mod weights;
