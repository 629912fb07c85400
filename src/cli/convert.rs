//! `sinew convert`: a character as GLB, or its rest skin as OBJ.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::input::Input;
use super::terminal::{TerminalProgress, Usage, print, print_json, print_warnings};
use crate::io::{atomic, obj};
use crate::jobs::export::ExportGlb;
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::skin::Skin;

/// Arguments of `sinew convert`.
#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    input: Input,

    /// Keep at most this many joints on a vertex, and report what that costs; all when not given
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64))]
    influences: Option<u32>,

    /// Where to write: mesh, skeleton, weights and clips as .glb, or the rest skin as .obj
    #[arg(short, long, value_name = "OUT.glb")]
    output: PathBuf,

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
        let extension = self.output.extension().map(|extension| extension.to_ascii_lowercase());
        let as_obj = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("glb") => false,
            Some("obj") => true,
            _ => bail!(Usage(format!("{} must end in .glb or .obj", self.output.display()))),
        };
        let progress = TerminalProgress::new();
        let loaded = self.input.open(&progress)?;
        let character = loaded.character;
        let limit = self.influences.map(|limit| limit as usize);
        let report = Report {
            vertices: character.mesh.file_vertex_count(),
            joints: character.skeleton.len(),
            clips: character.clips.len(),
            max_influences: character.weights.max_influences().min(limit.unwrap_or(usize::MAX)),
            output: self.output.clone(),
            warnings: loaded.warnings,
        };
        if as_obj {
            let text = obj::write(&character.mesh, &Skin::rest(&character), None);
            atomic::write(&self.output, text.as_bytes())
                .with_context(|| format!("{} cannot be written", self.output.display()))?;
        } else {
            let job = ExportGlb { character, max_influences: limit, path: self.output.clone() };
            run_here(job, &Span::new(&progress, 0.3, 1.0))?;
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
            self.output.display()
        ));
        print_warnings(&report.warnings);
        Ok(())
    }
}
