//! Shaping curves.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{NONE, SHIFT, on};
use crate::app::tools::ToolKind;

actions! {
    ToggleCurves: View 4, "Show curves",
        "Show the curves that round the joints, in panes with the curve skeleton", [on(SHIFT, Key::K)],
        on: |state| state.show.curves, run: |studio| studio.state.show.curves = !studio.state.show.curves;
    ResetCurve: Rig 3, "Reset the curve",
        "Take back what was set of the curve at the selected joint and of the twist along its bone; with symmetry, of the joint opposite too",
        [],
        can: |state| state.selection.active_joint().is_some_and(|j| state.has_curve_settings(j)).into(),
        run: |studio| studio.reset_curve();
    ResetCurves: Rig 3, "Reset all curves", "Take back what was set of the curves and twists of all joints", [],
        can: |state| state.has_any_curve_settings().into(), run: |studio| studio.reset_curves();
    RemoveTwistPoint: Rig 3, "Remove the twist point", "Take the selected point out of the twist plot", [],
        can: |state| state.chosen_twist_point().is_some().into(), run: |studio| studio.remove_twist_point();

    CurveTool: Tool 0, "Shape the curves",
        "Drag the control points of the curve skeleton: where a bend begins and ends, and where the curve lies",
        [on(NONE, Key::K)],
        can: |state| state.can_work_on_skin("Without a skeleton there are no curves: rig the mesh first"),
        on: |state| state.tool.kind == ToolKind::Curve, run: |studio| studio.take_tool(ToolKind::Curve);
}
