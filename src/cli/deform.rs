//! `sinew deform`: one deformed skin as OBJ.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::input::{self, Input, Posing, Space, Templates};
use super::terminal::{TerminalProgress, Usage, print, print_json, print_warnings};
use crate::io::{atomic, obj};
use crate::jobs::bind::{BindGuarded, BindMethod};
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::rig::{Posed, Skeleton};
use crate::kernel::skin::guard::Guarded;
use crate::kernel::skin::{Bound, Skin};

/// Arguments of `sinew deform`.
#[derive(Debug, Args)]
pub struct Deform {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    folder: Templates,

    #[command(flatten)]
    posing: Posing,

    /// The space to write in: metres and Y up, or the file's own units and axes
    #[arg(long, value_enum, default_value = "world")]
    space: Space,

    /// Where to write
    #[arg(short, long, value_name = "OUT.obj")]
    output: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    method: String,
    vertices: usize,
    output: PathBuf,
    /// Where the method is blended towards linear blending, because it would do worse.
    held_back: Vec<Held>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Held {
    joint: String,
    /// What people call the part of a body that it moves.
    part: Option<&'static str>,
    most_percent: f32,
    surface_percent: f32,
    why: String,
}

impl Held {
    fn all(bound: &dyn Bound, skeleton: &Skeleton) -> Vec<Self> {
        let places = bound.find::<Guarded>().map_or(&[][..], |guarded| &guarded.guard().places);
        let held = places.iter().map(|place| Self {
            joint: skeleton.joints()[place.joint].name.clone(),
            part: place.part,
            most_percent: 100.0 * place.most,
            surface_percent: 100.0 * place.share,
            why: place.why(),
        });
        held.collect()
    }
}

impl Deform {
    /// Opens, poses, deforms and writes.
    pub fn run(&self) -> anyhow::Result<()> {
        input::require_extension(&self.output, &["obj"])?;
        if !self.posing.is_given() {
            bail!(Usage("say which pose: --pose POSE.ron, or --clip NAME --time SECS".into()));
        }
        let (method, params) = self.posing.method()?;
        let progress = TerminalProgress::new();
        let mut loaded = self.input.open(&progress)?;
        let libraries = self.folder.read(&mut loaded.warnings)?;
        let character = loaded.character;
        let pose = self.posing.pose(&character)?;
        let job = BindMethod { method, params, character: character.clone(), libraries, previous: None };
        let bound = run_here(BindGuarded(job), &Span::new(&progress, 0.3, 0.9))?;
        let mut skin = Skin::default();
        bound.deform(&Posed::of(&character.skeleton, &pose), &mut skin);
        let map = match self.space {
            Space::World => None,
            Space::File => Some(&character.source.file_from_world),
        };
        atomic::write(&self.output, obj::write(&character.mesh, &skin, map).as_bytes())
            .with_context(|| format!("{} cannot be written", self.output.display()))?;
        let mut warnings = loaded.warnings;
        warnings.extend(progress.finish());
        let vertices = character.mesh.file_vertex_count();
        let held_back = Held::all(&*bound, &character.skeleton);
        if self.json {
            return print_json(&Report {
                held_back,
                method: self.posing.method.clone(),
                vertices,
                output: self.output.clone(),
                warnings,
            });
        }
        print(&format!("wrote {vertices} vertices to {}", self.output.display()));
        if let Some(most) = held_back.first() {
            let all: f32 = held_back.iter().map(|held| held.surface_percent).sum();
            let Held { joint, most_percent, why, .. } = most;
            print(&format!(
                "{all:.0} % of the skin is held back to linear blending, most around {joint} (up to {most_percent:.0} %). {why} --set guard=off shows the pure method."
            ));
        }
        print_warnings(&warnings);
        Ok(())
    }
}
