//! Copies kept for the case of a crash: a project file and, beside it, a note of whose it is.
//!
//! A copy is named after the process that wrote it. It is offered again only once that process is
//! gone: on Linux that is known from /proc, where the start time also tells a process from a later
//! one that was given the same number; elsewhere a copy must not have been renewed for a while.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{atomic, project};

/// Where the system tells nothing of processes, a copy this old belongs to none that runs.
const STALE_AFTER: Duration = Duration::from_secs(60);

/// Whose copy it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What the document was called.
    pub name: String,
    /// The project file that it belongs to, if it had one.
    pub path: Option<PathBuf>,
    /// The process that wrote it.
    pub pid: u32,
    /// When that process started, in the system's own count, where it tells.
    pub started: Option<u64>,
    /// When the copy was written, in seconds since 1970.
    pub written: u64,
}

impl Note {
    /// A note by this process, now.
    pub fn new(name: String, path: Option<PathBuf>) -> Self {
        let pid = std::process::id();
        Self { name, path, pid, started: start_time(pid), written: seconds_now() }
    }

    /// How long ago it was written, in words such as "3 minutes ago".
    pub fn age(&self) -> String {
        let minutes = seconds_now().saturating_sub(self.written) / 60;
        let ago = |count: u64, unit: &str| format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" });
        match minutes {
            0 => "less than a minute ago".into(),
            1..60 => ago(minutes, "minute"),
            60..2880 => ago(minutes / 60, "hour"),
            _ => ago(minutes / 1440, "day"),
        }
    }

    fn is_of_a_running_process(&self) -> bool {
        if cfg!(target_os = "linux") {
            let runs = Path::new("/proc").join(self.pid.to_string()).exists();
            return runs && (self.started.is_none() || self.started == start_time(self.pid));
        }
        let age = seconds_now().saturating_sub(self.written);
        self.pid == std::process::id() || age < STALE_AFTER.as_secs()
    }
}

/// A copy that a crash left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// The copy, a project file.
    pub file: PathBuf,
    /// Whose it is.
    pub note: Note,
}

/// The copy of the document that this process opened as its `serial`th.
pub fn file_in(folder: &Path, serial: u64) -> PathBuf {
    // The start time keeps processes apart that were given the same number one after the other.
    let pid = std::process::id();
    let started = start_time(pid).unwrap_or_default();
    folder.join(format!("{pid}-{started}-{serial}.{}", project::EXTENSION))
}

/// Writes a copy, the text of a project file, and its note.
pub fn write(text: &str, file: &Path, note: &Note) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let words = ron::to_string(note).map_err(std::io::Error::other)?;
    // The note first: a copy without one would be nobody's.
    atomic::write(&note_beside(file), words.as_bytes())?;
    atomic::write(file, text.as_bytes())
}

/// Takes a copy and its note away; what is not there needs no taking.
pub fn remove(file: &Path) -> std::io::Result<()> {
    for path in [file.to_owned(), note_beside(file)] {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The copies in `folder` whose process is gone, newest first.
pub fn leftovers(folder: &Path) -> Vec<Leftover> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<Leftover> = entries
        .filter_map(|entry| {
            let file = entry.ok()?.path();
            let ours = file.extension().is_some_and(|extension| extension == project::EXTENSION);
            let note = ours.then(|| std::fs::read_to_string(note_beside(&file)).ok())??;
            let note: Note = ron::from_str(&note).ok()?;
            (!note.is_of_a_running_process()).then_some(Leftover { file, note })
        })
        .collect();
    found.sort_by_key(|leftover| std::cmp::Reverse(leftover.note.written));
    found
}

fn note_beside(file: &Path) -> PathBuf {
    file.with_extension("note")
}

fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The 22nd field of /proc/PID/stat; the second, the name in brackets, may itself hold spaces.
fn start_time(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{Document, Origin};
    use crate::kernel::forge;

    fn text() -> String {
        let arm = Document::new(Origin::parse("@arm"), forge::build("arm", None).expect("built in"));
        project::to_text(&arm, Path::new("")).expect("text")
    }

    /// A process that has ended and whose number is therefore free.
    fn ended_process() -> u32 {
        let mut child = std::process::Command::new("true").spawn().expect("starts");
        let pid = child.id();
        child.wait().expect("ends");
        pid
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn copies_of_the_dead_are_found_and_those_of_the_living_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = file_in(folder.path(), 1);
        write(&text(), &mine, &Note::new("mine".into(), None)).expect("written");
        assert_eq!(leftovers(folder.path()), [], "this process runs");

        let dead = folder.path().join("dead.sinew");
        let note = Note { pid: ended_process(), started: None, ..Note::new("dead".into(), None) };
        write(&text(), &dead, &note).expect("written");
        let reused = folder.path().join("reused.sinew");
        let earlier = Note { started: Some(1), ..Note::new("reused".into(), Some("a.sinew".into())) };
        write(&text(), &reused, &Note { written: 5, ..earlier }).expect("written");
        let found: Vec<String> = leftovers(folder.path()).into_iter().map(|left| left.note.name).collect();
        assert_eq!(found, ["dead", "reused"], "newest first");

        remove(&dead).expect("removed");
        remove(&dead).expect("again is no error");
        assert_eq!(leftovers(folder.path()).len(), 1);
        assert!(project::open(&mine).is_ok(), "a copy is a whole project");
    }

    #[test]
    fn copies_without_a_readable_note_are_let_be() {
        let folder = tempfile::tempdir().expect("a folder");
        atomic::write(&folder.path().join("x.sinew"), text().as_bytes()).expect("saved");
        atomic::write(&folder.path().join("y.sinew"), b"(").expect("written");
        atomic::write(&folder.path().join("y.note"), b"(").expect("written");
        assert_eq!(leftovers(folder.path()), []);
        assert_eq!(leftovers(&folder.path().join("absent")), []);
    }

    #[test]
    fn ages_are_told_in_words() {
        let note = |ago: u64| Note { written: seconds_now() - ago, ..Note::new(String::new(), None) };
        assert_eq!(note(3).age(), "less than a minute ago");
        assert_eq!(note(65).age(), "1 minute ago");
        assert_eq!(note(3 * 3600 + 5).age(), "3 hours ago");
    }
}
