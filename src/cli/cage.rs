//! `sinew cage`: the cage of a character, fitted and stitched from templates.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::input::{self, Input, Space, Templates};
use super::terminal::{TerminalProgress, Usage, print, print_json, print_warnings};
use crate::io::atomic;
use crate::jobs::cage::FitCage;
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::skin::Params;
use crate::kernel::skin::methods::cage::fit::unresolved::Unresolved;
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Choices};
use crate::kernel::skin::methods::cage::rigged::{pieces, stitch};
use crate::kernel::skin::methods::cage::{BONE_TEMPLATES, CAGE_PARAMS, JOINT_TEMPLATES, template};

/// Arguments of `sinew cage`.
#[derive(Debug, Args)]
pub struct Cage {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    folder: Templates,

    /// A template other than the default: a joint template at a joint, a bone template on its bone
    #[arg(long = "template", value_name = "JOINT=NAME")]
    templates: Vec<String>,

    /// A setting of the cage method
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// The space to write in: metres and Y up, or the file's own units and axes
    #[arg(long, value_enum, default_value = "world")]
    space: Space,

    /// Where to write
    #[arg(short, long, value_name = "CAGE.obj")]
    output: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    vertices: usize,
    triangles: usize,
    closed: bool,
    skin_vertices_outside: usize,
    unresolved: Vec<Part>,
    seconds: f64,
    joints: Vec<Piece>,
    bones: Vec<Piece>,
    fine_joints: usize,
    output: PathBuf,
    warnings: Vec<String>,
}

/// A part of the cage that the fit left to the user's hand.
#[derive(Serialize)]
struct Part {
    name: String,
    skin_vertices_outside: usize,
    folded_triangles: usize,
    crossing_triangles: usize,
}

#[derive(Serialize)]
struct Piece {
    name: String,
    template: String,
    vertices: usize,
}

impl Cage {
    /// Opens, fits and writes.
    pub fn run(&self) -> anyhow::Result<()> {
        input::require_extension(&self.output, &["obj"])?;
        let mut params = Params::default();
        for setting in &self.settings {
            params.set_text(CAGE_PARAMS, setting).map_err(|words| anyhow::anyhow!(words))?;
        }
        let progress = TerminalProgress::new();
        let mut loaded = self.input.open(&progress)?;
        let libraries = self.folder.read(&mut loaded.warnings)?;
        let character = loaded.character;
        for choice in &self.templates {
            let Some((joint, name)) = choice.split_once('=') else {
                return Err(Usage(format!("“{choice}” is not of the form JOINT=NAME")).into());
            };
            choose(&mut params, &libraries.templates, joint.trim(), name.trim())?;
        }
        let began = Instant::now();
        let choices = Choices::of(&params);
        let job = FitCage { character: character.clone(), libraries: libraries.clone(), params };
        let fitted = run_here(job, &Span::new(&progress, 0.3, 1.0))?;
        refuse_strays(&fitted.rig, &choices)?;
        refuse_misfits(&fitted.rig, &choices, &libraries.templates)?;
        let seconds = began.elapsed().as_secs_f64();
        let map = match self.space {
            Space::World => None,
            Space::File => Some(&character.source.file_from_world),
        };
        let mut text = String::new();
        for p in &fitted.rig.rest {
            let p = map.map_or(*p, |map| map.transform_point(p));
            let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
        }
        for [a, b, c] in &fitted.rig.triangles {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        atomic::write(&self.output, text.as_bytes())
            .with_context(|| format!("{} cannot be written", self.output.display()))?;
        let mut warnings = loaded.warnings;
        warnings.extend(progress.finish());
        self.report(&fitted.rig, &fitted.unresolved, seconds, warnings)
    }

    fn report(
        &self,
        rig: &CageRig,
        unresolved: &[Unresolved],
        seconds: f64,
        warnings: Vec<String>,
    ) -> anyhow::Result<()> {
        let (joints, bones) = rig.pieces().iter().partition(|piece| piece.is_at_site());
        let named = |pieces: Vec<&pieces::Piece>| {
            let piece = |piece: &&pieces::Piece| Piece {
                name: piece.spot.name(rig.layout()).to_owned(),
                template: piece.template.name.clone(),
                vertices: piece.vertex_count(),
            };
            pieces.iter().map(piece).collect()
        };
        let part = |part: &Unresolved| Part {
            name: part.name.clone(),
            skin_vertices_outside: part.outside,
            folded_triangles: part.folded,
            crossing_triangles: part.crossing,
        };
        let report = Report {
            vertices: rig.rest.len(),
            triangles: rig.triangles.len(),
            closed: stitch::check_closed(&rig.triangles).is_ok(),
            skin_vertices_outside: unresolved.iter().map(|part| part.outside).sum(),
            unresolved: unresolved.iter().map(part).collect(),
            seconds,
            joints: named(joints),
            bones: named(bones),
            fine_joints: rig.layout().fine.len(),
            output: self.output.clone(),
            warnings,
        };
        if self.json {
            return print_json(&report);
        }
        print(&format!(
            "wrote a cage of {} vertices and {} triangles to {}: {} joint templates, {} bone templates, {} skin vertices outside",
            report.vertices,
            report.triangles,
            self.output.display(),
            report.joints.len(),
            report.bones.len(),
            report.skin_vertices_outside
        ));
        for part in unresolved {
            print(&format!("  {}: {}", part.name, part.trouble()));
        }
        print_warnings(&report.warnings);
        Ok(())
    }
}

/// A template for a place that is not there is a slip of the pen.
fn refuse_strays(rig: &CageRig, choices: &Choices) -> anyhow::Result<()> {
    let strays = rig.unknown_names(choices);
    let Some(stray) = strays.first() else { return Ok(()) };
    let bones = !choices.joints.contains_key(stray);
    let (kind, places) = (if bones { "bone" } else { "joint" }, rig.places(bones).collect::<Vec<_>>());
    bail!("the cage has no {kind} “{stray}”; templates stand at {}", places.join(", "))
}

/// So is one that does not fit its place.
fn refuse_misfits(rig: &CageRig, choices: &Choices, library: &template::Library) -> anyhow::Result<()> {
    for piece in rig.pieces() {
        let (layout, spot) = (rig.layout(), piece.spot);
        let Some(name) = choices.own(layout, spot) else { continue };
        let part = spot.part(layout);
        if library.find(part, name).is_none() {
            let fitting: Vec<_> = library.compatible(part).map(|template| template.name.as_str()).collect();
            let (place, part) = (spot.name(layout), part.label());
            bail!("“{name}” does not fit “{place}”, a {part}; there are {}", fitting.join(", "))
        }
    }
    Ok(())
}

/// Notes a choice in the table of joints or of bones, whichever the template's name belongs to.
fn choose(params: &mut Params, library: &template::Library, joint: &str, name: &str) -> anyhow::Result<()> {
    let of_name = |bone: bool| {
        library.iter().any(|t| (t.part == template::Part::Bone) == bone && t.name.eq_ignore_ascii_case(name))
    };
    let key = match (of_name(false), of_name(true)) {
        (true, _) => JOINT_TEMPLATES,
        (false, true) => BONE_TEMPLATES,
        _ => {
            let names: Vec<_> = library.iter().map(|t| format!("{} ({})", t.name, t.part.label())).collect();
            bail!("there is no template “{name}”; there are {}", names.join(", "))
        }
    };
    let mut table = params.table(key).cloned().unwrap_or_default();
    table.insert(joint.to_owned(), name.to_owned());
    params.set_table(key, table);
    Ok(())
}
