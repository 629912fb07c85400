//! Motions and the timeline.

mod actions;
mod perform;
pub mod playback;
pub mod timeline;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area { actions: actions::ACTIONS, ..Area::NONE };
