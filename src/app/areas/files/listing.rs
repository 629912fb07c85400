//! What lies in a folder, listed on a thread of its own: a folder may be on a slow disk.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

/// A file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// A folder's content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The folder.
    pub folder: PathBuf,
    /// Folders first, each by name.
    pub items: Vec<Item>,
}

/// A listing that is being made.
#[derive(Debug)]
pub struct Pending {
    /// Of which folder.
    pub folder: PathBuf,
    answer: Receiver<Listing>,
}

impl Pending {
    /// Starts listing; `context` draws again when it is done.
    pub fn start(folder: PathBuf, context: &egui::Context) -> Option<Self> {
        let (sender, answer) = channel();
        let (wanted, context) = (folder.clone(), context.clone());
        std::thread::Builder::new()
            .name("sinew-listing".into())
            .spawn(move || {
                let items = items_of(&wanted);
                // Nobody receives when the dialog was closed or went on to another folder.
                let _ = sender.send(Listing { folder: wanted, items });
                context.request_repaint();
            })
            .ok()?;
        Some(Self { folder, answer })
    }

    /// The listing, once it is there.
    pub fn poll(&self) -> Option<Listing> {
        self.answer.try_recv().ok()
    }
}

/// Hidden files are left out.
fn items_of(folder: &Path) -> Vec<Item> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut items: Vec<Item> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
            // Links are followed, so that a link to a folder is one.
            let is_folder = std::fs::metadata(entry.path()).is_ok_and(|about| about.is_dir());
            Some(Item { name, is_folder })
        })
        .collect();
    items.sort_by_key(|item| (!item.is_folder, item.name.to_lowercase()));
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_and_hidden_files_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.obj", "A.glb", ".hidden"] {
            crate::io::atomic::write(&folder.path().join(name), b"x").expect("written");
        }
        std::fs::create_dir(folder.path().join("zoo")).expect("made");
        let pending = Pending::start(folder.path().into(), &egui::Context::default()).expect("a thread");
        let listing = pending.answer.recv().expect("an answer");
        let names: Vec<&str> = listing.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["zoo", "A.glb", "b.obj"]);
        assert!(listing.items[0].is_folder);
    }
}
