//! Templates of a cage: choosing one, walking along them with Tab, and preparing them beforehand.

use std::sync::Arc;

use super::offers::{CAGE, PREPARE_TEMPLATE, Place};
use crate::app::areas::templates::editor::edited::EditorCommand;
use crate::app::bindings::BindKey;
use crate::app::jobs::{End, Inputs, JobKind, Outcome};
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::doc::{Document, Edit};
use crate::io::templates::TemplateFolder;
use crate::jobs::templates::PrepareTemplate;
use crate::jobs::user_folder::{ReadFolder, RemoveFile};
use crate::kernel::skin::{Bound, guard};

/// Seconds that a joint is selected before its templates are prepared: who walks along the skeleton
/// does not mean each of its joints.
const PAUSE: f64 = 0.25;

impl Studio {
    /// Chooses the template `steps` further on.
    pub(in crate::app) fn swap_template(&mut self, steps: isize) {
        self.refresh_templates();
        let Some(row) = self.state.templates.tab_row() else {
            self.state.log.info("The cage is not fitted yet; its templates come with it");
            return;
        };
        if row.offers.len() < 2 {
            let words = format!("“{}” is the only template that fits {}", row.template().name, row.name);
            self.state.log.info(words);
            return;
        }
        let key = row.step(steps).key.clone();
        self.choose(key);
    }

    /// Reshapes the template at the selected joint.
    pub(in crate::app) fn edit_template(&mut self) {
        let place = self.state.templates.options.tab;
        self.perform(EditorCommand::Begin(place).into());
    }

    /// Chooses a template by name.
    pub(in crate::app) fn choose_template(&mut self, place: Place, name: &str) {
        self.refresh_templates();
        let row = self.state.templates.row(place);
        let offer = row.and_then(|row| row.offers.iter().find(|offer| offer.template.name == name));
        if let Some(key) = offer.map(|offer| offer.key.clone()) {
            self.choose(key);
        }
    }

    /// Shows the folder of the user's templates, which is made if need be.
    pub(in crate::app) fn open_template_folder(&mut self) {
        let Some(path) = self.state.templates.folder.path.clone() else { return };
        if let Err(error) = std::fs::create_dir_all(&path) {
            self.state.log.error(format!("{} cannot be made: {error}", path.display()));
            return;
        }
        let shown = if self.files.native_dialogs { opener::open(&path) } else { Ok(()) };
        match shown {
            Ok(()) => self.state.log.info(format!("Your templates are in {}", path.display())),
            Err(error) => {
                let words =
                    format!("No file manager answers ({error}); your templates are in {}", path.display());
                self.state.log.warn(words);
            }
        }
    }

    /// Reads the user's templates again.
    pub(in crate::app) fn reload_templates(&mut self) {
        let job = ReadFolder(self.state.templates.folder.clone());
        self.jobs.start(JobKind::shown("read templates"), Inputs::none(), job, |studio, end| {
            if let Some(folder) = end.done(&mut studio.state.log) {
                studio.templates_read(folder);
            }
        });
    }

    /// Sees what changed in the folder while the user was elsewhere, as in another program.
    pub(in crate::app) fn watch_templates(&mut self) {
        let is_away = !self.context.input(|input| input.focused);
        let came_back = std::mem::replace(&mut self.state.templates.is_away, is_away) && !is_away;
        if !came_back || self.state.templates.folder.path.is_none() {
            return;
        }
        let job = ReadFolder(self.state.templates.folder.clone());
        self.jobs.start(JobKind::quiet("watch templates"), Inputs::none(), job, |studio, end| {
            match end.outcome {
                Outcome::Done(folder) if folder != studio.state.templates.folder => {
                    studio.templates_read(folder);
                }
                _ => {}
            }
        });
    }

    /// Takes the template that Tab swaps out of the user's folder. Skins keep it, but it is offered no more.
    pub(in crate::app) fn delete_template(&mut self) {
        let Some(thing) = self.state.own_template().map(|template| template.as_ref().clone()) else { return };
        let job = RemoveFile { folder: self.state.templates.folder.clone(), thing };
        self.jobs.start(JobKind::shown("delete template"), Inputs::none(), job, |studio, end| {
            let Some(removed) = end.done(&mut studio.state.log) else { return };
            studio.take_templates(removed.folder);
            studio.state.log.info(format!(
                "The template “{}” is offered no more; its file is kept as {}",
                removed.thing.name,
                removed.file.display()
            ));
        });
    }

    fn templates_read(&mut self, folder: TemplateFolder) {
        let words = match folder.things.len() {
            0 => "There are no templates of your own yet".to_owned(),
            1 => "Read one template of your own".to_owned(),
            count => format!("Read {count} templates of your own"),
        };
        self.take_templates(folder);
        self.state.log.info(words);
    }

    /// Gives a document that was opened the user's templates besides those that it brought along, which
    /// go before: a project looks as it was saved.
    pub(in crate::app) fn give_templates(
        &self,
        document: &mut Document,
        mut warnings: Vec<String>,
    ) -> Vec<String> {
        let mut library = self.state.templates.folder.library();
        for template in document.libraries().templates.own() {
            if library.find(template.part, &template.name).is_some_and(|own| own != template) {
                warnings.push(format!(
                    "The project has a template “{}” that is not as in your template folder; its own is used",
                    template.name
                ));
            }
            // Its name was found to be free when the project was read.
            let _ = library.add_own(template.as_ref().clone());
        }
        document.set_templates(Arc::new(library));
        warnings
    }

    fn choose(&mut self, key: BindKey) {
        // Whether the guard is on is no part of a key, and stays as it is.
        let now = self.state.document().settings(CAGE);
        let params = key.params().clone().with_knob_of(guard::SWITCH, &now);
        if params != now {
            self.edit(Edit::SetParams(CAGE.into(), params).named("choose template"), None);
        }
    }

    fn refresh_templates(&mut self) {
        let now = self.context.input(|input| input.time);
        self.state.refresh_templates(now);
    }

    /// Prepares the templates of the selected joint, one at a time and only while nothing else is to do.
    pub(in crate::app) fn keep_templates(&mut self) {
        self.refresh_templates();
        if self.state.tool.kind == ToolKind::Cage {
            // What is prepared now is of no use after the next correction.
            return;
        }
        let state = &self.state;
        let wanted = |key: &BindKey| state.templates.likely().any(|offer| offer.key == *key);
        if state.templates.preparing.as_ref().is_some_and(|key| !wanted(key)) {
            self.jobs.cancel_all(PREPARE_TEMPLATE);
        }
        let all: Vec<&BindKey> = state.templates.likely().map(|offer| &offer.key).collect();
        let is_open =
            |key: &&&BindKey| !state.bindings.has(CAGE, key) && !state.templates.unbindable.contains(key);
        let open = all.iter().filter(is_open).count();
        let Some(key) = all.iter().find(is_open).copied().cloned() else { return };
        let waited = self.context.input(|input| input.time) - state.templates.since;
        if waited < PAUSE {
            self.context.request_repaint_after_secs((PAUSE - waited) as f32);
            return;
        }
        let Some(previous) = state.bindings.previous(CAGE, &key) else { return };
        if self.jobs.is_busy() || state.templates.stopped || state.measures_first() {
            return;
        }
        let job = PrepareTemplate {
            previous,
            params: key.params().clone(),
            character: state.character().clone(),
            libraries: state.document().libraries().clone(),
            ready_of: [all.len() - open, all.len()],
        };
        self.state.comparing.numbers.note_preparing();
        self.state.templates.preparing = Some(key.clone());
        let inputs = Inputs::of(&self.state.session, &[]);
        self.jobs.start(PREPARE_TEMPLATE, inputs, job, |studio, end| studio.template_prepared(key, end));
    }

    /// A binding that may be chosen next is there, or cannot be.
    fn template_prepared(&mut self, key: BindKey, end: End<Box<dyn Bound>>) {
        self.state.templates.preparing = None;
        match end.outcome {
            Outcome::Done(bound) => self.state.bindings.prepared(CAGE, key, bound),
            Outcome::Outdated | Outcome::Cancelled => {}
            Outcome::Failed(why) => {
                self.state.templates.unbindable.push(key);
                self.state.log.warn(format!("A template cannot stand at this joint: {why}"));
            }
        }
    }
}
