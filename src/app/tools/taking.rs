//! Taking tools up, and turning a joint in between.

use super::{Between, ToolKind};
use crate::app::action::Can;
use crate::app::areas::posing::tool::ModalKind;
use crate::app::state::AppState;
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
        let before = std::mem::replace(&mut self.state.tool.kind, kind);
        self.state.tool.back = None;
        if before != kind {
            (before.put_away)(self);
        }
        (kind.taken)(self, before);
    }

    /// Turns or drags the selected joint with the pointer.
    pub(in crate::app) fn begin_modal(&mut self, modal: ModalKind) {
        let before = self.state.tool.kind;
        match before.between {
            Between::Stays => {}
            Between::Leaves => self.take_tool(ToolKind::Pose),
            Between::ComesBack => {
                self.state.tool.kind = ToolKind::Pose;
                self.state.tool.back = Some(before);
            }
        }
        self.tools.get_mut(self.state.tool.kind).begin_modal(modal, &self.state);
    }

    /// Goes back to the tool in which a joint was turned in between, once it is turned.
    pub(in crate::app) fn take_tool_back(&mut self) {
        if let Some(kind) = self.state.tool.back
            && !self.tools.get(ToolKind::Pose).captures_keys()
        {
            self.state.tool.back = None;
            if self.state.tool.kind == ToolKind::Pose {
                self.state.tool.kind = kind;
            }
        }
    }
}
