//! What is around every area: the menus and strips, docking, workspaces, keys, the palette, the theme.

pub mod docking;
pub mod keys;
pub mod menu;
pub mod palette;
pub mod status;
pub mod theme;
pub mod toolstrip;
pub mod widgets;
pub mod windows;
pub mod workspaces;
