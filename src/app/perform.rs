//! Carries commands out. Each handler is short and lives with its area.

use crate::app::action::{Action, Group};
use crate::app::areas::templates::editor::edited::Leave;
use crate::app::areas::templates::offers::PREPARE_TEMPLATE;
use crate::app::command::{Command, WindowKind};
use crate::app::jobs::Running;
use crate::app::studio::Studio;
use crate::jobs::JobId;

impl Studio {
    /// Carries one command out.
    pub(in crate::app) fn perform(&mut self, command: Command) {
        self.context.request_repaint();
        match command {
            Command::Do(action) => self.perform_action(action),
            Command::Edit { edit, drag } => self.edit(edit, drag),
            Command::CancelDrag(drag) => self.state.cancel_drag(drag),
            Command::Open(_)
            | Command::OpenAnyway(_)
            | Command::ImportMotion(_)
            | Command::SaveTo(_)
            | Command::ExportTo { .. }
            | Command::File(_)
            | Command::QuitAnyway
            | Command::Recover { .. } => self.perform_file(command),
            Command::SelectJoint { joint, add } => self.select_joint(joint, add),
            Command::Visit { joint, seen } => self.visit(joint, seen.as_deref()),
            Command::SelectTag(tag) => self.select_tag(tag),
            Command::SelectCageVertices(vertices) => self.state.selection.cage = vertices,
            Command::SelectMuscle(name) => self.state.selection.muscle = name,
            Command::SelectVertex(vertex) => self.state.selection.vertex = vertex,
            Command::SelectTwistPoint(point) => self.state.twist_point = point,
            Command::SelectNothing => self.state.selection.clear(),
            Command::SetCamera(_)
            | Command::ActivatePane(_)
            | Command::SetMethod { .. }
            | Command::SetOtherMethod { .. }
            | Command::SetShading { .. }
            | Command::SetLayout(_)
            | Command::SetWipe(_)
            | Command::SetWorkspace(_)
            | Command::SetSettings(_) => self.perform_view(command),
            Command::ChooseClip(_)
            | Command::Seek(_)
            | Command::SetSpeed(_)
            | Command::SetLoopMode(_)
            | Command::Compare => self.perform_motion(command),
            Command::SetTool(tool) => self.state.tool = tool,
            Command::SetTemplateOptions(options) => self.state.templates.options = options,
            Command::ChooseTemplate { place, name } => self.choose_template(place, &name),
            Command::Editor(command) => self.perform_editor(command),
            Command::CancelJob(id) => self.cancel_job(id),
            Command::TakePose { name, share, drag } => self.state.take_pose(&name, share, drag),
            Command::StorePose(name) => self.store_pose(name),
            Command::PasteText(text) => self.paste_pose(&text),
            Command::ShowWindow { window, open } => self.show_window(window, open),
            Command::Rebind(action) => self.state.windows.rebinding = action,
            Command::SetKeys(action, keys) => self.set_keys(action, keys),
            Command::TypeInPalette(text) => self.state.windows.palette = Some(text),
            Command::Say(words) => self.state.log.warn(words),
        }
    }

    fn perform_action(&mut self, action: Action) {
        if !self.state.can(action) {
            if let Some(why) = self.state.why_not(action) {
                self.state.log.info(why);
            }
            return;
        }
        if matches!(action, Action::RemoveRig | Action::RigNow) && self.state.template_editor.is_some() {
            // The cage that the editor works on goes with the skeleton.
            return self.leave_editor(Leave::Do(action));
        }
        match action.spec().group {
            Group::File => self.file_action(action),
            Group::Edit => self.edit_action(action),
            Group::View => self.view_action(action),
            Group::Pose => self.pose_action(action),
            Group::Rig => self.rig_action(action),
            Group::Motion => self.motion_action(action),
            Group::Tool => self.tool_action(action),
            Group::Window => self.window_action(action),
            Group::Help => self.show_window(
                match action {
                    Action::ShowKeys => WindowKind::Keys,
                    Action::About => WindowKind::About,
                    _ => WindowKind::Palette,
                },
                true,
            ),
        }
    }

    /// Asks a job to stop; templates are not prepared again until another joint is selected.
    fn cancel_job(&mut self, id: JobId) {
        let is_template = |job: &Running| job.id == id && job.kind == PREPARE_TEMPLATE;
        self.state.templates.stopped |= self.jobs.running().iter().any(is_template);
        self.jobs.cancel(id);
    }

    /// Opens or closes a window over the panels.
    pub(in crate::app) fn show_window(&mut self, window: WindowKind, open: bool) {
        let windows = &mut self.state.windows;
        match window {
            WindowKind::Palette => windows.palette = open.then(String::new),
            WindowKind::Log => {
                windows.log = open;
                self.state.log.mark_seen();
            }
            WindowKind::Settings => windows.settings = open,
            WindowKind::Keys => (windows.keys, windows.rebinding) = (open, None),
            WindowKind::About => windows.about = open,
        }
    }
}
