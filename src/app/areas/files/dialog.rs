//! The dialog that asks for a path: what for, what is typed, what is wrong with it.

use std::path::{Path, PathBuf};

use super::listing::Listing;
use super::paths;
use crate::io::{READERS, ReadOptions, project};

/// What a path is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// To open a mesh, a character or a project.
    Open,
    /// To play its motion.
    ImportMotion,
    /// To save the project there.
    Save,
    /// To write a GLB there.
    Export,
    /// To write a picture there.
    Picture,
}

impl Ask {
    /// What the dialog is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Open => "Open a file",
            Self::ImportMotion => "Import motion",
            Self::Save => "Save the project",
            Self::Export => "Export GLB",
            Self::Picture => "Save a picture",
        }
    }

    /// What its button says.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::ImportMotion => "Import",
            Self::Save | Self::Picture => "Save",
            Self::Export => "Export",
        }
    }

    /// Whether a file is written.
    pub fn writes(self) -> bool {
        matches!(self, Self::Save | Self::Export | Self::Picture)
    }

    /// What a file that is written ends in.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Export => "glb",
            Self::Picture => "png",
            _ => project::EXTENSION,
        }
    }

    /// Kinds of files, what each is called and ends in.
    pub fn filters(self) -> Vec<(&'static str, Vec<&'static str>)> {
        let readers = || READERS.iter().map(|reader| (reader.label, reader.extensions.to_vec()));
        let all = |more: &[&'static str]| {
            READERS.iter().flat_map(|reader| reader.extensions).chain(more).copied().collect::<Vec<_>>()
        };
        match self {
            Self::Open => {
                let known = ("Characters, meshes and projects", all(&[project::EXTENSION, "ron"]));
                let own = ("Sinew project", vec![project::EXTENSION]);
                [known, own].into_iter().chain(readers()).chain([("Pose or tags", vec!["ron"])]).collect()
            }
            Self::ImportMotion => {
                let moving = ["bvh", "fbx", "glb", "gltf", "vrm"];
                vec![("Motions", moving.to_vec())]
            }
            Self::Save => vec![("Sinew project", vec![project::EXTENSION])],
            Self::Export => vec![("Binary glTF", vec!["glb"])],
            Self::Picture => vec![("PNG picture", vec!["png"])],
        }
    }

    /// Whether a file of this name is of a kind that is asked for.
    pub fn takes(self, name: &str) -> bool {
        let extension = Path::new(name).extension().map(|e| e.to_string_lossy().to_lowercase());
        extension.is_some_and(|found| {
            self.filters().iter().any(|(_, extensions)| extensions.contains(&found.as_str()))
        })
    }
}

/// Influences that an export can keep; `None` keeps all.
pub const LIMITS: [Option<usize>; 3] = [Some(4), Some(8), None];

/// The dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct Dialog {
    /// What for.
    pub ask: Ask,
    /// Tells one dialog from the next.
    pub serial: u64,
    /// What is typed.
    pub text: String,
    /// What is wrong with it, in one sentence.
    pub error: Option<String>,
    /// The file that is there already and would be replaced.
    pub replaces: Option<PathBuf>,
    /// The folder that is listed below the field.
    pub listing: Option<Listing>,
    /// Influences that an export keeps.
    pub limit: Option<usize>,
    /// What is said of a file that is opened.
    pub options: ReadOptions,
}

impl Dialog {
    /// A dialog that starts in a folder, and where a file is written, with a name for it.
    pub fn new(ask: Ask, serial: u64, folder: &Path, name: &str) -> Self {
        let mut text = paths::as_folder(folder);
        if ask.writes() {
            text.push_str(&format!("{}.{}", safe(name), ask.extension()));
        }
        Self {
            ask,
            serial,
            text,
            error: None,
            replaces: None,
            listing: None,
            limit: Some(4),
            options: ReadOptions::default(),
        }
    }

    /// The folder of what is typed.
    pub fn folder(&self) -> Option<PathBuf> {
        paths::folder_and_start(&self.text).0
    }

    /// The name in what is typed.
    pub fn file_name(&self) -> Option<String> {
        Some(paths::folder_and_start(&self.text).1).filter(|name| !name.is_empty())
    }

    /// The path to use, if it can be; where not, the dialog says why, or asks whether to replace a file.
    /// `own` is the document's own file, which is replaced without a question.
    pub fn accept(&mut self, own: Option<&Path>) -> Option<PathBuf> {
        let found = if self.ask.writes() {
            paths::to_write(&self.text, self.ask.extension())
        } else {
            paths::to_read(&self.text)
        };
        let path = match found {
            Ok(path) => path,
            Err(why) => {
                self.error = Some(why);
                return None;
            }
        };
        let asked = self.replaces.as_ref() == Some(&path);
        if self.ask.writes() && path.exists() && !asked && own != Some(&path) {
            self.replaces = Some(path);
            return None;
        }
        Some(path)
    }
}

/// A name without what file systems refuse.
fn safe(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c }).collect();
    if name.trim().is_empty() { "untitled".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_replaced_only_when_confirmed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut dialog = Dialog::new(Ask::Save, 1, folder.path(), "a/b");
        let path = dialog.accept(None).expect("nothing there yet");
        assert!(path.ends_with("a_b.sinew"));
        crate::io::atomic::write(&path, b"x").expect("written");
        assert_eq!(dialog.accept(None), None);
        assert_eq!(dialog.replaces.as_deref(), Some(&*path));
        assert_eq!(dialog.accept(None), Some(path.clone()), "asked and confirmed");
        let mut again = Dialog::new(Ask::Save, 2, folder.path(), "a/b");
        assert_eq!(again.accept(Some(&path)), Some(path), "its own file");
    }

    #[test]
    fn every_reader_and_projects_can_be_chosen() {
        for reader in READERS {
            assert!(reader.extensions.iter().all(|e| Ask::Open.takes(&format!("x.{}", e.to_uppercase()))));
        }
        assert!(Ask::Open.takes("x.sinew") && !Ask::Open.takes("x.txt") && !Ask::Open.takes("x"));
        assert!(Ask::ImportMotion.takes("walk.bvh") && !Ask::ImportMotion.takes("x.obj"));
    }
}
