//! What posing keeps.

use std::collections::BTreeSet;

use crate::app::areas::motion::playback::Playback;
use crate::app::kept::{Kept, Same};
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::kernel::rig::{Pose, Skeleton};

/// What posing keeps.
#[derive(Debug, Default)]
pub struct Posing {
    /// Axes of the gizmo.
    pub orientation: Orientation,
    /// Whether posing acts on both sides; apart from the other tools, since most poses are not symmetric but most
    /// bodies are.
    pub symmetry: bool,
    /// Joints that stay in place while others are dragged.
    pub pins: BTreeSet<usize>,
    /// Whether the skeleton is a biped's.
    pub(super) is_biped: Kept<Same<Skeleton>, bool>,
    /// The drag that poses, and what was shown before it.
    pub(super) before_drag: Option<(u64, BeforeDrag)>,
}

/// What was shown before a drag took the pose over.
#[derive(Debug, Clone)]
pub(super) struct BeforeDrag {
    /// The motion, where it was.
    pub playback: Playback,
    /// The pose that was shown.
    pub pose: Pose,
}

/// Axes of the gizmo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// The joint's own.
    #[default]
    Local,
    /// The world's.
    Global,
    /// The viewer's.
    View,
}

impl Orientation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Local, Self::Global, Self::View];

    /// What the tool strip says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Global => "Global",
            Self::View => "View",
        }
    }
}

impl AppState {
    /// Whether the current tool acts on both sides.
    pub fn is_symmetric(&self) -> bool {
        if self.tool.kind == ToolKind::Pose { self.posing.symmetry } else { self.tool.symmetry }
    }

    /// Switches that on or off.
    pub fn toggle_symmetry(&mut self) {
        let is_posing = self.tool.kind == ToolKind::Pose;
        let switch = if is_posing { &mut self.posing.symmetry } else { &mut self.tool.symmetry };
        *switch = !*switch;
    }
}
