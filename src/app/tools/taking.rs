//! Taking tools up, and turning a joint in between.

use super::Tool as _;
use crate::app::action::Can;
use crate::app::areas::posing::tool::ModalKind;
use crate::app::state::{AppState, ToolKind};
use crate::app::studio::Studio;

impl AppState {
    /// Whether there are mesh and skeleton to work on; tells why where there is no skeleton.
    pub(in crate::app) fn can_work_on_skin(&self, bare: &'static str) -> Can {
        let has_mesh = Can::from(self.has_mesh()).or("There is no mesh: open one first");
        has_mesh.and(Can::from(self.has_joints()).or(bare))
    }
}

impl Studio {
    /// Takes a tool up.
    pub(in crate::app) fn take_tool(&mut self, kind: ToolKind) {
        self.state.tool.back = None;
        if self.state.tool.kind == ToolKind::Paint && kind != ToolKind::Paint {
            self.put_brush_away();
        }
        match kind {
            ToolKind::Pose => self.state.tool.kind = kind,
            ToolKind::Paint => {
                self.state.tool.kind = kind;
                self.take_brush();
            }
            ToolKind::Tags => self.take_tag_tool(),
            ToolKind::Cage => self.take_cage_tool(),
            ToolKind::Muscles => self.take_muscle_tool(),
            ToolKind::Curve => self.take_curve_tool(),
        }
    }

    /// Turns or drags the selected joint with the pointer. Who paints may do so without putting the brush away; the
    /// tools for curves and muscles come back when the joint is turned.
    pub(in crate::app) fn begin_modal(&mut self, modal: ModalKind) {
        let before = self.state.tool.kind;
        self.state.tool.back = matches!(before, ToolKind::Curve | ToolKind::Muscles).then_some(before);
        if before == ToolKind::Paint {
            return self.tools.paint.begin_pose(modal, &self.state);
        }
        self.state.tool.kind = ToolKind::Pose;
        self.tools.pose.begin(modal, &self.state);
    }

    /// Goes back to the tool in which a joint was turned in between, once it is turned.
    pub(in crate::app) fn take_tool_back(&mut self) {
        if let Some(kind) = self.state.tool.back
            && !self.tools.pose.captures_keys()
        {
            self.state.tool.back = None;
            if self.state.tool.kind == ToolKind::Pose {
                self.state.tool.kind = kind;
            }
        }
    }
}
