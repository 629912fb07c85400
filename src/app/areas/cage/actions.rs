//! Correcting the cage.

use egui::Key;

use crate::app::action::keys::{NONE, SHIFT, on};
use crate::app::action::{Can, actions};
use crate::app::tools::ToolKind;

actions! {
    ToggleCage: View 4, "Show cage", "Show the cage that moves the skin, in panes with a cage method", [on(SHIFT, Key::C)],
        on: |state| state.show.cage, run: |studio| studio.state.show.cage = !studio.state.show.cage;
    ResetCageVertices: Rig 1, "Reset the cage vertices",
        "Take back what was moved by hand of the selected vertices of the cage; with symmetry, of those opposite too", [],
        can: |state| (!state.selection.cage.is_empty() && !state.cage_offsets().is_empty()).into(),
        run: |studio| studio.reset_cage_vertices();
    ResetCage: Rig 1, "Reset the cage", "Take back everything that was moved by hand: the cage is as it was fitted", [],
        can: |state| (!state.cage_offsets().is_empty()).into(), run: |studio| studio.reset_cage();

    CageTool: Tool 0, "Correct the cage",
        "Drag vertices and rings of the fitted cage; the character stands at rest meanwhile", [on(NONE, Key::C)],
        // The editor holds a cage of its own, which no correction reaches.
        can: |state| state.can_work_on_skin("Without a skeleton there is no cage: rig the mesh first").and(
            Can::from(state.templates.editor.is_none())
                .or("Leave the template editor first: it shows a cage of its own"),
        ),
        on: |state| state.tool.kind == ToolKind::Cage, run: |studio| studio.take_tool(ToolKind::Cage);
}
