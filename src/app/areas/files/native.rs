//! The system's own file dialogs, waited for on a thread of their own.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use super::dialog::{Ask, Dialog};

/// Where there is no portal, an answer like Cancel comes back at once, on a busy machine a little later;
/// no one sees a dialog and cancels it that fast.
const NO_PORTAL: Duration = Duration::from_millis(600);

/// Whether the system may have a dialog. On Linux it comes over the session's bus or from a helper
/// program; where neither is there, nothing is worth waiting for.
fn may_be_there() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    let in_path = |program: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
    };
    bus || in_path("zenity")
}

/// A dialog that is open.
#[derive(Debug)]
pub struct Native {
    /// What it asks for.
    pub ask: Ask,
    /// When it was opened.
    pub begun: Instant,
    answer: Receiver<(Option<PathBuf>, Duration)>,
}

/// What became of a dialog.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    /// A file was chosen.
    Chosen(PathBuf),
    /// The user thought better of it.
    Cancelled,
    /// The system has no such dialog.
    Absent,
}

impl Native {
    /// Opens the dialog; `context` draws again when it is answered. `None` where there cannot be one.
    pub fn open(dialog: &Dialog, context: &egui::Context) -> Option<Self> {
        if !may_be_there() {
            return None;
        }
        let ask = dialog.ask;
        let mut native = rfd::AsyncFileDialog::new().set_title(ask.title());
        for (label, extensions) in ask.filters() {
            native = native.add_filter(label, &extensions);
        }
        if let Some(folder) = dialog.folder() {
            native = native.set_directory(folder);
        }
        let (sender, answer) = channel();
        let context = context.clone();
        let begun = Instant::now();
        let wait = move |chosen: Option<rfd::FileHandle>| {
            let chosen = chosen.map(|file| file.path().to_owned());
            // Nobody receives when the window closes meanwhile.
            let _ = sender.send((chosen, begun.elapsed()));
            context.request_repaint();
        };
        let thread = std::thread::Builder::new().name("sinew-dialog".into());
        // Some systems want the dialog made on this thread; only the waiting is done elsewhere.
        let spawned = if ask.writes() {
            if let Some(name) = dialog.file_name() {
                native = native.set_file_name(name);
            }
            let chosen = native.save_file();
            thread.spawn(move || wait(pollster::block_on(chosen)))
        } else {
            let chosen = native.pick_file();
            thread.spawn(move || wait(pollster::block_on(chosen)))
        };
        spawned.ok()?;
        Some(Self { ask, begun, answer })
    }

    /// The answer, once it is there.
    pub fn poll(&self) -> Option<Reply> {
        match self.answer.try_recv() {
            Ok((Some(path), _)) => Some(Reply::Chosen(path)),
            Ok((None, waited)) if waited < NO_PORTAL => Some(Reply::Absent),
            Ok((None, _)) => Some(Reply::Cancelled),
            Err(TryRecvError::Empty) => None,
            // The thread ended without a word.
            Err(TryRecvError::Disconnected) => Some(Reply::Absent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(chosen: Option<&str>, millis: u64) -> Option<Reply> {
        let (sender, answer) = channel();
        let native = Native { ask: Ask::Open, begun: Instant::now(), answer };
        assert_eq!(native.poll(), None, "still open");
        sender.send((chosen.map(PathBuf::from), Duration::from_millis(millis))).expect("received");
        native.poll()
    }

    #[test]
    fn an_answer_faster_than_any_hand_means_that_there_is_no_dialog() {
        assert_eq!(reply(None, 8), Some(Reply::Absent));
        assert_eq!(reply(None, 900), Some(Reply::Cancelled));
        assert_eq!(reply(Some("a.glb"), 8), Some(Reply::Chosen("a.glb".into())));
    }
}
