//! Taking the brush up and putting it away.

use crate::app::studio::Studio;
use crate::render::scene::Shading;

impl Studio {
    /// Takes the brush up: the pane shows the weights that it paints.
    pub(in crate::app) fn take_brush(&mut self) {
        let shading = self.state.panes.active_pane().shading;
        if shading != Shading::Weights {
            self.state.tool.shading_before_brush = Some(shading);
            self.shade(Shading::Weights);
        }
    }

    /// Gives the pane back the shading that it had before the brush.
    pub(in crate::app) fn put_brush_away(&mut self) {
        if let Some(shading) = self.state.tool.shading_before_brush.take()
            && self.state.panes.active_pane().shading == Shading::Weights
        {
            self.shade(shading);
        }
    }
}
