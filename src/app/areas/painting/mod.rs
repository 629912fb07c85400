//! Painting weights in any pose.

mod actions;
mod perform;
pub mod tool;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area { actions: actions::ACTIONS, ..Area::NONE };
