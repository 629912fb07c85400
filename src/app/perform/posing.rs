//! Edits of the document: poses, selection, undo.

use crate::app::action::Action;
use crate::app::state::ToolKind;
use crate::app::studio::Studio;
use crate::doc::Edit;
use crate::io;
use crate::kernel::rig::Pose;

impl Studio {
    /// Applies an edit; a refused one is told and changes nothing. Posing takes over from the motion.
    pub(super) fn edit(&mut self, edit: Edit, drag: Option<u64>) {
        let poses = matches!(edit, Edit::SetPose(_));
        match self.state.session.apply(edit, drag) {
            Ok(()) if poses => self.state.playback.choose(None),
            Ok(()) => self.after_edit(),
            Err(why) => self.state.log.error(why.to_string()),
        }
    }

    /// Puts things back as they were before a drag.
    pub(super) fn cancel_drag(&mut self, drag: u64) {
        if self.state.session.cancel_drag(drag) {
            self.after_edit();
        }
    }

    fn after_edit(&mut self) {
        if self.state.wants_tags() && self.state.tool.kind != ToolKind::Tags {
            self.ask_for_tags();
        }
        let state = &mut self.state;
        let character = state.session.document().character().clone();
        state.selection.retain_valid(&character.skeleton, character.mesh.vertex_count());
        state.hidden.retain(|&j| j < character.skeleton.len());
        state.tool.pins.retain(|&j| j < character.skeleton.len());
        let tracks_fit = |clip: &crate::kernel::rig::Clip| {
            clip.tracks.iter().all(|track| track.joint < character.skeleton.len())
        };
        if !state.playback.clips().iter().all(|clip| tracks_fit(clip)) {
            state.playback.load(&character);
        }
        state.playback.follow(&character);
    }

    pub(super) fn select_joint(&mut self, joint: usize, add: bool) {
        let selection = &mut self.state.selection;
        selection.tag = None;
        if add { selection.toggle_joint(joint) } else { selection.select_joint(joint) }
    }

    pub(super) fn edit_action(&mut self, action: Action) {
        match action {
            Action::Undo | Action::Redo => {
                let before = self.state.document().revisions();
                let done = if action == Action::Undo {
                    self.state.session.undo()
                } else {
                    self.state.session.redo()
                };
                if done {
                    if self.state.document().revisions().poses != before.poses {
                        self.state.playback.choose(None);
                    }
                    self.after_edit();
                }
            }
            Action::SelectNone => self.state.selection.clear(),
            Action::SelectParent | Action::SelectChild => {
                let skeleton = &self.state.character().skeleton;
                let next = self.state.selection.active_joint().and_then(|j| match action {
                    Action::SelectParent => skeleton.joints()[j].parent,
                    _ => skeleton.children(j).first().copied(),
                });
                if let Some(joint) = next {
                    self.select_joint(joint, false);
                }
            }
            _ => {}
        }
    }

    pub(super) fn pose_action(&mut self, action: Action) {
        let skeleton = std::sync::Arc::clone(&self.state.character().skeleton);
        match action {
            Action::CopyPose => {
                let text = io::pose::write(&self.state.pose, &skeleton);
                self.context.copy_text(text);
                self.state.log.info("Pose copied");
            }
            Action::PastePose => {
                self.context.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
            }
            Action::ResetSelected => {
                let mut pose = self.state.pose.clone();
                let rest = Pose::rest(&skeleton);
                for &j in self.state.selection.joints() {
                    pose.local[j] = rest.local[j];
                }
                self.edit(Edit::SetPose(pose), None);
            }
            Action::ResetAll => self.edit(Edit::SetPose(Pose::rest(&skeleton)), None),
            Action::StorePose => {
                let taken = self.state.document().poses();
                let name = (1..).map(|k| format!("Pose {k}")).find(|name| !taken.contains_key(name));
                self.store_pose(name.unwrap_or_default());
            }
            Action::TogglePin => {
                for &j in self.state.selection.joints() {
                    if !self.state.tool.pins.remove(&j) {
                        self.state.tool.pins.insert(j);
                    }
                }
            }
            Action::ToggleSymmetry => self.state.tool.symmetry = !self.state.tool.symmetry,
            Action::NextOrientation => {
                use crate::app::state::Orientation;
                let at = Orientation::ALL.iter().position(|o| *o == self.state.tool.orientation).unwrap_or(0);
                self.state.tool.orientation = Orientation::ALL[(at + 1) % Orientation::ALL.len()];
            }
            _ => {}
        }
    }

    pub(super) fn store_pose(&mut self, name: String) {
        let pose = self.state.pose.clone();
        self.state.log.info(format!("Stored as “{name}”"));
        self.edit(Edit::StorePose(name, Some(pose)), None);
    }

    /// Takes on a pose of the library, `share` of the way from the pose that is there.
    pub(super) fn take_pose(&mut self, name: &str, share: f64, drag: Option<u64>) {
        let Some(wanted) = self.state.library_pose(name) else { return };
        let from = self.pose_before_drag(drag);
        self.edit(Edit::SetPose(from.blend(&wanted, share)), drag);
    }

    /// The pose that a drag started from, so that blending does not pile up.
    fn pose_before_drag(&mut self, drag: Option<u64>) -> Pose {
        match (&self.drag_start, drag) {
            (Some((number, pose)), Some(drag)) if *number == drag => pose.clone(),
            _ => {
                let pose = self.state.pose.clone();
                self.drag_start = drag.map(|drag| (drag, pose.clone()));
                pose
            }
        }
    }

    pub(super) fn paste_pose(&mut self, text: &str) {
        let skeleton = std::sync::Arc::clone(&self.state.character().skeleton);
        match io::pose::parse_known(text, &skeleton) {
            Ok((pose, left_out)) => {
                self.edit(Edit::SetPose(pose), None);
                self.tell_left_out(&left_out);
            }
            Err(why) => self.state.log.warn(format!("What was copied is not a pose: {why}")),
        }
    }
}
