//! A studio to test with, its own folder for what it keeps, and hands to press things.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use sinew::app::command::Command;
use sinew::app::log::Level;
use sinew::app::state::AppState;
use sinew::app::{Studio, StudioOptions};

/// Jobs on a busy machine may take this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The studio and what is around it.
pub struct Desk {
    /// The window.
    pub harness: Harness<'static, Studio>,
    folder: Arc<tempfile::TempDir>,
}

impl Desk {
    /// A studio on a built-in character or a file, once that is open.
    pub fn on(what: &str) -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let mut desk = Self::start(&folder, &[what]);
        desk.until("the first character", |state| state.session.is_open());
        desk
    }

    /// A studio that has just started and keeps its things in `folder`.
    pub fn start(folder: &Arc<tempfile::TempDir>, files: &[&str]) -> Self {
        let options = StudioOptions {
            data_dir: Some(folder.path().join("data")),
            templates: Some(folder.path().join("templates")),
            ..StudioOptions::new(files.iter().map(PathBuf::from).collect())
        };
        let harness = Harness::builder()
            .with_size([1280.0, 800.0])
            .build_eframe(move |creation| Studio::new(creation, options).expect("a worker"));
        Self { harness, folder: Arc::clone(folder) }
    }

    /// A file in the desk's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same as text to type.
    pub fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    /// Everything that panels see.
    pub fn state(&self) -> &AppState {
        self.harness.state().state()
    }

    /// Asks for something as a panel would, and lets a few frames pass.
    pub fn ask(&mut self, command: impl Into<Command>) {
        self.harness.state_mut().command(command);
        self.harness.run_steps(3);
    }

    /// Lets frames pass until the state is as wanted.
    #[track_caller]
    pub fn until(&mut self, what: &str, done: impl Fn(&AppState) -> bool) {
        let begun = Instant::now();
        while !done(self.state()) {
            assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}; the log says {:?}", self.log());
            self.harness.step();
            std::thread::sleep(Duration::from_millis(2));
        }
        self.harness.run_steps(2);
    }

    /// Presses the widget of that name.
    #[track_caller]
    pub fn press(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.harness.run_steps(3);
    }

    /// Whether a widget of that name is there.
    pub fn sees(&self, name: &str) -> bool {
        self.harness.query_by_label(name).is_some()
    }

    /// Replaces what stands in a field.
    #[track_caller]
    pub fn fill(&mut self, name: &str, text: &str) {
        self.harness.get_by_label(name).focus();
        self.harness.run_steps(2);
        self.key(Modifiers::COMMAND, Key::A);
        self.harness.get_by_label(name).type_text(text);
        self.harness.run_steps(2);
    }

    /// Presses a key.
    pub fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(3);
    }

    /// What was told, gravest words first.
    pub fn log(&self) -> Vec<String> {
        self.state().log.entries().iter().map(|entry| entry.text.clone()).collect()
    }

    /// Whether an error was told that contains these words.
    pub fn told_error(&self, words: &str) -> bool {
        let mut entries = self.state().log.entries().iter();
        entries.any(|entry| entry.level == Level::Error && entry.text.contains(words))
    }

    /// Whether anything was told that contains these words.
    pub fn told(&self, words: &str) -> bool {
        self.log().iter().any(|text| text.contains(words))
    }

    /// Commands to the window in the last frame.
    pub fn window_commands(&self) -> Vec<egui::ViewportCommand> {
        self.harness.output().viewport_output[&egui::ViewportId::ROOT].commands.clone()
    }

    /// Gives the window the keyboard, or takes it away.
    pub fn focus(&mut self, is_focused: bool) {
        self.harness.input_mut().focused = is_focused;
        self.harness.run_steps(2);
    }

    /// Drops files on the window.
    pub fn drop_files(&mut self, paths: &[&Path]) {
        let dropped = paths.iter().map(|path| Arc::new(Dropped((*path).into())) as egui::DroppedFileHandle);
        self.harness.input_mut().dropped_files.extend(dropped);
        self.harness.run_steps(3);
    }
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }
    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}
