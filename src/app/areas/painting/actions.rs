//! Painting weights.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{NONE, on};
use crate::app::tools::ToolKind;

actions! {
    PaintTool: Tool 0, "Paint weights", "Brush the selected joint's weights, in any pose", [on(NONE, Key::B)],
        can: |state| state.can_work_on_skin("Without a skeleton there are no weights: rig the mesh first"),
        on: |state| state.tool.kind == ToolKind::Paint, run: |studio| studio.take_tool(ToolKind::Paint);
}
