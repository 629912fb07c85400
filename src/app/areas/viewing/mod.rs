//! Camera, panes, shading and what is shown.

mod actions;
mod perform;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area { actions: actions::ACTIONS, ..Area::NONE };
