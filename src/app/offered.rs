//! What can be done now, what is switched on, and what the library offers.

use std::sync::LazyLock;

use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::panes::PaneLayout;
use crate::app::state::{AppState, ToolKind};
use crate::kernel::rig::pose_library::{self, NamedPose};
use crate::kernel::rig::{Humanoid, Pose};
use crate::render::scene::{BoneStyle, Shading};

/// The poses that come with the program, read once.
static BUILT_IN: LazyLock<Vec<NamedPose>> = LazyLock::new(pose_library::builtin);

impl AppState {
    /// Whether an action can be done now.
    pub fn can(&self, action: Action) -> bool {
        let character = self.character();
        let has_mesh = character.mesh.vertex_count() > 0;
        let has_joints = !character.skeleton.is_empty();
        let joint_chosen = self.selection.active_joint().is_some();
        match action {
            Action::Undo => self.undo_label().is_some(),
            Action::NextTemplate | Action::PreviousTemplate | Action::EditTemplate => {
                self.tab_swaps_templates()
            }
            Action::OpenTemplateFolder | Action::ReloadTemplates => self.template_folder.path.is_some(),
            Action::Redo => self.redo_label().is_some(),
            Action::SelectParent | Action::SelectChild | Action::Hide | Action::Isolate => joint_chosen,
            Action::ResetSelected | Action::TogglePin | Action::SweepBend | Action::SweepTwist => {
                joint_chosen
            }
            Action::Rotate | Action::Move => joint_chosen,
            Action::CopyPose
            | Action::PastePose
            | Action::MirrorPose
            | Action::ResetAll
            | Action::StorePose => has_joints,
            Action::ImportMotion | Action::RangeOfMotion => has_joints,
            Action::RebindWeights | Action::RemoveRig => has_joints && has_mesh,
            Action::LayOutTags | Action::TagTool => has_mesh,
            Action::RigNow => has_mesh && !self.document().tags().is_empty() && !self.rigging,
            Action::SkeletonFromShape => has_mesh && !self.rigging,
            Action::RemoveTag => {
                self.selection.tag.is_some_and(|name| self.document().tags().get(name).is_some())
            }
            Action::RemoveTags => !self.document().tags().is_empty(),
            Action::PaintTool | Action::CurveTool => has_mesh && has_joints,
            Action::ResetCurve => self.selection.active_joint().is_some_and(|j| self.has_curve_settings(j)),
            Action::ResetCurves => self.has_any_curve_settings(),
            Action::RemoveTwistPoint => self.chosen_twist_point().is_some(),
            // The editor holds a cage of its own, which no correction reaches.
            Action::CageTool => has_mesh && has_joints && self.template_editor.is_none(),
            Action::ResetCageVertices => !self.selection.cage.is_empty() && !self.cage_offsets().is_empty(),
            Action::ResetCage => !self.cage_offsets().is_empty(),
            Action::MuscleTool => has_mesh && has_joints,
            Action::AddMuscle => has_mesh && joint_chosen,
            Action::MirrorMuscle | Action::RemoveMuscle => self.chosen_muscle().is_some(),
            Action::RestoreMuscles => self.has_changed_defaults(),
            Action::Save | Action::SaveAs | Action::Export | Action::Screenshot => self.session.is_open(),
            Action::PlayPause | Action::StepBack | Action::StepForward | Action::ToStart => {
                !self.playback.clips().is_empty()
            }
            _ => true,
        }
    }

    /// Why an action cannot be done now, where it is not plain to see.
    pub fn why_not(&self, action: Action) -> Option<&'static str> {
        let has_mesh = self.character().mesh.vertex_count() > 0;
        let is_bare = self.character().skeleton.is_empty();
        match action {
            _ if self.can(action) => None,
            Action::CageTool | Action::PaintTool | Action::CurveTool if !has_mesh => {
                Some("There is no mesh: open one first")
            }
            Action::CageTool if is_bare => Some("Without a skeleton there is no cage: rig the mesh first"),
            Action::PaintTool if is_bare => {
                Some("Without a skeleton there are no weights: rig the mesh first")
            }
            Action::MuscleTool if is_bare => {
                Some("Without a skeleton there are no muscles: rig the mesh first")
            }
            Action::AddMuscle => Some("Select the joint that the muscle shall cross first"),
            Action::MirrorMuscle | Action::RemoveMuscle => Some("Select a muscle first, in the inspector"),
            Action::RestoreMuscles => Some("The default muscles of a biped are as they were"),
            Action::CurveTool => Some("Without a skeleton there are no curves: rig the mesh first"),
            Action::CageTool => Some("Leave the template editor first: it shows a cage of its own"),
            _ => None,
        }
    }

    /// What undo would take back: what came last, in the document or in the template editor.
    pub fn undo_label(&self) -> Option<&'static str> {
        let history = self.session.history();
        let edited = self.template_editor.as_ref().and_then(|editor| editor.undo_label(history.now()));
        edited.or_else(|| history.undo_label())
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&'static str> {
        let history = self.session.history();
        let edited = self.template_editor.as_ref().and_then(|editor| editor.redo_label(history.now()));
        edited.or_else(|| history.redo_label())
    }

    /// Whether a switch is on.
    pub fn is_on(&self, action: Action) -> bool {
        let (show, panes) = (&self.show, &self.panes);
        match action {
            Action::ToggleXray => show.xray,
            Action::ToggleWireframe => show.wireframe,
            Action::ToggleNumbers => show.numbers,
            Action::ToggleCage => show.cage,
            Action::ToggleMuscles => show.muscles,
            Action::ToggleCurves => show.curves,
            Action::ToggleBones => show.bones,
            Action::ToggleNames => show.names,
            Action::ToggleGhost => show.ghost,
            Action::ToggleOnion => show.onion,
            Action::ToggleGround => show.ground,
            Action::ToggleBoneStyle => self.settings.bone_style == BoneStyle::Sticks,
            Action::ToggleHeatMap => panes.active_pane().shading == Shading::Weights,
            Action::ToggleFlat => self.camera.flat,
            Action::ToggleSymmetry => self.tool.is_symmetric(),
            Action::ToggleWipe => panes.wipe.is_some(),
            Action::OnePane => panes.layout == PaneLayout::One,
            Action::TwoPanes => panes.layout == PaneLayout::Two,
            Action::FourPanes => panes.layout == PaneLayout::Four,
            Action::PoseTool => self.tool.kind == ToolKind::Pose,
            Action::TagTool => self.tool.kind == ToolKind::Tags,
            Action::PaintTool => self.tool.kind == ToolKind::Paint,
            Action::CurveTool => self.tool.kind == ToolKind::Curve,
            Action::CageTool => self.tool.kind == ToolKind::Cage,
            Action::MuscleTool => self.tool.kind == ToolKind::Muscles,
            Action::PlayPause => self.playback.playing,
            _ => false,
        }
    }

    /// The built-in poses that this character can take on.
    pub fn built_in_poses(&self) -> &'static [NamedPose] {
        match Humanoid::detect(&self.character().skeleton) {
            Some(_) => &BUILT_IN,
            None => &[],
        }
    }

    /// A pose of the library: the user's own come before built-in ones of the same name.
    pub fn library_pose(&self, name: &str) -> Option<Pose> {
        let built_in = || {
            let named = BUILT_IN.iter().find(|pose| pose.name == name)?;
            pose_library::apply(named, &self.character().skeleton)
        };
        self.document().poses().get(name).cloned().or_else(built_in)
    }

    /// The two methods that are compared: those of the first two panes, or of the wipe.
    pub fn compared(&self) -> [&str; 2] {
        let seen = self.panes.seen();
        match (self.panes.wipe, seen) {
            (None, [a, b, ..]) => [&a.method, &b.method],
            _ => {
                let pane = self.panes.active_pane();
                [&pane.method, &pane.other]
            }
        }
    }

    /// What chooses one of the two compared methods.
    pub fn choose_compared(&self, side: usize, method: &str) -> Command {
        let method = method.to_owned();
        match (self.panes.wipe, self.panes.layout, side) {
            (None, PaneLayout::Two | PaneLayout::Four, side) => Command::SetMethod { pane: side, method },
            (_, _, 0) => Command::SetMethod { pane: self.panes.active(), method },
            _ => Command::SetOtherMethod { pane: self.panes.active(), method },
        }
    }
}
