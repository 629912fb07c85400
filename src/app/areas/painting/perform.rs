//! Taking the brush up, getting ready what it needs, and putting it away.

use std::sync::Arc;

use crate::app::jobs::{Inputs, JobKind};
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::doc::Part;
use crate::jobs::prepare_painting::PrepareCanvas;
use crate::render::scene::Shading;

/// Gets the character ready for the brush.
const CANVAS: JobKind = JobKind::quiet("canvas");

impl Studio {
    /// The brush was taken up: the pane shows the weights that it paints.
    pub(in crate::app) fn take_brush(&mut self) {
        let shading = self.state.panes.active_pane().shading;
        if shading != Shading::Weights {
            self.state.painting.shading_before = Some(shading);
            self.shade(Shading::Weights);
        }
    }

    /// Gives the pane back the shading that it had before the brush.
    pub(in crate::app) fn put_brush_away(&mut self) {
        if let Some(shading) = self.state.painting.shading_before.take()
            && self.state.panes.active_pane().shading == Shading::Weights
        {
            self.shade(shading);
        }
    }

    /// Gets ready what the brush needs, in the background.
    pub(in crate::app) fn keep_canvas(&mut self) {
        if self.state.tool.kind != ToolKind::Paint || self.jobs.is_running(CANVAS) {
            return;
        }
        let character = self.state.character();
        let (mesh, skeleton) = (Arc::clone(&character.mesh), Arc::clone(&character.skeleton));
        if self.state.painting.canvas.as_ref().is_some_and(|canvas| canvas.fits(&mesh, &skeleton)) {
            return;
        }
        let inputs = Inputs::of(&self.state.session, &[Part::Mesh]);
        self.jobs.start(CANVAS, inputs, PrepareCanvas { mesh, skeleton }, |studio, end| {
            if let Some(canvas) = end.done(&mut studio.state.log) {
                studio.state.painting.canvas = Some(Arc::new(canvas));
            }
        });
    }
}
