//! Undo, the selection, poses.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{ALT, ALT_SHIFT, CTRL, CTRL_SHIFT, NONE, on};
use crate::app::areas::posing::tool::ModalKind;
use crate::app::tools::ToolKind;

actions! {
    Undo: Edit 0, "Undo", "Take the last change back", [on(CTRL, Key::Z)],
        can: |state| state.undo_label().is_some().into(), run: |studio| studio.step_back();
    Redo: Edit 0, "Redo", "Do the undone change again", [on(CTRL_SHIFT, Key::Z), on(CTRL, Key::Y)],
        can: |state| state.redo_label().is_some().into(), run: |studio| studio.step_forward();
    SelectNone: Edit 1, "Select nothing", "Clear the selection", [on(ALT, Key::A)],
        run: |studio| studio.state.selection.clear();
    SelectParent: Edit 1, "Select the parent", "Go one joint up the skeleton", [on(NONE, Key::PageUp)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.state.select_parent();
    SelectChild: Edit 1, "Select a child", "Go one joint down the skeleton", [on(NONE, Key::PageDown)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.state.select_child();

    CopyPose: Pose 0, "Copy pose", "Copy the pose; it can be pasted on another character by joint names", [],
        can: |state| state.has_joints().into(), run: |studio| studio.copy_pose();
    PastePose: Pose 0, "Paste pose", "Take on the copied pose", [],
        can: |state| state.has_joints().into(),
        run: |studio| studio.context.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
    MirrorPose: Pose 0, "Mirror pose", "Swap left and right; with joints selected, copy them to the other side",
        [on(CTRL, Key::M)],
        can: |state| state.has_joints().into(), run: |studio| studio.state.mirror_pose();
    ResetSelected: Pose 0, "Reset the selected joints", "Turn the selected joints back to rest", [on(ALT, Key::R)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.state.reset_selected();
    ResetAll: Pose 0, "Reset all joints", "Go back to the rest pose", [on(ALT_SHIFT, Key::R)],
        can: |state| state.has_joints().into(), run: |studio| studio.state.reset_all();
    StorePose: Pose 1, "Store pose", "Keep this pose in the library", [on(CTRL_SHIFT, Key::P)],
        can: |state| state.has_joints().into(), run: |studio| studio.store_new_pose();
    TogglePin: Pose 1, "Pin or free the joint", "A pinned hand or foot stays in place while the body is dragged",
        [on(NONE, Key::P)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.state.toggle_pins();
    ToggleSymmetry: Pose 1, "Symmetry", "What the current tool does happens on both sides", [on(NONE, Key::M)],
        on: |state| state.is_symmetric(), run: |studio| studio.state.toggle_symmetry();
    NextOrientation: Pose 1, "Gizmo orientation", "Local, global or view axes", [on(NONE, Key::Comma)],
        run: |studio| studio.state.next_orientation();

    PoseTool: Tool 0, "Pose", "Click a joint and turn it with the rings; drag a hand or foot", [on(NONE, Key::W)],
        on: |state| state.tool.kind == ToolKind::Pose, run: |studio| studio.take_tool(ToolKind::Pose);
    Rotate: Tool 1, "Rotate", "Turn the selected joint with the pointer; X Y Z lock an axis, digits type degrees",
        [on(NONE, Key::R)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.begin_modal(ModalKind::Rotate);
    Move: Tool 1, "Move",
        "Drag the selected hand or foot, the limb follows; X Y Z lock an axis, digits type centimetres",
        [on(NONE, Key::G)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.begin_modal(ModalKind::Move);
}
