//! The studio: the state, what runs beside it, and the order of one frame.

use std::time::Duration;

use egui_material_icons::icons::{ICON_ERROR, ICON_INFO, ICON_WARNING};

use crate::app::action::Action;
use crate::app::areas::AREAS;
use crate::app::areas::comparing::numbers::{GAUGE, LIVE_NUMBERS};
use crate::app::areas::files::dialog_ui::dialog_ui;
use crate::app::areas::files::questions_ui::questions_ui;
use crate::app::areas::files::{FileWork, StudioOptions};
use crate::app::areas::motion::timeline::timeline_ui;
use crate::app::areas::posing::command::PoseCommand;
use crate::app::areas::templates::editor::panel::question_ui;
use crate::app::command::Command;
use crate::app::jobs::{Event, Inputs, JobKind, Jobs};
use crate::app::log::Level;
use crate::app::panes::Panes;
use crate::app::settings::Settings;
use crate::app::shell::docking::Docked;
use crate::app::shell::keys::{Keys, Taken};
use crate::app::shell::menu::menu_ui;
use crate::app::shell::palette::palette_ui;
use crate::app::shell::status::status_ui;
use crate::app::shell::toolstrip::toolstrip_ui;
use crate::app::shell::widgets::anchor;
use crate::app::shell::workspaces::Arrangements;
use crate::app::shell::{theme, windows};
use crate::app::state::{AppState, Show};
use crate::app::tools::Tools;
use crate::io::recovery::leftovers;
use crate::io::templates::TemplateFolder;
use crate::render::Renderer;

/// What the window shows.
pub struct Studio {
    /// What panels read.
    pub(super) state: AppState,
    /// The drags that are going on.
    pub(super) tools: Tools,
    /// What runs in the background.
    pub(super) jobs: Jobs,
    /// What goes on with files; after the jobs, whose end its own end waits for.
    pub(super) files: FileWork,
    /// Where panels are docked.
    pub(super) arrangements: Arrangements,
    /// Keys that belong to the viewport.
    pub(super) keys: Keys,
    /// Messages that come and go.
    toasts: egui_notify::Toasts,
    commands: Vec<Command>,
    /// What the renderer could not draw and the log has said already.
    trouble_told: Option<String>,
    pub(super) context: egui::Context,
}

/// What is kept between runs besides the settings.
const SETTINGS: &str = "settings";
const ARRANGEMENTS: &str = "arrangements";
const PANES: &str = "panes";
const SHOW: &str = "show";
const WORKSPACE: &str = "workspace";
const TEMPLATES: &str = "templates";

impl Studio {
    /// Starts the studio in a window and opens in the background what the options say.
    pub fn new(creation: &eframe::CreationContext<'_>, options: StudioOptions) -> anyhow::Result<Self> {
        let load = |key: &str| creation.storage.and_then(|storage| storage.get_string(key));
        let mut studio = Self::start(&creation.egui_ctx, &load, options)?;
        if let Some(gpu) = &creation.wgpu_render_state {
            studio.state.real_gpu = gpu.adapter.get_info().device_type != wgpu::DeviceType::Cpu;
            let renderer = Renderer::new(&gpu.device, &gpu.queue, gpu.target_format);
            gpu.renderer.write().callback_resources.insert(renderer);
        }
        Ok(studio)
    }

    /// Starts the studio on any egui context; `load` finds what was kept from the last run.
    pub fn start(
        context: &egui::Context,
        load: &dyn Fn(&str) -> Option<String>,
        options: StudioOptions,
    ) -> anyhow::Result<Self> {
        let settings: Settings =
            load(SETTINGS).and_then(|text| ron::from_str(&text).ok()).unwrap_or_default();
        let mut state = AppState::new(settings);
        state.workspace = load(WORKSPACE).and_then(|text| ron::from_str(&text).ok()).unwrap_or_default();
        if let Some(show) = load(SHOW).and_then(|text| ron::from_str::<Show>(&text).ok()) {
            state.show = show;
        }
        state.templates.options =
            load(TEMPLATES).and_then(|text| ron::from_str(&text).ok()).unwrap_or_default();
        if let Some(path) = &options.templates {
            state.templates.folder = TemplateFolder::read(path);
            let refused = state.templates.folder.refused.iter();
            refused.for_each(|refused| state.log.warn(format!("The template {refused}")));
        }
        if let Some(panes) = load(PANES).and_then(|text| ron::from_str::<Panes>(&text).ok()) {
            state.panes = panes;
            state.panes.repair();
        }
        egui_material_icons::initialize(context);
        theme::apply(context, state.settings.dark);
        context.set_zoom_factor(state.settings.zoom);
        let mut arrangements: Arrangements =
            load(ARRANGEMENTS).and_then(|text| ron::from_str(&text).ok()).unwrap_or_default();
        arrangements.repair();
        let mut studio = Self {
            keys: Keys::install(context, &state.settings),
            jobs: Jobs::new(context)?,
            files: FileWork::new(&options),
            tools: Tools::default(),
            toasts: egui_notify::Toasts::default()
                .with_anchor(egui_notify::Anchor::BottomRight)
                .with_margin([14.0, 84.0].into()),
            commands: Vec::new(),
            trouble_told: None,
            arrangements,
            state,
            context: context.clone(),
        };
        if let Some(folder) = &studio.files.copies.folder {
            studio.state.files.leftovers = leftovers(folder);
        }
        studio.open(options.arrival);
        Ok(studio)
    }

    /// One frame: what the jobs tell, time, panels, commands.
    pub fn frame(&mut self, ui: &mut egui::Ui) {
        self.before_panels();
        self.lay_out(ui);
    }

    /// Runs any job in the background, as if the user had asked for it.
    pub fn start_job<J: crate::jobs::Job + 'static>(&mut self, job: J) {
        self.jobs.start(JobKind::shown("other"), Inputs::none(), job, |studio, end| {
            end.done(&mut studio.state.log);
        });
    }

    /// Whether a dialog wants every key.
    fn is_asking(&self) -> bool {
        AREAS.iter().any(|area| (area.is_asking)(&self.state))
    }

    /// Whether a job waits or runs, apart from the measuring that goes on by itself.
    pub fn is_busy(&self) -> bool {
        self.jobs.running().iter().any(|job| ![GAUGE, LIVE_NUMBERS].contains(&job.kind))
    }

    /// Whether nothing runs in the background at all, nor is about to.
    pub fn is_idle(&self) -> bool {
        !self.jobs.is_busy() && !self.state.measures_first()
    }

    fn before_panels(&mut self) {
        self.take_messages();
        self.take_keys();
        self.keep_bound();
        AREAS.iter().for_each(|area| (area.frame)(self));
        self.pass_time();
        AREAS.iter().for_each(|area| (area.posed)(self));
    }

    fn lay_out(&mut self, ui: &mut egui::Ui) {
        // egui itself zooms with Ctrl and plus or minus; what it chose is kept too.
        self.state.settings.zoom = ui.ctx().zoom_factor();
        self.panels_ui(ui);
        for command in std::mem::take(&mut self.commands) {
            self.perform(command);
        }
        self.take_tool_back();
        // The next frame's keys are taken before anything else happens in it.
        self.keys.set_blocked(self.is_asking());
        if !self.is_taking_picture() {
            self.toasts.show(ui.ctx());
        }
    }

    /// The state, for tests.
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// Carries a command out, as if a panel had asked for it.
    pub fn command(&mut self, command: impl Into<Command>) {
        self.perform(command.into());
    }

    fn take_messages(&mut self) {
        for event in self.jobs.drain() {
            match event {
                Event::Warning { kind, text } => self.warn_of(kind, text),
                Event::Ended(ended) => ended.finish(self),
            }
        }
        let trouble = self.state.trouble.lock().ok().and_then(|mut told| told.take());
        if let Some(words) = trouble.filter(|words| self.trouble_told.as_ref() != Some(words)) {
            self.state.log.warn(&words);
            self.trouble_told = Some(words);
        }
        for entry in self.state.log.take_fresh() {
            let colors = theme::palette(self.state.settings.dark);
            // Signs of a font that is there: the toasts' own are of one that need not be.
            let (sign, color) = match entry.level {
                Level::Info => (ICON_INFO, colors.good),
                Level::Warning => (ICON_WARNING, colors.warning),
                Level::Error => (ICON_ERROR, colors.error),
            };
            let toast = self.toasts.custom(entry.text, sign.codepoint.to_owned(), color);
            let seconds = if entry.level == Level::Info { 3 } else { 7 };
            toast.duration(Duration::from_secs(seconds)).closable(false);
        }
    }

    fn take_keys(&mut self) {
        self.keys.set_captured(self.tools.captures_keys(self.state.tool.kind));
        let asking = self.is_asking();
        self.keys.set_blocked(asking);
        if self.context.memory(|memory| memory.focused()).is_none() {
            self.keys.set_panel_focused(false);
        }
        for taken in self.keys.take() {
            match taken {
                Taken::Action(action) => self.perform(self.means_here(action).into()),
                Taken::Copy => self.perform(Action::CopyPose.into()),
                Taken::Paste(text) => self.perform(PoseCommand::Paste(text).into()),
            }
        }
        // What was just begun owns the next keys.
        let captures = self.tools.captures_keys(self.state.tool.kind);
        self.keys.set_captured(captures);
        let typing = self.context.text_edit_focused() || asking;
        let (other, rest) = self.context.input(|input| {
            (input.key_down(egui::Key::Backtick), input.key_down(egui::Key::Q) && input.modifiers.is_none())
        });
        self.state.panes.flicked = other && !typing;
        self.state.rest_held = rest && !typing && !captures;
    }

    fn pass_time(&mut self) {
        let dt = self.context.input(|input| f64::from(input.stable_dt.min(0.1)));
        self.state.playback.advance(dt);
        if self.state.playback.playing {
            self.context.request_repaint();
        }
        self.state.refresh_pose();
        self.state.refresh_shapes();
    }

    fn panels_ui(&mut self, ui: &mut egui::Ui) {
        let asking = self.is_asking();
        let Self { state, tools, jobs, arrangements, commands, .. } = self;
        let bar = |ui: &egui::Ui| {
            egui::Frame::side_top_panel(ui.style()).inner_margin(egui::Margin::symmetric(8, 3))
        };
        egui::Panel::top("menu").frame(bar(ui)).show(ui, |ui| menu_ui(ui, state, commands));
        egui::Panel::top("tools").exact_size(38.0).frame(bar(ui)).show(ui, |ui| {
            anchor(ui, "Tools");
            toolstrip_ui(ui, state, commands);
        });
        let hints = tools.hints(state.tool.kind, state);
        egui::Panel::bottom("status").exact_size(28.0).frame(bar(ui)).show(ui, |ui| {
            status_ui(ui, state, jobs.running(), &hints, commands);
        });
        egui::Panel::bottom("timeline").exact_size(46.0).frame(bar(ui)).show(ui, |ui| {
            anchor(ui, "Timeline");
            timeline_ui(ui, state, commands);
        });
        egui::CentralPanel::default().frame(egui::Frame::new().fill(ui.visuals().panel_fill)).show(
            ui,
            |ui| {
                let tree = arrangements.get_mut(state.workspace);
                let mut docked = Docked { state, tools, jobs: jobs.running(), commands };
                tree.ui(&mut docked, ui);
            },
        );
        if !tools.captures_keys(state.tool.kind) && !asking {
            windows::escape_ui(ui.ctx(), state, commands);
        }
        tools.keys(state.tool.kind, ui.ctx(), state, commands);
        palette_ui(ui, state, commands);
        windows::windows_ui(ui, state, commands);
        dialog_ui(ui, state, commands);
        questions_ui(ui, state, commands);
        question_ui(ui, state, commands);
    }
}

impl eframe::App for Studio {
    fn logic(&mut self, _: &egui::Context, _: &mut eframe::Frame) {
        self.before_panels();
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.lay_out(ui);
    }

    fn on_exit(&mut self) {
        self.files.copies.clean = true;
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let mut keep = |key: &str, text: Result<String, ron::Error>| {
            if let Ok(text) = text {
                storage.set_string(key, text);
            }
        };
        keep(SETTINGS, ron::to_string(&self.state.settings));
        keep(ARRANGEMENTS, ron::to_string(&self.arrangements));
        keep(PANES, ron::to_string(&self.state.panes));
        keep(SHOW, ron::to_string(&self.state.show));
        keep(TEMPLATES, ron::to_string(&self.state.templates.options));
        keep(WORKSPACE, ron::to_string(&self.state.workspace));
    }
}
