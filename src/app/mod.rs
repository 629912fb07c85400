//! The window: everything that knows egui.
//!
//! One frame: take what the jobs have to tell; let time run; lay the panels out, which read the
//! [`state`] and push [`command`]s; carry the commands out ([`perform`]). Nothing here waits for a job.

pub mod action;
pub mod areas;
pub mod bindings;
pub mod command;
mod cpu_skin;
pub mod headless;
pub mod jobs;
pub mod kept;
pub mod log;
pub mod panes;
mod perform;
pub mod session;
pub mod settings;
pub mod shell;
pub mod state;
pub mod studio;
pub mod tools;
pub mod tour;
pub mod viewport;
pub mod words;

use std::path::{Path, PathBuf};

use anyhow::anyhow;

pub use areas::files::StudioOptions;
pub use studio::Studio;

use crate::kernel::progress::Progress;

/// The name under which settings are kept.
const APP_ID: &str = "sinew";

/// What the command line asks of the window's side.
pub struct Front;

impl crate::cli::Front for Front {
    fn open_window(&self, files: Vec<PathBuf>) -> anyhow::Result<()> {
        open(files)
    }

    fn tour(&self, folder: &Path, progress: &dyn Progress) -> anyhow::Result<Vec<PathBuf>> {
        let written = tour::run(folder, progress)?;
        Ok(written.pictures.into_iter().chain([written.page]).collect())
    }
}

/// Opens the studio on `files`, or on the built-in character.
pub fn open(files: Vec<PathBuf>) -> anyhow::Result<()> {
    let start = StudioOptions {
        data_dir: eframe::storage_dir(APP_ID),
        templates: crate::io::templates::TemplateFolder::usual_path(),
        native_dialogs: true,
        ..StudioOptions::new(files)
    };
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Sinew")
            .with_app_id(APP_ID)
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([760.0, 480.0])
            .with_drag_and_drop(true),
        ..Default::default()
    };
    eframe::run_native(APP_ID, options, Box::new(|context| Ok(Box::new(Studio::new(context, start)?))))
        .map_err(|error| anyhow!("the window cannot open: {error}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_looks_for_templates_where_the_window_keeps_its_things() {
        assert_eq!(crate::io::user_folder::data_folder(), eframe::storage_dir(crate::app::APP_ID));
    }
}
