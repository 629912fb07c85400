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
            Command::SelectJoint { joint, add } => self.state.select_joint(joint, add),
            Command::SelectTag(tag) => self.select_tag(tag),
            Command::SelectCageVertices(vertices) => self.state.selection.cage = vertices,
            Command::SelectMuscle(name) => self.state.selection.muscle = name,
            Command::SelectVertex(vertex) => self.state.selection.vertex = vertex,
            Command::SelectNothing => self.state.selection.clear(),
            Command::SetSymmetry(on) => self.state.tool.symmetry = on,
            Command::CancelJob(id) => self.cancel_job(id),
            Command::Say(words) => self.state.log.warn(words),
            Command::Area(command) => command.perform(self),
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
    pub(super) fn means_here(&self, action: Action) -> Action {
        AREAS.iter().find_map(|area| (area.key_means)(&self.state, action)).unwrap_or(action)
    }

    /// Asks a job to stop; templates are not prepared again until another joint is selected.
    fn cancel_job(&mut self, id: JobId) {
        let is_template = |job: &Running| job.id == id && job.kind == PREPARE_TEMPLATE;
        self.state.templates.stopped |= self.jobs.running().iter().any(is_template);
        self.jobs.cancel(id);
    }
}
