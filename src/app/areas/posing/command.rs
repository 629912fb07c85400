//! What posing asks for.

use crate::app::areas::posing::Orientation;
use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

/// A wish about poses.
#[derive(Debug, Clone)]
pub enum PoseCommand {
    /// Takes on a pose of the library, `share` of the way there.
    Take {
        /// Its name.
        name: String,
        /// In 0..=1.
        share: f64,
        /// The drag that it belongs to.
        drag: Option<u64>,
    },
    /// Keeps the pose in the library under that name.
    Store(String),
    /// Takes the pose of that text on, as copied from here or from a file.
    Paste(String),
    /// Chooses the axes of the gizmo.
    SetOrientation(Orientation),
}

impl AreaCommand for PoseCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::Take { name, share, drag } => studio.state.take_pose(&name, share, drag),
            Self::Store(name) => studio.store_pose(name),
            Self::Paste(text) => studio.paste_pose(&text),
            Self::SetOrientation(orientation) => studio.state.posing.orientation = orientation,
        }
    }
}
