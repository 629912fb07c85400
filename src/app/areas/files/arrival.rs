//! Files that were dropped, named on the command line or chosen: which is opened and which is taken
//! on by what is open.

use std::path::{Path, PathBuf};

use crate::doc::Origin;
use crate::io::{MOTION_EXTENSIONS, ReadOptions, project};

/// What a bunch of files comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arrival {
    /// The character, mesh or project to open.
    pub main: Option<Origin>,
    /// What the user says of it.
    pub options: ReadOptions,
    /// Motions, poses and tags to take on it, or on what is open already.
    pub then: Vec<PathBuf>,
    /// Files that found no place: only one character is open at a time.
    pub left_out: Vec<PathBuf>,
}

impl Arrival {
    /// One character, mesh or project.
    pub fn of(origin: Origin) -> Self {
        Self { main: Some(origin), ..Self::default() }
    }

    /// Sorts files by kind. A motion file alone is opened as a skeleton of its own unless a
    /// character with joints is there to play it.
    pub fn sorted(files: Vec<PathBuf>, joints_open: bool) -> Self {
        let mut arrival = Self::default();
        let (mut motions, mut extras) = (Vec::new(), Vec::new());
        for file in files {
            match Kind::of(&file) {
                Kind::Motion => motions.push(file),
                Kind::Notation => extras.push(file),
                Kind::Main if arrival.main.is_none() => {
                    arrival.main = Some(Origin::parse(&file.to_string_lossy()));
                }
                Kind::Main => arrival.left_out.push(file),
            }
        }
        if arrival.main.is_none() && !joints_open && !motions.is_empty() {
            arrival.main = Some(Origin::File(motions.remove(0)));
        }
        arrival.then = motions.into_iter().chain(extras).collect();
        arrival
    }
}

/// Whether a path names a project file.
pub fn is_project(path: &Path) -> bool {
    has_extension(path, &[project::EXTENSION])
}

/// Whether a path names a pose or tag file.
pub fn is_notation(path: &Path) -> bool {
    has_extension(path, &["ron"])
}

enum Kind {
    Main,
    Motion,
    Notation,
}

impl Kind {
    fn of(path: &Path) -> Self {
        if has_extension(path, MOTION_EXTENSIONS) {
            Self::Motion
        } else if is_notation(path) {
            Self::Notation
        } else {
            Self::Main
        }
    }
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| known.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(files: &[&str], joints_open: bool) -> Arrival {
        Arrival::sorted(files.iter().map(PathBuf::from).collect(), joints_open)
    }

    #[test]
    fn the_character_is_opened_and_motions_are_played_on_it() {
        let arrival = sorted(&["walk.BVH", "hero.glb", "wave.ron", "other.obj"], true);
        assert_eq!(arrival.main, Some(Origin::File("hero.glb".into())));
        assert_eq!(arrival.then, [PathBuf::from("walk.BVH"), "wave.ron".into()]);
        assert_eq!(arrival.left_out, [PathBuf::from("other.obj")]);
    }

    #[test]
    fn a_motion_alone_plays_on_what_is_open_or_opens_as_a_skeleton() {
        assert_eq!(sorted(&["walk.bvh"], true).main, None);
        assert_eq!(sorted(&["walk.bvh"], true).then.len(), 1);
        let alone = sorted(&["walk.bvh", "run.bvh"], false);
        assert_eq!(alone.main, Some(Origin::File("walk.bvh".into())));
        assert_eq!(alone.then, [PathBuf::from("run.bvh")]);
    }

    #[test]
    fn built_in_characters_have_their_place_too() {
        let arrival = sorted(&["@arm", "sweep.bvh"], false);
        assert_eq!(arrival.main, Some(Origin::parse("@arm")));
        assert_eq!(arrival.then.len(), 1);
        assert!(is_project(Path::new("a.Sinew")) && !is_project(Path::new("sinew")));
    }
}
