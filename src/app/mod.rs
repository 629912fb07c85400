//! The window: everything that knows egui.

use std::path::PathBuf;

use anyhow::anyhow;
use eframe::egui;

use crate::doc::{Document, Origin};
use crate::io::{Loaded, ReadOptions};
use crate::jobs::open::OpenOrigin;
use crate::jobs::{Message, Worker};

/// Opens the studio on the first of `files`, or on the built-in character.
pub fn open(files: Vec<PathBuf>) -> anyhow::Result<()> {
    let origin =
        files.first().map_or_else(|| Origin::parse("@hero"), |path| Origin::parse(&path.to_string_lossy()));
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_title("Sinew").with_inner_size([1280.0, 800.0]),
        ..Default::default()
    };
    eframe::run_native("sinew", options, Box::new(|context| Ok(Box::new(Studio::new(context, origin)?))))
        .map_err(|error| anyhow!("the window cannot open: {error}"))
}

/// What the window shows.
struct Studio {
    worker: Worker,
    document: Option<Document>,
    /// What the worker is doing, or why the last job failed.
    status: String,
    warnings: Vec<String>,
    opening: Origin,
}

impl Studio {
    fn new(context: &eframe::CreationContext<'_>, origin: Origin) -> anyhow::Result<Self> {
        let egui = context.egui_ctx.clone();
        let mut worker = Worker::new(move || egui.request_repaint())?;
        worker.submit(OpenOrigin { origin: origin.clone(), options: ReadOptions::default() });
        Ok(Self { worker, document: None, status: String::new(), warnings: Vec::new(), opening: origin })
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Begun { title, .. } => self.status = title,
            Message::Progress { words, .. } => self.status = words,
            Message::Warning { text, .. } => self.warnings.push(text),
            Message::Cancelled { .. } => self.status = "Cancelled".into(),
            Message::Failed { reason, .. } => self.status = reason,
            Message::Done { output, .. } => {
                if let Ok(loaded) = output.downcast::<Loaded>() {
                    self.status.clear();
                    self.warnings.extend(loaded.warnings);
                    self.document = Some(Document::new(self.opening.clone(), loaded.character));
                }
            }
        }
    }
}

impl eframe::App for Studio {
    fn logic(&mut self, _: &egui::Context, _: &mut eframe::Frame) {
        for message in self.worker.drain() {
            self.take(message);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        egui::CentralPanel::default().show(ui, |ui| {
            ui.heading("Sinew");
            ui.label(&self.status);
            if let Some(document) = &self.document {
                let character = document.character();
                ui.label(format!("{} — {}", character.name, document.origin));
                ui.label(format!("{} vertices", character.mesh.file_vertex_count()));
                ui.label(format!("{} joints", character.skeleton.len()));
            }
            for warning in &self.warnings {
                ui.label(warning);
            }
        });
    }
}
