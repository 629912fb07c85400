//! `sinew coords`: the coordinates of a mesh in a cage, as a NumPy matrix.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::input::{self, Input};
use super::terminal::{TerminalProgress, print, print_json, print_warnings};
use crate::io::{atomic, npy};
use crate::jobs::coords::CageCoordinates;
use crate::jobs::run_here;
use crate::kernel::coords;
use crate::kernel::progress::Span;

/// Arguments of `sinew coords`.
#[derive(Debug, Args)]
pub struct Coords {
    #[command(flatten)]
    input: Input,

    /// A closed triangle cage around it, in the same units and axes
    #[arg(value_name = "CAGE")]
    cage: String,

    /// Positive mean value coordinates (what a vertex sees) or mean value coordinates (all of the cage)
    #[arg(long, value_enum, default_value = "pmvc")]
    kind: Kind,

    /// Where to write: f32, a row for each vertex of FILE, a column for each of CAGE
    #[arg(short, long, value_name = "OUT.npy")]
    output: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Pmvc,
    Mvc,
}

#[derive(Serialize)]
struct Report {
    vertices: usize,
    cage_vertices: usize,
    kind: &'static str,
    outside: usize,
    negative: usize,
    max_error: f64,
    seconds: f64,
    output: PathBuf,
    warnings: Vec<String>,
}

impl Coords {
    /// Opens both, weighs and writes.
    pub fn run(&self) -> anyhow::Result<()> {
        input::require_extension(&self.output, &["npy"])?;
        let kind = match self.kind {
            Kind::Pmvc => coords::Kind::Positive,
            Kind::Mvc => coords::Kind::Signed,
        };
        let progress = TerminalProgress::new();
        let mesh = self.input.open(&progress)?;
        let cage = self.input.open_beside(&self.cage, &mesh, &progress)?;
        let job = CageCoordinates {
            mesh: Arc::clone(&mesh.character.mesh),
            cage: Arc::clone(&cage.character.mesh),
            kind,
        };
        let begun = Instant::now();
        let made = run_here(job, &Span::new(&progress, 0.4, 0.95))?;
        let seconds = begun.elapsed().as_secs_f64();
        let (vertices, cage_vertices) = (made.coordinates.len(), made.coordinates.cage_vertices());
        let bytes = npy::matrix(vertices, cage_vertices, made.coordinates.dense());
        atomic::write(&self.output, &bytes)
            .with_context(|| format!("{} cannot be written", self.output.display()))?;
        let mut warnings = mesh.warnings;
        warnings.extend(cage.warnings);
        warnings.extend(progress.finish());
        let report = Report {
            vertices,
            cage_vertices,
            kind: kind.id(),
            outside: made.outside,
            negative: made.negative,
            max_error: made.max_error,
            seconds,
            output: self.output.clone(),
            warnings,
        };
        if self.json {
            return print_json(&report);
        }
        print(&format!(
            "wrote {} weights of {vertices} vertices by {cage_vertices} to {} in {seconds:.2} s (error {:.1e})",
            report.kind,
            self.output.display(),
            report.max_error,
        ));
        print_warnings(&report.warnings);
        Ok(())
    }
}
