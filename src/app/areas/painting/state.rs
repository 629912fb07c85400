//! What painting keeps.

use std::sync::Arc;

use crate::jobs::prepare_painting::Canvas;
pub use crate::kernel::weights::brush::Stroke;
use crate::render::scene::Shading;

/// What painting keeps.
#[derive(Default)]
pub struct Painting {
    /// The brush.
    pub brush: Brush,
    /// What the brush needs to know of the character; there a moment after its tool was taken up.
    pub canvas: Option<Arc<Canvas>>,
    /// What the pane was shaded with before the brush put its heat map there.
    pub shading_before: Option<Shading>,
}

/// Settings of the brush.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brush {
    /// In metres.
    pub radius: f64,
    /// In 0..=1.
    pub strength: f64,
    /// What it does.
    pub stroke: Stroke,
}

impl Default for Brush {
    fn default() -> Self {
        Self { radius: 0.06, strength: 0.4, stroke: Stroke::Add }
    }
}
