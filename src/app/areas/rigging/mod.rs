//! Joint tags, and skeletons and weights made from them.

mod actions;
mod perform;
pub mod tag_panel;
#[cfg(test)]
mod tests;
pub mod tool;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area =
    Area { actions: actions::ACTIONS, frame: |studio| studio.keep_prepared(), ..Area::NONE };
