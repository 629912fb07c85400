//! What is around every area: the menus and strips, docking, workspaces, keys, the palette, the theme.

mod actions;
pub mod command;
pub mod docking;
pub mod keys;
pub mod menu;
pub mod named;
pub mod palette;
pub mod panels;
mod perform;
pub mod status;
pub mod theme;
pub mod toolstrip;
pub mod widgets;
pub mod windows;
pub mod workspaces;

use crate::app::areas::Area;

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    is_asking: |state| state.windows.palette.is_some() || state.windows.rebinding.is_some(),
    ..Area::NONE
};
