//! `sinew convert`: mesh, skeleton, weights and clips as GLB, or the rest skin as OBJ.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::input::{CharacterOutput, Input};
use super::terminal::{TerminalProgress, print, print_json, print_warnings};
use crate::io::{atomic, obj};
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::skin::Skin;

/// Arguments of `sinew convert`.
#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    output: CharacterOutput,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    vertices: usize,
    joints: usize,
    clips: usize,
    max_influences: usize,
    output: PathBuf,
    warnings: Vec<String>,
}

impl Convert {
    /// Opens and writes.
    pub fn run(&self) -> anyhow::Result<()> {
        let as_obj = self.output.extension(&["glb", "obj"])? == "obj";
        let progress = TerminalProgress::new();
        let loaded = self.input.open(&progress)?;
        let character = loaded.character;
        let report = Report {
            vertices: character.mesh.file_vertex_count(),
            joints: character.skeleton.len(),
            clips: character.clips.len(),
            max_influences: character
                .weights
                .max_influences()
                .min(self.output.max_influences().unwrap_or(usize::MAX)),
            output: self.output.output.clone(),
            warnings: loaded.warnings,
        };
        if as_obj {
            let text = obj::write(&character.mesh, &Skin::rest(&character), None);
            atomic::write(&self.output.output, text.as_bytes())
                .with_context(|| format!("{} cannot be written", self.output.output.display()))?;
        } else {
            run_here(self.output.export(character), &Span::new(&progress, 0.3, 1.0))?;
        }
        let warnings = [report.warnings, progress.finish()].concat();
        let report = Report { warnings, ..report };
        if self.json {
            return print_json(&report);
        }
        print(&format!(
            "wrote {} vertices, {} joints and {} clips to {}",
            report.vertices,
            report.joints,
            report.clips,
            self.output.output.display()
        ));
        print_warnings(&report.warnings);
        Ok(())
    }
}
