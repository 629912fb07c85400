//! Editing a template: what the panel and the tool ask for, and what is shown meanwhile.

use std::sync::Arc;

use super::edited::{EditorCommand, Leave, TemplateEditor};
use crate::app::areas::files::{Answer, Next};
use crate::app::areas::posing::perform::Step;
use crate::app::areas::templates::offers::{CAGE, Place};
use crate::app::bindings::{BindKey, BodySize};
use crate::app::command::AreaCommand;
use crate::app::jobs::{End, Inputs, JobKind, Outcome};
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::app::words::capitalized;
use crate::doc::Edit;
use crate::io::templates::TemplateFolder;
use crate::jobs::templates::ReshapeTemplate;
use crate::jobs::user_folder::{Changed, SaveFile};
use crate::kernel::skin::Bound;
use crate::kernel::skin::methods::cage::template::Template;

/// Computes the skin of a template that is being edited.
const RESHAPE: JobKind = JobKind::quiet("reshape");

impl AppState {
    /// Whether the editor holds changes that no file has.
    pub fn has_unsaved_template(&self) -> bool {
        self.templates.editor.as_ref().is_some_and(TemplateEditor::is_unsaved)
    }
}

impl AreaCommand for EditorCommand {
    fn perform(&self, studio: &mut Studio) {
        studio.perform_editor(self.clone());
    }
}

impl Studio {
    pub(in crate::app) fn perform_editor(&mut self, command: EditorCommand) {
        match command {
            EditorCommand::Begin(place) => self.begin_editor(place),
            EditorCommand::Leave => self.leave_editor(Leave::Close),
            EditorCommand::Answer(answer) => self.answer_leaving(answer),
            EditorCommand::Save => self.save_template(),
            EditorCommand::GoTo(key) => self.go_to_key(key),
            EditorCommand::AddKey | EditorCommand::RemoveKey(_) | EditorCommand::Drag { .. } => {
                self.reshape(&command);
            }
            EditorCommand::DragEnded => self.with_editor(TemplateEditor::end_drag),
            EditorCommand::CancelDrag => {
                self.with_editor(TemplateEditor::cancel_drag);
                self.show_edited();
            }
            EditorCommand::Name(name) => {
                self.with_editor(|editor| (editor.name, editor.error) = (name, None));
            }
            EditorCommand::About(about) => self.with_editor(|editor| editor.about = about),
            EditorCommand::Mirror(on) => self.with_editor(|editor| editor.mirror = on),
        }
    }

    fn with_editor(&mut self, change: impl FnOnce(&mut TemplateEditor)) {
        if let Some(editor) = &mut self.state.templates.editor {
            change(editor);
        }
    }

    fn begin_editor(&mut self, place: Place) {
        if self.state.templates.editor.is_some() {
            return;
        }
        let now = self.context.input(|input| input.time);
        self.state.refresh_templates(now);
        let state = &self.state;
        let key = BindKey::of(state.session.serial, state.document(), CAGE);
        let is_current = state.bindings.key(CAGE) == Some(&key);
        let row = state.templates.row(place).or_else(|| state.templates.tab_row());
        let (Some(row), Some(bound), true) = (row, state.bindings.in_use(CAGE), is_current) else {
            self.state.log.info("The cage is not ready yet; its templates can be edited in a moment");
            return;
        };
        let file = self.state.templates.folder.file_of(row.template()).map(std::path::Path::to_owned);
        let library = &state.document().libraries().templates;
        let editor = TemplateEditor::new((row.place, row.spot), &bound, library, file, state.session.serial);
        let state = &mut self.state;
        state.templates.editor = editor;
        state.playback.playing = false;
        state.tool.kind = ToolKind::Pose;
        state.show.cage = true;
        self.show_edited();
    }

    /// Turns the bones as a key pose has them.
    fn go_to_key(&mut self, key: usize) {
        let state = &mut self.state;
        let Some(editor) = &state.templates.editor else { return };
        let skeleton = Arc::clone(&state.session.document().character().skeleton);
        match editor.rig().pose_at_key(editor.spot, key, &skeleton, &state.pose) {
            Some(pose) => state.edit(Edit::SetPose(pose), None),
            None => state.log.warn("The bones at this place cannot be turned as in that key pose"),
        }
    }

    /// Adds or removes a key, or drags a vertex.
    fn reshape(&mut self, command: &EditorCommand) {
        let state = &mut self.state;
        let now = state.session.history().now();
        let Some(editor) = &mut state.templates.editor else { return };
        let (spot, posed) = (editor.spot, &state.posed.posed_from_rest);
        let (label, changed, drag) = match command {
            EditorCommand::AddKey => ("add key pose", editor.rig().with_key_here(spot, posed), None),
            EditorCommand::RemoveKey(key) => ("remove key pose", editor.template().without_key(*key), None),
            EditorCommand::Drag { vertex, target, drag } => {
                let Some(key) = editor.key_here(posed) else { return };
                let moved = editor.rig().reached(spot, posed, (key, *vertex), *target, editor.mirror);
                ("move vertex", moved, Some(*drag))
            }
            _ => return,
        };
        match changed {
            Ok(template) => {
                editor.change(label, template, drag, now);
                self.show_edited();
            }
            Err(why) => state.log.warn(capitalized(&why.to_string())),
        }
    }

    /// Takes back what came last, if that was in the editor; or does it again.
    pub(in crate::app) fn step_editor(&mut self, step: Step) -> bool {
        let now = self.state.session.history().now();
        let Some(editor) = &mut self.state.templates.editor else { return false };
        let label = match step {
            Step::Back => editor.undo_label(now),
            Step::Forward => editor.redo_label(now),
        };
        let done = label.is_some() && editor.step(step == Step::Back);
        if done {
            self.show_edited();
        }
        done
    }

    /// Shows the skin with the template as it is.
    fn show_edited(&mut self) {
        let state = &mut self.state;
        let size = BodySize::of(state.session.document().character());
        let Some(editor) = &mut state.templates.editor else { return };
        if let Some(bound) = editor.refresh() {
            state.bindings.show_instead(CAGE, bound, size);
        }
    }

    /// Keeps what is shown up to date with the document, and has coordinates computed where they are due.
    pub(in crate::app) fn keep_editor(&mut self) {
        let state = &mut self.state;
        let Some(editor) = &mut state.templates.editor else { return };
        if editor.session != state.session.serial {
            return self.close_editor();
        }
        let mut is_there = !state.session.document().character().skeleton.is_empty();
        if let Some(bound) = state.bindings.in_use(CAGE).filter(|_| is_there)
            && !editor.is_made_from(&bound)
        {
            self.jobs.cancel_all(RESHAPE);
            is_there = editor.go_on_with(&bound);
        }
        editor.has_lost_cage = !is_there;
        if !is_there {
            return self.turn_editor_out();
        }
        if let Some(previous) = editor.wants_coordinates().map(Arc::clone) {
            let template = Arc::clone(editor.template());
            editor.computing = Some(Arc::clone(&template));
            let character = state.session.document().character().clone();
            let job =
                ReshapeTemplate { previous, character, spot: editor.spot, template: Arc::clone(&template) };
            let inputs = Inputs::of(&state.session, &[]);
            self.jobs.start(RESHAPE, inputs, job, move |studio, end| studio.reshaped(&template, end));
        }
    }

    /// The cage is gone, as after undoing a rig: what is not saved is asked about, and that is all.
    fn turn_editor_out(&mut self) {
        let Some(editor) = self.state.templates.editor.as_mut().filter(|editor| !editor.saving) else {
            return;
        };
        if editor.is_unsaved() {
            editor.leaving.get_or_insert(Leave::Close);
            return;
        }
        let words =
            format!("The cage has no template at {} any more, so the editor closed", editor.spot_name);
        self.state.log.info(words);
        self.close_editor();
    }

    /// Coordinates were computed for the template as it was.
    fn reshaped(&mut self, template: &Arc<Template>, end: End<Box<dyn Bound>>) {
        if matches!(end.outcome, Outcome::Cancelled) {
            return;
        }
        let bound = end.quietly();
        let Some(editor) = &mut self.state.templates.editor else { return };
        if editor.computing.as_ref().is_none_or(|asked| !Arc::ptr_eq(asked, template)) {
            return;
        }
        let is_there = bound.is_some();
        editor.computed(bound.map(Arc::from));
        if is_there {
            self.show_edited();
        } else {
            self.state.log.warn("The skin cannot follow this shape; undo brings the last one back");
        }
    }

    pub(in crate::app) fn close_editor(&mut self) {
        self.jobs.cancel_all(RESHAPE);
        self.state.templates.editor = None;
        self.state.bindings.show_own(CAGE);
    }

    /// Leaves at once, or asks first whether changes are to be saved.
    pub(in crate::app) fn leave_editor(&mut self, leave: Leave) {
        let Some(editor) = &mut self.state.templates.editor else { return };
        if editor.is_unsaved() {
            editor.leaving = Some(leave);
            return;
        }
        self.close_editor();
        self.after_editor(leave);
    }

    fn after_editor(&mut self, leave: Leave) {
        match leave {
            Leave::Close => {}
            Leave::Then(next) => self.ask_first(next),
            Leave::Do(action) => self.perform(action.into()),
        }
    }

    /// Whether something must wait until the editor's changes are saved or given up.
    pub(in crate::app) fn waits_for_editor(&mut self, next: &Next) -> bool {
        if !self.state.has_unsaved_template() {
            return false;
        }
        self.leave_editor(Leave::Then(next.clone()));
        true
    }

    fn answer_leaving(&mut self, answer: Answer) {
        let Some(editor) = &mut self.state.templates.editor else { return };
        match answer {
            Answer::Cancel => editor.leaving = None,
            Answer::Discard => {
                let leave = editor.leaving.take().unwrap_or(Leave::Close);
                self.close_editor();
                self.after_editor(leave);
            }
            Answer::Save => {
                // What was asked for goes on once the file is written.
                let leave = editor.leaving.take();
                self.save_template();
                if let Some(editor) = self.state.templates.editor.as_mut().filter(|editor| editor.saving) {
                    self.files.after_template = leave;
                    editor.leaving = None;
                }
            }
        }
    }

    fn save_template(&mut self) {
        let state = &mut self.state;
        let library = Arc::clone(&state.session.document().libraries().templates);
        let Some(editor) = &mut state.templates.editor else { return };
        let named = editor.template().renamed(&editor.name, &editor.about, &library, editor.own.as_deref());
        match named {
            Ok(template) => {
                editor.saving = true;
                let folder = state.templates.folder.clone();
                let job = SaveFile { folder, thing: template, file: editor.file.clone() };
                let kind = JobKind::shown("save template");
                self.jobs.start(kind, Inputs::none(), job, |studio, end| {
                    match end.done(&mut studio.state.log) {
                        Some(saved) => studio.template_saved(saved),
                        None => studio.template_not_saved(),
                    }
                });
            }
            Err(why) => {
                editor.error = Some(capitalized(&why.to_string()));
                self.files.after_template = None;
            }
        }
    }

    /// A template was written: it is in the library now, and stands where it was edited.
    fn template_saved(&mut self, saved: Changed<Template>) {
        let Changed { folder, thing: template, file } = saved;
        self.take_templates(folder);
        let Some(editor) = self.state.templates.editor.take() else { return };
        self.jobs.cancel_all(RESHAPE);
        let params = self.state.with_saved(&editor, &template);
        if params != self.state.document().settings(CAGE) {
            self.edit(Edit::SetParams(CAGE.into(), params).named("choose template"), None);
        }
        // What was seen in the editor stays until the cage is bound with what was saved.
        let key = BindKey::of(self.state.session.serial, self.state.document(), CAGE);
        self.state.bindings.show_until(CAGE, &key);
        self.state.log.info(format!("Saved the template “{}” as {}", template.name, file.display()));
        if let Some(leave) = self.files.after_template.take() {
            self.after_editor(leave);
        }
    }

    /// The template could not be written; the editor stays open.
    fn template_not_saved(&mut self) {
        self.files.after_template = None;
        self.with_editor(|editor| editor.saving = false);
    }

    /// Works with what the user's folder holds now.
    pub(in crate::app) fn take_templates(&mut self, folder: TemplateFolder) {
        for refused in &folder.refused {
            self.state.log.warn(format!("The template {refused}"));
        }
        let mut library = folder.library();
        let before = &self.state.document().libraries().templates;
        // What came with the project and is nowhere else stays. What was in the folder and has another name
        // now, or no file any more, stays for steps that can be undone, but is not offered.
        for template in before.own() {
            if library.find(template.part, &template.name).is_some() {
                continue;
            }
            let had_file = self.state.templates.folder.file_of(template).is_some();
            if library.add_own(template.as_ref().clone()).is_ok() && (had_file || before.is_retired(template))
            {
                library.retire(template);
            }
        }
        self.state.templates.folder = folder;
        self.state.session.set_templates(Arc::new(library));
    }
}
