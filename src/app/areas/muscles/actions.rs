//! Placing muscles.

use egui::Key;

use crate::app::action::keys::{NONE, SHIFT, on};
use crate::app::action::{Can, actions};
use crate::app::tools::ToolKind;

actions! {
    ToggleMuscles: View 4, "Show muscles",
        "Show the muscles under an x-ray skin, in panes with the curve skeleton", [on(SHIFT, Key::U)],
        on: |state| state.show.muscles, run: |studio| studio.toggle_muscles();
    AddMuscle: Rig 2, "Add a muscle",
        "A new muscle across the selected joint, on the side that it closes to; with symmetry on both sides", [],
        can: |state| Can::from(state.has_mesh() && state.has_chosen_joint())
            .or("Select the joint that the muscle shall cross first"),
        run: |studio| studio.add_muscle();
    MirrorMuscle: Rig 2, "Mirror the muscle", "Give the other side a mirror image of the selected muscle", [],
        can: |state| state.has_chosen_muscle(), run: |studio| studio.mirror_muscle();
    RemoveMuscle: Rig 2, "Remove the muscle",
        "Take the selected muscle away; with symmetry the one opposite too", [],
        can: |state| state.has_chosen_muscle(), run: |studio| studio.remove_muscle();
    RestoreMuscles: Rig 2, "Restore the default muscles",
        "Bring the muscles that a biped has from the start back as they were; your own stay", [],
        can: |state| Can::from(state.has_changed_defaults()).or("The default muscles of a biped are as they were"),
        run: |studio| studio.restore_muscles();

    MuscleTool: Tool 0, "Place muscles", "Drag the points of muscles under an x-ray skin, in any pose", [on(NONE, Key::U)],
        can: |state| state.can_work_on_skin("Without a skeleton there are no muscles: rig the mesh first"),
        on: |state| state.tool.kind == ToolKind::Muscles, run: |studio| studio.take_tool(ToolKind::Muscles);
}
