//! The open document: a character, its tags, its pose library and how it is skinned.
//!
//! Everything changes through an [`Edit`], which returns its inverse; heavy arrays live in `Arc`,
//! so that history is cheap. Jobs work on a clone; whether their results still stand is told by the [`Revisions`].

pub mod edit;
pub mod history;
pub mod origin;
pub mod selection;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use edit::{Edit, EditError};
pub use history::{History, Moment};
pub use origin::{Origin, ReadOptions, UpAxis};
pub use selection::Selection;

use crate::kernel::memory::Tally;
use crate::kernel::rig::{Character, Pose, Tags};
use crate::kernel::skin::methods::cage::rigged::cage_rig::Choices;
use crate::kernel::skin::methods::cage::template::{Library, Template};
use crate::kernel::skin::{Libraries, Params, methods};

/// Counters that rise whenever their part changes, undo included; equal counters mean equal parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Revisions {
    /// The mesh.
    pub mesh: u64,
    /// Skeleton and weights.
    pub rig: u64,
    /// Tags.
    pub tags: u64,
    /// Current pose and pose library.
    pub poses: u64,
    /// Method and settings.
    pub methods: u64,
    /// The character's clips.
    pub motions: u64,
}

/// Everything that a project file keeps.
#[derive(Debug, Clone)]
pub struct Document {
    /// Where the mesh came from.
    pub origin: Origin,
    /// What the user said about that file instead of letting it be detected.
    pub read_options: ReadOptions,
    character: Character,
    libraries: Libraries,
    /// Files whose motions were brought in, in order; their clips are among the character's.
    motion_files: Vec<PathBuf>,
    /// Whether skeleton and weights were made or changed here, so that the project must keep them.
    own_rig: bool,
    tags: Tags,
    pose: Pose,
    poses: BTreeMap<String, Pose>,
    method: String,
    settings: BTreeMap<String, Params>,
    revisions: Revisions,
    clock: u64,
}

/// A part of the document that is counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The mesh.
    Mesh,
    /// Skeleton and weights.
    Rig,
    /// Tags.
    Tags,
    /// Method and settings, and the templates that these name.
    Methods,
}

impl Revisions {
    /// Where one part stands.
    pub fn of(&self, part: Part) -> u64 {
        match part {
            Part::Mesh => self.mesh,
            Part::Rig => self.rig,
            Part::Tags => self.tags,
            Part::Methods => self.methods,
        }
    }
}

impl Document {
    /// A document on a freshly opened character.
    pub fn new(origin: Origin, character: Character) -> Self {
        let pose = Pose::rest(&character.skeleton);
        Self {
            origin,
            read_options: ReadOptions::default(),
            character,
            libraries: Libraries::default(),
            motion_files: Vec::new(),
            own_rig: false,
            tags: Tags::default(),
            pose,
            poses: BTreeMap::new(),
            method: methods::METHODS[0].info().id.to_owned(),
            settings: BTreeMap::new(),
            revisions: Revisions::default(),
            clock: 0,
        }
    }

    /// The character.
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// What methods may draw on: the user's things, beside the document.
    pub fn libraries(&self) -> &Libraries {
        &self.libraries
    }

    /// Files whose motions were brought in.
    pub fn motion_files(&self) -> &[PathBuf] {
        &self.motion_files
    }

    /// Whether skeleton and weights differ from the source's own.
    pub fn has_own_rig(&self) -> bool {
        self.own_rig
    }

    /// The joint tags.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The current pose.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The pose library.
    pub fn poses(&self) -> &BTreeMap<String, Pose> {
        &self.poses
    }

    /// Id of the active skinning method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Settings of a method that differ from its defaults.
    pub fn settings(&self, method: &str) -> Params {
        self.settings.get(method).cloned().unwrap_or_default()
    }

    /// All settings, by method.
    pub fn all_settings(&self) -> &BTreeMap<String, Params> {
        &self.settings
    }

    /// Where each part stands, for a job to carry along.
    pub fn revisions(&self) -> Revisions {
        self.revisions
    }

    /// Adds what it shares with edits: skeleton, weights, motions, tables of settings.
    pub(crate) fn weigh(&self, tally: &mut Tally) {
        let character = &self.character;
        edit::weigh_rig(&character.skeleton, &character.weights, tally);
        edit::weigh_clips(&character.clips, tally);
        self.settings.values().for_each(|params| params.weigh(tally));
    }

    /// Works with other skinning templates. They are the user's and not the document's, so this is no
    /// edit; which of them stand where is.
    pub fn set_templates(&mut self, templates: Arc<Library>) {
        self.libraries.templates = templates;
        self.revisions.methods = self.tick();
    }

    /// The templates in use that do not come with the program: a project that leaves this desk must take
    /// them along.
    pub fn own_templates_in_use(&self) -> Vec<Arc<Template>> {
        let used = self
            .settings
            .values()
            .flat_map(|params| Choices::of(params).templates(&self.libraries.templates).into_iter());
        let mut own: Vec<Arc<Template>> = Vec::new();
        for template in used.filter(|t| !Library::is_reserved(t.part, &t.name)) {
            if !own.contains(&template) {
                own.push(template);
            }
        }
        own
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}
