//! Posing, the pose library, and edits of the document.

mod actions;
mod library;
pub mod panel;
pub mod perform;
pub mod tool;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area { actions: actions::ACTIONS, ..Area::NONE };
