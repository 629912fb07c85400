//! Arguments that several commands share: what to open, and how to find a clip, a joint or a method.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};

use super::terminal::{TerminalProgress, Usage};
use crate::doc::Origin;
use crate::io::templates::TemplateFolder;
use crate::io::{Loaded, ReadOptions, UpAxis, pose};
use crate::jobs::export::ExportGlb;
use crate::jobs::open::OpenOrigin;
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::rig::pose_library::{self, NamedPose};
use crate::kernel::rig::{Character, Clip, Pose, motions};
use crate::kernel::skin::{Libraries, Method, Params, methods};

/// What to open.
#[derive(Debug, Args)]
pub struct Input {
    /// A character or mesh file, or @name for a built-in one
    #[arg(value_name = "FILE")]
    file: String,

    /// The file's up axis, instead of detecting it
    #[arg(long, value_enum)]
    up: Option<Up>,

    /// The file's unit of length, instead of detecting it
    #[arg(long, value_enum)]
    unit: Option<Unit>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Up {
    Y,
    Z,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Unit {
    M,
    Dm,
    Cm,
    Mm,
    In,
}

/// The space that a command writes in.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Space {
    /// Metres, Y up.
    World,
    /// The file's own units and axes.
    File,
}

impl Input {
    /// What was named, as a document would keep it.
    pub fn origin(&self) -> Origin {
        Origin::parse(&self.file)
    }

    /// Opens it.
    pub fn open(&self, progress: &TerminalProgress) -> anyhow::Result<Loaded> {
        let options = ReadOptions {
            up: self.up.map(|up| match up {
                Up::Y => UpAxis::Y,
                Up::Z => UpAxis::Z,
            }),
            metres_per_unit: self.unit.map(|unit| match unit {
                Unit::M => 1.0,
                Unit::Dm => 0.1,
                Unit::Cm => 0.01,
                Unit::Mm => 0.001,
                Unit::In => 0.0254,
            }),
        };
        let job = OpenOrigin { origin: self.origin(), options };
        Ok(run_here(job, &Span::new(progress, 0.0, 0.3))?)
    }

    /// Opens another file that belongs to this one, which was `opened`: it is read with the same up
    /// axis and unit whatever its own shape suggests, so that both stay in one space.
    pub fn open_beside(
        &self,
        file: &str,
        opened: &Loaded,
        progress: &TerminalProgress,
    ) -> anyhow::Result<Loaded> {
        let options = ReadOptions { up: Some(opened.up), metres_per_unit: Some(opened.metres_per_unit) };
        let job = OpenOrigin { origin: Origin::parse(file), options };
        Ok(run_here(job, &Span::new(progress, 0.3, 0.4))?)
    }
}

/// Which templates of the user a cage may be made of.
#[derive(Debug, Args)]
pub struct Templates {
    /// The folder of your own cage templates, instead of the studio's
    #[arg(long = "templates", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Templates {
    /// What is built in, with the user's templates; files that are refused are told in `warnings`.
    pub fn read(&self, warnings: &mut Vec<String>) -> anyhow::Result<Libraries> {
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            bail!("there is no folder {}", folder.display());
        }
        let Some(path) = self.folder.clone().or_else(TemplateFolder::usual_path) else {
            return Ok(Libraries::default());
        };
        let folder = TemplateFolder::read(&path);
        warnings.extend(folder.refused.iter().map(|refused| format!("the template {refused}")));
        Ok(Libraries { templates: Arc::new(folder.library()) })
    }
}

/// A skinning method and a pose.
#[derive(Debug, Args)]
pub struct Posing {
    /// The skinning method
    #[arg(long, value_name = "ID", default_value = "linear")]
    pub method: String,

    /// A pose file: local rotations by joint name, relative to the rest pose; or @name for a pose of the
    /// studio's library on a biped, such as @arms_up
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
}

impl Posing {
    /// Whether a pose was asked for; the rest pose is meant otherwise.
    pub fn is_given(&self) -> bool {
        self.pose.is_some() || self.clip.is_some()
    }

    /// The method with its settings.
    pub fn method(&self) -> anyhow::Result<(&'static dyn Method, Params)> {
        method(&self.method, &self.settings)
    }

    /// The pose of `character`.
    pub fn pose(&self, character: &Character) -> anyhow::Result<Pose> {
        match (&self.pose, &self.clip) {
            (Some(path), _) => match path.to_str().and_then(|text| text.strip_prefix('@')) {
                Some(name) => library_pose(character, name),
                None => Ok(pose::read(path, &character.skeleton)?),
            },
            (None, Some(name)) => {
                let clip = clip(character, name)?;
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

/// Where a command writes a character, and how much of its weights.
#[derive(Debug, Args)]
pub struct CharacterOutput {
    /// Keep at most this many joints on a vertex, and report what that costs; all when not given
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64))]
    influences: Option<u32>,

    /// Where to write
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

impl CharacterOutput {
    /// The extension of the output, which must be one of `known`.
    pub fn extension(&self, known: &[&'static str]) -> anyhow::Result<&'static str> {
        require_extension(&self.output, known)
    }

    /// The job that writes `character` as GLB.
    pub fn export(&self, character: Character) -> ExportGlb {
        ExportGlb { character, max_influences: self.max_influences(), path: self.output.clone() }
    }

    /// Joints to keep on a vertex.
    pub fn max_influences(&self) -> Option<usize> {
        self.influences.map(|limit| limit as usize)
    }
}

/// The extension of `path` if it is one of `known`; wrong usage otherwise.
pub fn require_extension(path: &Path, known: &[&'static str]) -> anyhow::Result<&'static str> {
    let found = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    known
        .iter()
        .copied()
        .find(|extension| extension.eq_ignore_ascii_case(found))
        .ok_or_else(|| Usage(format!("{} must end in .{}", path.display(), known.join(" or ."))).into())
}

/// The method of that id, with its settings.
pub fn method(id: &str, settings: &[String]) -> anyhow::Result<(&'static dyn Method, Params)> {
    let method = methods::find(id).ok_or_else(|| {
        let known: Vec<_> = methods::METHODS.iter().map(|method| method.info().id).collect();
        anyhow!("there is no skinning method “{id}”; there are {}", known.join(", "))
    })?;
    let mut params = Params::default();
    for setting in settings {
        params.set_text(method.params(), setting).map_err(|words| anyhow!(words))?;
    }
    Ok((method, params))
}

/// The joint of that name.
pub fn joint(character: &Character, name: &str) -> anyhow::Result<usize> {
    if character.skeleton.is_empty() {
        bail!("“{}” has no skeleton; rig it first", character.name);
    }
    character.skeleton.find(name).ok_or_else(|| {
        let names: Vec<_> = character.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
        anyhow!("there is no joint “{name}”; there are {}", names.join(", "))
    })
}

/// A pose of the studio's library by its name, in small letters and with _ for spaces.
fn library_pose(character: &Character, name: &str) -> anyhow::Result<Pose> {
    let known = pose_library::builtin();
    let id = |named: &NamedPose| {
        let words = named.name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
    };
    let Some(named) = known.iter().find(|named| id(named) == name.to_lowercase()) else {
        let ids: Vec<String> = known.iter().map(|named| format!("@{}", id(named))).collect();
        bail!("there is no pose “@{name}”; there are {}", ids.join(", "))
    };
    pose_library::apply(named, &character.skeleton)
        .ok_or_else(|| anyhow!("“{}” is no biped, so it cannot take the pose @{name}", character.name))
}

/// The file's clip of that name, or a generated one: the range of motion and the walk of a biped,
/// `bend:JOINT` and `twist:JOINT` for any joint.
pub fn clip(character: &Character, name: &str) -> anyhow::Result<Arc<Clip>> {
    if let Some(clip) = character.clip(name) {
        return Ok(Arc::clone(clip));
    }
    let skeleton = &character.skeleton;
    if let Some(joint_name) = name.strip_prefix("bend:") {
        return Ok(Arc::new(motions::bend_sweep(skeleton, joint(character, joint_name)?, 0.0, 150.0, 4.0)));
    }
    if let Some(joint_name) = name.strip_prefix("twist:") {
        return Ok(Arc::new(motions::twist_sweep(skeleton, joint(character, joint_name)?, 0.0, 180.0, 4.0)));
    }
    let generated = motions::generated(skeleton);
    generated.iter().find(|clip| clip.name == name).cloned().map(Arc::new).ok_or_else(|| {
        let own = character.clips.iter().map(|clip| clip.name.clone());
        let all: Vec<_> = own.chain(generated.into_iter().map(|clip| clip.name)).collect();
        match all.as_slice() {
            [] => anyhow!("there is no clip “{name}”; only bend:JOINT and twist:JOINT"),
            all => {
                anyhow!("there is no clip “{name}”; there are {}, bend:JOINT and twist:JOINT", all.join(", "))
            }
        }
    })
}
