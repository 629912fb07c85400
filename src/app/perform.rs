//! Carries commands out. Each handler is short and lives with its area.

use crate::app::action::Action;
use crate::app::areas::AREAS;
use crate::app::areas::templates::offers::PREPARE_TEMPLATE;
use crate::app::command::Command;
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
        if !AREAS.iter().any(|area| (area.takes_over)(self, action)) {
            (action.run)(self);
        }
    }

    /// What a key means here that stands for an action elsewhere.
    pub(super) fn meant(&self, action: Action) -> Action {
        AREAS.iter().find_map(|area| (area.meant)(&self.state, action)).unwrap_or(action)
    }

    /// Asks a job to stop; templates are not prepared again until another joint is selected.
    fn cancel_job(&mut self, id: JobId) {
        let is_template = |job: &Running| job.id == id && job.kind == PREPARE_TEMPLATE;
        self.state.templates.stopped |= self.jobs.running().iter().any(is_template);
        self.jobs.cancel(id);
    }
}
