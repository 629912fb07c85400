//! Where a method is held back so that it is never worse than linear blending.

pub mod command;
pub mod panel;

use crate::app::areas::Area;
use crate::app::areas::inspecting::{Place, Section};

/// What it offers and hears of.
pub const AREA: Area =
    Area { sections: &[Section { place: |_| Place::Below, ui: panel::guard_ui }], ..Area::NONE };
