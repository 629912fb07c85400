//! `sinew rig`: skeleton and weights for a mesh.

use std::path::PathBuf;

use anyhow::bail;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::input::{CharacterOutput, Input};
use super::terminal::{TerminalProgress, Usage, print, print_json, print_warnings};
use crate::io::tags;
use crate::jobs::rig::{RigMesh, SkeletonSource};
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::weights::Kind;

/// Arguments of `sinew rig`.
#[derive(Debug, Args)]
pub struct Rig {
    #[command(flatten)]
    input: Input,

    /// Where the skeleton comes from: joint tags (without a file of them the mesh's own skeleton is bound
    /// anew), or the shape of a closed mesh alone
    #[arg(long, value_enum, default_value_t)]
    skeleton: From,

    /// Joint tags, 14 for a biped
    #[arg(long, value_name = "TAGS.ron")]
    tags: Option<PathBuf>,

    /// How to compute the weights
    #[arg(long, value_parser = PossibleValuesParser::new(Kind::ALL.map(|kind| kind.info().id)), default_value = "heat")]
    bind: String,

    #[command(flatten)]
    output: CharacterOutput,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `--skeleton` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum From {
    #[default]
    Tags,
    Shape,
}

#[derive(Serialize)]
struct Report {
    joints: usize,
    bind: String,
    unweighted_vertices: usize,
    /// Body parts from the library; heat and distance use none.
    parts: [(); 0],
    seconds: f64,
    output: PathBuf,
    warnings: Vec<String>,
}

impl Rig {
    /// Opens, rigs and writes.
    pub fn run(&self) -> anyhow::Result<()> {
        self.output.extension(&["glb"])?;
        let Some(kind) = Kind::find(&self.bind) else {
            bail!(Usage(format!("there is no “{}”", self.bind)))
        };
        if self.skeleton == From::Shape && self.tags.is_some() {
            bail!(Usage("a skeleton from shape takes no tags; leave --tags or --skeleton shape away".into()))
        }
        let progress = TerminalProgress::new();
        let loaded = self.input.open(&progress)?;
        let skeleton = match (self.skeleton, self.tags.as_deref()) {
            (From::Shape, _) => SkeletonSource::Shape,
            (From::Tags, Some(path)) => SkeletonSource::Tags(tags::read(path)?),
            (From::Tags, None) => SkeletonSource::Own,
        };
        let job = RigMesh { character: loaded.character, skeleton, kind };
        let rigged = run_here(job, &Span::new(&progress, 0.3, 0.9))?;
        let (joints, unweighted_vertices) =
            (rigged.character.skeleton.len(), rigged.character.weights.unweighted());
        run_here(self.output.export(rigged.character), &Span::new(&progress, 0.9, 1.0))?;
        let mut warnings = loaded.warnings;
        warnings.extend(progress.finish());
        let report = Report {
            joints,
            bind: self.bind.clone(),
            unweighted_vertices,
            parts: [],
            seconds: rigged.seconds,
            output: self.output.output.clone(),
            warnings,
        };
        if self.json {
            return print_json(&report);
        }
        print(&format!(
            "bound {joints} joints by {} in {:.2} s; wrote {}",
            self.bind,
            report.seconds,
            self.output.output.display()
        ));
        if unweighted_vertices > 0 {
            print(&format!("{unweighted_vertices} vertices have no weight"));
        }
        print_warnings(&report.warnings);
        Ok(())
    }
}
