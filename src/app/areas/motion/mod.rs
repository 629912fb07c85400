//! Motions and the timeline.

mod actions;
pub mod command;
pub mod onion;
mod perform;
pub mod playback;
pub mod timeline;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    opened: |state| state.load_motions(),
    edited: |state| state.follow_motions(),
    ..Area::NONE
};
