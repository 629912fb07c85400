//! `sinew deform`: one deformed skin as OBJ.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::input::{self, Input};
use super::terminal::{TerminalProgress, Usage, print, print_json, print_warnings};
use crate::io::{atomic, obj, pose};
use crate::jobs::bind::BindMethod;
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::rig::{Character, Pose, Posed};
use crate::kernel::skin::Skin;

/// Arguments of `sinew deform`.
#[derive(Debug, Args)]
pub struct Deform {
    #[command(flatten)]
    input: Input,

    /// The skinning method
    #[arg(long, value_name = "ID", default_value = "linear")]
    method: String,

    /// A pose file: local rotations by joint name, relative to the rest pose
    #[arg(long, value_name = "POSE.ron", conflicts_with_all = ["clip", "time"])]
    pose: Option<PathBuf>,

    /// A clip of the file, "Range of motion", bend:JOINT or twist:JOINT
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,

    /// Where in the clip, in seconds
    #[arg(long, value_name = "SECS", requires = "clip")]
    time: Option<f64>,

    /// A setting of the method
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,

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

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Space {
    World,
    File,
}

#[derive(Serialize)]
struct Report {
    method: String,
    vertices: usize,
    output: PathBuf,
    warnings: Vec<String>,
}

impl Deform {
    /// Opens, poses, deforms and writes.
    pub fn run(&self) -> anyhow::Result<()> {
        input::require_extension(&self.output, &["obj"])?;
        if self.pose.is_none() && self.clip.is_none() {
            bail!(Usage("say which pose: --pose POSE.ron, or --clip NAME --time SECS".into()));
        }
        let (method, params) = input::method(&self.method, &self.settings)?;
        let progress = TerminalProgress::new();
        let loaded = self.input.open(&progress)?;
        let character = loaded.character;
        let pose = self.read_pose(&character)?;
        let job = BindMethod { method, params, character: character.clone() };
        let bound = run_here(job, &Span::new(&progress, 0.3, 0.9))?;
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
        if self.json {
            return print_json(&Report {
                method: self.method.clone(),
                vertices,
                output: self.output.clone(),
                warnings,
            });
        }
        print(&format!("wrote {vertices} vertices to {}", self.output.display()));
        print_warnings(&warnings);
        Ok(())
    }

    fn read_pose(&self, character: &Character) -> anyhow::Result<Pose> {
        match (&self.pose, &self.clip) {
            (Some(path), _) => Ok(pose::read(path, &character.skeleton)?),
            (None, Some(name)) => {
                let clip = input::clip(character, name)?;
                let time = self.time.unwrap_or(0.0);
                if !(0.0..=clip.seconds + 1e-6).contains(&time) {
                    bail!("{time} s is outside of the clip “{name}”, which lasts {:.3} s", clip.seconds);
                }
                Ok(clip.sample(&character.skeleton, time))
            }
            (None, None) => Ok(Pose::rest(&character.skeleton)),
        }
    }
}
