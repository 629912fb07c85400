//! What panes ask for.

use crate::app::command::AreaCommand;
use crate::app::panes::PaneLayout;
use crate::app::studio::Studio;
use crate::render::Camera;
use crate::render::scene::Shading;

/// A wish about camera and panes.
#[derive(Debug, Clone)]
pub enum ViewCommand {
    /// Moves the shared camera.
    SetCamera(Camera),
    /// Makes a pane the active one.
    ActivatePane(usize),
    /// Chooses the method of a pane.
    SetMethod {
        /// Which pane.
        pane: usize,
        /// Id of the method.
        method: String,
    },
    /// Chooses the method that the wipe, or holding `, shows.
    SetOtherMethod {
        /// Which pane.
        pane: usize,
        /// Id of the method.
        method: String,
    },
    /// Chooses the shading of a pane.
    SetShading {
        /// Which pane.
        pane: usize,
        /// The shading.
        shading: Shading,
    },
    /// One, two or four panes.
    SetLayout(PaneLayout),
    /// Moves the wipe's divider; `None` takes it away.
    SetWipe(Option<f32>),
}

impl AreaCommand for ViewCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::SetCamera(camera) => studio.state.camera = camera,
            Self::ActivatePane(pane) => studio.state.panes.activate(pane),
            Self::SetMethod { pane, method } => studio.state.panes.set_method(pane, &method),
            Self::SetOtherMethod { pane, method } => {
                if let Some(pane) = studio.state.panes.get_mut(pane) {
                    pane.other = method;
                }
            }
            Self::SetShading { pane, shading } => {
                if let Some(pane) = studio.state.panes.get_mut(pane) {
                    pane.shading = shading;
                }
            }
            Self::SetLayout(layout) => studio.state.panes.layout = layout,
            Self::SetWipe(at) => studio.state.panes.wipe = at,
        }
    }
}
