//! Project files: a document as versioned RON, written atomically.
//!
//! The mesh stays in its own file and is named by path (relative where it lies beside the project),
//! so that a mesh edited elsewhere can be taken in again without losing the set-up. A rig made or
//! changed here is kept whole. Poses are kept by joint name, only where they differ from rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::{ReadError, ReadOptions, atomic, motion, settings, source};
use crate::doc::{Document, Edit, Origin};
use crate::kernel::math::Transform;
use crate::kernel::rig::{Joint, Pose, Skeleton, Tag, TagName, Tags, Weights};
use crate::kernel::skin::methods;
use crate::kernel::skin::methods::cage::template::Template;

/// The version that this program writes; older ones are read, newer ones refused. The tables of version 1 are
/// text, such as `--set` takes.
pub const VERSION: u32 = 2;

const FORMAT: &str = "sinew project";

/// The extension of project files, without the dot.
pub const EXTENSION: &str = "sinew";

/// A document read from a project file.
#[derive(Debug)]
pub struct Opened {
    /// The document.
    pub document: Document,
    /// What could not be taken over, a sentence each.
    pub warnings: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct ProjectFile {
    format: String,
    version: u32,
    origin: Origin,
    #[serde(default)]
    read: ReadOptions,
    #[serde(default)]
    method: String,
    #[serde(default)]
    settings: BTreeMap<String, settings::Records>,
    /// Templates in use that do not come with the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    templates: Vec<Template>,
    #[serde(default)]
    tags: Vec<TagRecord>,
    #[serde(default)]
    rig: Option<RigRecord>,
    #[serde(default)]
    motions: Vec<PathBuf>,
    #[serde(default)]
    pose: PoseRecord,
    #[serde(default)]
    poses: BTreeMap<String, PoseRecord>,
}

#[derive(Serialize, Deserialize)]
struct TagRecord {
    name: TagName,
    position: [f64; 3],
    confidence: f64,
}

#[derive(Serialize, Deserialize)]
struct RigRecord {
    joints: Vec<Joint>,
    weights: Vec<Vec<(u16, f32)>>,
    /// Vertices whose weights were painted, and how far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    painted: Vec<(u32, f32)>,
}

/// Local transforms that differ from rest, by joint name.
type PoseRecord = BTreeMap<String, Transform>;

/// The document as the text of a project file that will lie at `path`.
pub fn to_text(document: &Document, path: &Path) -> Result<String, ron::Error> {
    let character = document.character();
    let rig = document.has_own_rig().then(|| RigRecord {
        joints: character.skeleton.joints().to_vec(),
        weights: character
            .weights
            .rows()
            .map(|row| row.iter().map(|i| (i.joint, i.weight)).collect())
            .collect(),
        painted: (0..character.weights.len())
            .map(|i| (i as u32, character.weights.by_hand(i)))
            .filter(|(_, amount)| *amount > 0.0)
            .collect(),
    });
    let file = ProjectFile {
        format: FORMAT.into(),
        version: VERSION,
        origin: match &document.origin {
            Origin::File(file) => Origin::File(relative_to(file, path)),
            other => other.clone(),
        },
        read: document.read_options,
        method: document.method().to_owned(),
        settings: (document.all_settings().iter())
            .map(|(method, params)| Ok((method.clone(), settings::record(params)?)))
            .collect::<Result<_, ron::Error>>()?,
        templates: document.own_templates_in_use().iter().map(|t| t.as_ref().clone()).collect(),
        tags: document
            .tags()
            .iter()
            .map(|tag| TagRecord {
                name: tag.name,
                position: tag.position.into(),
                confidence: tag.confidence,
            })
            .collect(),
        rig,
        motions: document.motion_files().iter().map(|file| relative_to(file, path)).collect(),
        pose: record(document.pose(), &character.skeleton),
        poses: document
            .poses()
            .iter()
            .map(|(name, pose)| (name.clone(), record(pose, &character.skeleton)))
            .collect(),
    };
    ron::ser::to_string_pretty(&file, ron::ser::PrettyConfig::default().depth_limit(4).compact_arrays(true))
}

/// Saves the document; a crash half way leaves the old file.
pub fn save(document: &Document, path: &Path) -> std::io::Result<()> {
    let text = to_text(document, path).map_err(std::io::Error::other)?;
    atomic::write(path, text.as_bytes())
}

/// Opens a project file and the mesh that it names.
pub fn open(path: &Path) -> Result<Opened, ReadError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ReadError::File { path: path.to_owned(), source: error })?;
    let header: Header = ron::from_str(&text).map_err(|error| {
        ReadError::broken(path, format!("it is not a project file ({})", one_line(&error)))
    })?;
    if header.format != FORMAT {
        return Err(ReadError::broken(
            path,
            format!("it says it is a “{}”, not a “{FORMAT}”", header.format),
        ));
    }
    if header.version > VERSION {
        let feature =
            format!("a newer Sinew: its version is {}, this one reads up to {VERSION}", header.version);
        return Err(ReadError::Unsupported { path: path.to_owned(), feature });
    }
    let file: ProjectFile =
        ron::from_str(&text).map_err(|error| ReadError::broken(path, one_line(&error)))?;
    let origin = match &file.origin {
        Origin::File(file) => Origin::File(absolute_from(file, path)),
        other => other.clone(),
    };
    let loaded = source::open(&origin, &file.read)?;
    let mut document = Document::new(origin, loaded.character);
    document.read_options = file.read;
    let mut opened = Opened { document, warnings: loaded.warnings };
    opened.take_over(file, path);
    Ok(opened)
}

impl Opened {
    /// Applies what the file holds, part by part; what does not fit becomes a warning.
    fn take_over(&mut self, file: ProjectFile, path: &Path) {
        let tags: Tags = file
            .tags
            .iter()
            .map(|tag| Tag {
                name: tag.name,
                position: Point3::from(tag.position),
                confidence: tag.confidence,
            })
            .collect();
        self.apply(Edit::SetTags(tags), "the tags");
        self.take_over_templates(file.templates);
        if let Some(rig) = file.rig {
            self.take_over_rig(rig);
        }
        self.take_over_motions(file.motions.iter().map(|motion| absolute_from(motion, path)).collect());
        for (method, records) in file.settings {
            let known = methods::find(&method);
            let params = known.map(|known| settings::read(known, &records, &mut self.warnings));
            let params = params.unwrap_or_default();
            self.apply(Edit::SetParams(method.clone(), params), &format!("the settings of “{method}”"));
        }
        if !file.method.is_empty() {
            self.apply(Edit::SetMethod(file.method), "the skinning method");
        }
        let pose = self.pose(&file.pose, "the current pose");
        self.apply(Edit::SetPose(pose), "the current pose");
        for (name, record) in file.poses {
            let what = format!("the pose “{name}”");
            let pose = self.pose(&record, &what);
            self.apply(Edit::StorePose(name, Some(pose)), &what);
        }
    }

    /// The project brings what it uses; see [`super::templates`] for what the user has.
    fn take_over_templates(&mut self, templates: Vec<Template>) {
        let mut library = self.document.libraries().templates.as_ref().clone();
        for template in templates {
            let name = template.name.clone();
            let taken =
                template.checked().and_then(|t| library.add_own(t).map_err(|taken| taken.to_string()));
            if let Err(why) = taken {
                self.warnings.push(format!("The template “{name}” of the project is left out: {why}."));
            }
        }
        self.document.set_templates(Arc::new(library));
    }

    fn take_over_rig(&mut self, rig: RigRecord) {
        let weights = Weights::from_rows(
            rig.weights
                .iter()
                .map(|row| row.iter().map(|&(joint, weight)| (usize::from(joint), f64::from(weight)))),
        );
        let weights = weights.known_by_hand(rig.painted.iter().map(|&(i, amount)| (i as usize, amount)));
        let clips = self.document.character().clips.clone();
        match Skeleton::new(rig.joints) {
            Ok(skeleton) => {
                let clips = if skeleton == *self.document.character().skeleton { clips } else { Vec::new() };
                let edit = Edit::SetRig {
                    skeleton: Arc::new(skeleton),
                    weights: Arc::new(weights),
                    pose: None,
                    clips,
                    own: true,
                };
                self.apply(edit, "the rig; rig the mesh again");
            }
            Err(error) => {
                self.warnings.push(format!("The project's skeleton could not be taken over: {error}."));
            }
        }
    }

    /// Reads motion files again. One that is missing stays on the list: it may come back.
    fn take_over_motions(&mut self, files: Vec<PathBuf>) {
        if files.is_empty() {
            return;
        }
        let mut clips = self.document.character().clips.clone();
        for file in &files {
            match motion::import(file, &self.document.character().skeleton) {
                Ok(imported) => clips = motion::joined(&clips, imported.clips),
                Err(why) => self.warnings.push(format!("A motion of the project is left out: {why}.")),
            }
        }
        self.apply(Edit::SetMotions { clips, files }, "the motions");
    }

    fn pose(&mut self, record: &PoseRecord, what: &str) -> Pose {
        let skeleton = Arc::clone(&self.document.character().skeleton);
        let mut pose = Pose::rest(&skeleton);
        for (name, transform) in record {
            match skeleton.find(name) {
                Some(j) => pose.local[j] = *transform,
                None => self.warnings.push(format!("There is no joint “{name}”; {what} leaves it out.")),
            }
        }
        pose
    }

    fn apply(&mut self, edit: Edit, what: &str) {
        if let Err(error) = self.document.apply(edit) {
            self.warnings.push(format!("The project could not take over {what}: {error}."));
        }
    }
}

fn record(pose: &Pose, skeleton: &Skeleton) -> PoseRecord {
    let posed = skeleton.joints().iter().zip(&pose.local);
    posed
        .filter(|(joint, local)| **local != Transform::from(joint.rest_local))
        .map(|(joint, local)| (joint.name.clone(), *local))
        .collect()
}

/// A file beside or below the project is named relative to it, so that the folder can move.
fn relative_to(file: &Path, project: &Path) -> PathBuf {
    let Some(folder) = project.parent() else { return file.to_owned() };
    let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (file, folder) = (full(file), full(folder));
    file.strip_prefix(&folder).map_or_else(|_| file.clone(), PathBuf::from)
}

fn absolute_from(file: &Path, project: &Path) -> PathBuf {
    project.parent().map_or_else(|| file.to_owned(), |folder| folder.join(file))
}

fn one_line(error: &ron::error::SpannedError) -> String {
    format!("line {}: {}", error.span.start.line, error.code).replace('\n', " ")
}
