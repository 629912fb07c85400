//! Tags, skeleton and weights.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{CTRL, NONE, SHIFT, on};
use crate::app::tools::ToolKind;
use crate::doc::Edit;
use crate::jobs::rig::SkeletonSource;
use crate::kernel::rig::Tags;

actions! {
    LayOutTags: Rig 0, "Lay out tags", "Place the 14 joint tags of a biped over the mesh", [],
        can: |state| state.has_mesh().into(), run: |studio| studio.lay_out_tags();
    RigNow: Rig 0, "Rig", "Build skeleton and weights from the tags", [on(CTRL, Key::R)],
        can: |state| (state.has_mesh() && !state.document().tags().is_empty() && !state.rigging.is_rigging).into(),
        run: |studio| studio.rig_from_tags();
    SkeletonFromShape: Rig 0, "Skeleton from shape",
        "Build skeleton and weights from the shape of the mesh alone, whatever it is: joints stand where its limbs branch and bend. The mesh should be closed; a skeleton that is there is replaced",
        [],
        can: |state| (state.has_mesh() && !state.rigging.is_rigging).into(), run: |studio| studio.rig(SkeletonSource::Shape);
    RemoveTag: Rig 0, "Remove the tag", "Take the selected tag away", [on(NONE, Key::Delete)],
        can: |state| state.chosen_tag().is_some().into(), run: |studio| studio.remove_tag();
    RemoveTags: Rig 0, "Remove all tags", "Take the tags away; skeleton and weights stay", [],
        can: |state| (!state.document().tags().is_empty()).into(),
        run: |studio| studio.edit(Edit::SetTags(Tags::default()), None);
    RemoveRig: Rig 0, "Remove skeleton and weights", "Go back to the bare mesh, to rig it anew from tags", [],
        can: |state| (state.has_joints() && state.has_mesh()).into(), run: |studio| studio.remove_rig();
    RebindWeights: Rig 0, "Compute weights again", "New heat weights for the skeleton that is there", [],
        can: |state| (state.has_joints() && state.has_mesh()).into(), run: |studio| studio.rig(SkeletonSource::Own);

    TagTool: Tool 0, "Place tags", "Drag joint tags; they snap to the middle of the body", [on(SHIFT, Key::T)],
        can: |state| state.has_mesh().into(), on: |state| state.tool.kind == ToolKind::Tags,
        run: |studio| studio.take_tool(ToolKind::Tags);
}
