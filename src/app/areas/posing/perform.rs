//! Edits of the document: poses, selection, undo.

use std::sync::Arc;

use super::state::BeforeDrag;
use crate::app::areas::AREAS;
use crate::app::areas::posing::Orientation;
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::doc::Edit;
use crate::io;
use crate::kernel::rig::{JointMirror, Pose};

impl AppState {
    /// Applies an edit; a refused one is told and changes nothing. Posing takes over from the motion,
    /// and does nothing while the rest pose is held up for comparison.
    pub(in crate::app) fn edit(&mut self, edit: Edit, drag: Option<u64>) {
        let poses = matches!(edit, Edit::SetPose(_));
        if poses && self.rest_held {
            return;
        }
        if poses {
            if self.tool.kind.is_at_rest {
                // No pose would be seen.
                self.tool.kind = ToolKind::Pose;
            }
            self.note_drag(drag);
        }
        match self.session.apply(edit, drag) {
            Ok(()) if poses => self.playback.choose(None),
            Ok(()) => self.after_edit(),
            Err(why) => self.log.error(why.to_string()),
        }
    }

    /// Remembers what a drag that poses starts from.
    fn note_drag(&mut self, drag: Option<u64>) {
        if self.posing.before_drag.as_ref().map(|(number, _)| *number) != drag {
            let before = BeforeDrag { playback: self.playback.clone(), pose: self.pose.clone() };
            self.posing.before_drag = drag.map(|drag| (drag, before));
        }
    }

    /// Takes a drag back as if it had never been; a motion that it stopped goes on.
    pub(in crate::app) fn cancel_drag(&mut self, drag: u64) {
        if !self.session.cancel_drag(drag) {
            return;
        }
        match self.posing.before_drag.take() {
            Some((number, before)) if number == drag => self.playback = before.playback,
            other => self.posing.before_drag = other,
        }
        self.after_edit();
    }

    fn after_edit(&mut self) {
        let character = self.session.document().character();
        self.selection.retain_valid(&character.skeleton, character.mesh.vertex_count());
        AREAS.iter().for_each(|area| (area.edited)(self));
    }

    pub(in crate::app) fn select_joint(&mut self, joint: usize, add: bool) {
        let selection = &mut self.selection;
        selection.tag = None;
        if add { selection.toggle_joint(joint) } else { selection.select_joint(joint) }
    }

    /// The pose that a drag started from, so that blending does not pile up.
    fn pose_before_drag(&mut self, drag: Option<u64>) -> Pose {
        self.note_drag(drag);
        self.posing.before_drag.as_ref().map_or_else(|| self.pose.clone(), |(_, before)| before.pose.clone())
    }

    /// Takes on a pose of the library, `share` of the way from the pose that is there.
    pub(in crate::app) fn take_pose(&mut self, name: &str, share: f64, drag: Option<u64>) {
        let Some(wanted) = self.library_pose(name) else { return };
        let from = self.pose_before_drag(drag);
        let pose = if share >= 1.0 { wanted } else { from.blend(&wanted, share) };
        self.edit(Edit::SetPose(pose), drag);
    }

    /// Goes one joint up the skeleton.
    pub(in crate::app) fn select_parent(&mut self) {
        let Some(j) = self.selection.active_joint() else { return };
        if let Some(parent) = self.character().skeleton.joints()[j].parent {
            self.select_joint(parent, false);
        }
    }

    /// Goes one joint down the skeleton.
    pub(in crate::app) fn select_child(&mut self) {
        let Some(j) = self.selection.active_joint() else { return };
        if let Some(child) = self.character().skeleton.children(j).first().copied() {
            self.select_joint(child, false);
        }
    }

    /// Pins the chosen joints, or frees those that are pinned.
    pub(in crate::app) fn toggle_pins(&mut self) {
        for &j in self.selection.joints() {
            if !self.posing.pins.remove(&j) {
                self.posing.pins.insert(j);
            }
        }
    }

    /// Goes on to the next axes of the gizmo.
    pub(in crate::app) fn next_orientation(&mut self) {
        let at = Orientation::ALL.iter().position(|o| *o == self.posing.orientation).unwrap_or(0);
        self.posing.orientation = Orientation::ALL[(at + 1) % Orientation::ALL.len()];
    }

    /// Swaps left and right, or copies the chosen joints to the other side.
    pub(in crate::app) fn mirror_pose(&mut self) {
        let skeleton = Arc::clone(&self.character().skeleton);
        let mirror = JointMirror::of(&skeleton);
        let pose = match self.selection.joints() {
            [] => mirror.mirror_pose(&skeleton, &self.pose),
            chosen => mirror.mirror_joints(&skeleton, &self.pose, chosen),
        };
        self.edit(Edit::SetPose(pose), None);
    }

    pub(in crate::app) fn reset_selected(&mut self) {
        let mut pose = self.pose.clone();
        let rest = Pose::rest(&self.character().skeleton);
        for &j in self.selection.joints() {
            pose.local[j] = rest.local[j];
        }
        self.edit(Edit::SetPose(pose), None);
    }

    /// Goes back to the rest pose.
    pub(in crate::app) fn reset_all(&mut self) {
        let rest = Pose::rest(&self.character().skeleton);
        self.edit(Edit::SetPose(rest), None);
    }
}

impl AppState {
    /// What undo would take back: what came last, in the document or in the template editor.
    pub fn undo_label(&self) -> Option<&str> {
        let history = self.session.history();
        let edited = self.templates.editor.as_ref().and_then(|editor| editor.undo_label(history.now()));
        edited.or_else(|| history.undo_label())
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&str> {
        let history = self.session.history();
        let edited = self.templates.editor.as_ref().and_then(|editor| editor.redo_label(history.now()));
        edited.or_else(|| history.redo_label())
    }
}

/// Which way through the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Undo.
    Back,
    /// Redo.
    Forward,
}

impl Studio {
    /// Takes the last change back.
    pub(in crate::app) fn step_back(&mut self) {
        self.step(Step::Back);
    }

    /// Does the undone change again.
    pub(in crate::app) fn step_forward(&mut self) {
        self.step(Step::Forward);
    }

    fn step(&mut self, step: Step) {
        if self.step_editor(step) {
            return;
        }
        let before = self.state.document().revisions();
        let done = match step {
            Step::Back => self.state.session.undo(),
            Step::Forward => self.state.session.redo(),
        };
        if done {
            if self.state.document().revisions().poses != before.poses {
                self.state.playback.choose(None);
            }
            self.state.after_edit();
        }
    }

    pub(in crate::app) fn copy_pose(&mut self) {
        let text = io::pose::write(&self.state.pose, &self.state.character().skeleton);
        self.context.copy_text(text);
        self.state.log.info("Pose copied");
    }

    /// Keeps the pose in the library under a name that is free.
    pub(in crate::app) fn store_new_pose(&mut self) {
        let taken = self.state.document().poses();
        let name = (1..).map(|k| format!("Pose {k}")).find(|name| !taken.contains_key(name));
        self.store_pose(name.unwrap_or_default());
    }

    pub(in crate::app) fn edit(&mut self, edit: Edit, drag: Option<u64>) {
        self.state.edit(edit, drag);
    }

    pub(in crate::app) fn store_pose(&mut self, name: String) {
        let pose = self.state.pose.clone();
        self.state.log.info(format!("Stored as “{name}”"));
        self.edit(Edit::StorePose(name, Some(pose)), None);
    }

    pub(in crate::app) fn paste_pose(&mut self, text: &str) {
        let skeleton = Arc::clone(&self.state.character().skeleton);
        match io::pose::parse_known(text, &skeleton) {
            Ok((pose, left_out)) => {
                self.edit(Edit::SetPose(pose), None);
                self.tell_left_out(&left_out);
            }
            Err(why) => self.state.log.warn(format!("What was copied is not a pose: {why}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;
    use crate::app::command::new_drag;
    use crate::app::settings::Settings;
    use crate::doc::{Document, Origin};
    use crate::kernel::forge;
    use crate::kernel::rig::Posed;

    fn opened(name: &str) -> AppState {
        let character = forge::build(name, Some(2500)).expect("built in");
        let mut state = AppState::new(Settings::default());
        state.session.replace(Document::new(Origin::parse("@test"), character), None);
        state.refresh_pose();
        state
    }

    fn turn(state: &mut AppState, name: &str, by: [f64; 3]) -> usize {
        let j = state.character().skeleton.find(name).expect("the hero has it");
        let mut pose = state.pose.clone();
        let rotation = UnitQuaternion::from_euler_angles(by[0], by[1], by[2]);
        pose.rotate_from_rest(&state.character().skeleton, j, rotation);
        state.edit(Edit::SetPose(pose), None);
        state.refresh_pose();
        j
    }

    /// Distance of a joint from the mirror image of another, in a pose.
    fn apart(state: &AppState, before: &Posed, from: &str, to: &str) -> f64 {
        let find = |name| state.character().skeleton.find(name).expect("the hero has it");
        let was = before.world_from_joint[find(from)].translation;
        let is = state.posed.world_from_joint[find(to)].translation;
        nalgebra::Vector3::new(-was.x - is.x, was.y - is.y, was.z - is.z).norm()
    }

    #[test]
    fn mirroring_swaps_sides_and_copies_what_is_chosen() {
        let mut state = opened("hero");
        let arm = turn(&mut state, "LeftUpperArm", [0.4, 0.2, 0.9]);
        let posed = state.pose.clone();
        let before = Posed::of(&state.character().skeleton, &posed);
        state.mirror_pose();
        state.refresh_pose();
        assert!(apart(&state, &before, "LeftHand", "RightHand") < 1e-3);
        assert!(apart(&state, &before, "RightHand", "LeftHand") < 1e-3);
        assert!(state.session.undo(), "one step");
        state.refresh_pose();
        assert_eq!(state.pose, posed);
        state.selection.select_joint(arm);
        state.mirror_pose();
        state.refresh_pose();
        assert_eq!(state.pose.local[arm], posed.local[arm], "what is chosen stays");
        assert!(apart(&state, &before, "LeftHand", "RightHand") < 1e-3, "and is copied");
    }

    #[test]
    fn resetting_turns_only_the_chosen_joints_back() {
        let mut state = opened("hero");
        let arm = turn(&mut state, "LeftUpperArm", [0.4, 0.2, 0.9]);
        let leg = turn(&mut state, "LeftUpperLeg", [0.4, 0.0, 0.0]);
        state.selection.select_joint(arm);
        state.reset_selected();
        let rest = Pose::rest(&state.character().skeleton);
        assert_eq!(state.document().pose().local[arm], rest.local[arm]);
        assert_ne!(state.document().pose().local[leg], rest.local[leg]);
    }

    #[test]
    fn blending_towards_a_pose_does_not_pile_up_and_is_one_step() {
        let mut state = opened("hero");
        turn(&mut state, "LeftUpperArm", [0.4, 0.2, 0.9]);
        let from = state.pose.clone();
        let name = state.built_in_poses()[0].name.clone();
        let wanted = state.library_pose(&name).expect("a biped takes it on");
        let drag = new_drag();
        for share in [0.2, 0.7, 0.5] {
            state.take_pose(&name, share, Some(drag));
            state.refresh_pose();
        }
        assert_eq!(state.pose, from.blend(&wanted, 0.5));
        assert!(state.session.undo());
        state.refresh_pose();
        assert_eq!(state.pose, from);
        state.take_pose(&name, 1.0, None);
        state.refresh_pose();
        assert_eq!(state.pose, wanted, "a whole pose is taken on exactly");
    }

    #[test]
    fn built_in_poses_are_for_bipeds_and_own_ones_of_the_same_name_come_first() {
        assert!(opened("tube").built_in_poses().is_empty());
        let mut state = opened("hero");
        let name = state.built_in_poses()[1].name.clone();
        turn(&mut state, "Head", [0.3, 0.0, 0.0]);
        let own = state.pose.clone();
        assert_ne!(state.library_pose(&name).as_ref(), Some(&own));
        state.edit(Edit::StorePose(name.clone(), Some(own.clone())), None);
        assert_eq!(state.library_pose(&name), Some(own));
    }
}
