//! What was reported so far: shown as toasts when it happens and in the log window ever after.

use crate::app::words::sentence;

/// How grave an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Something went as asked.
    Info,
    /// Something is odd; work went on.
    Warning,
    /// Something could not be done.
    Error,
}

/// One report.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// How grave.
    pub level: Level,
    /// A sentence.
    pub text: String,
}

/// All reports of this run.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    /// Entries that are not yet shown as toasts.
    fresh: usize,
    /// Entries up to here were seen in the log window.
    seen: usize,
}

impl Log {
    /// Reports that something went as asked.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(Level::Info, text.into());
    }

    /// Reports something odd.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.push(Level::Warning, text.into());
    }

    /// Reports a failure.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(Level::Error, text.into());
    }

    fn push(&mut self, level: Level, text: String) {
        let entry = Entry { level, text: sentence(&text) };
        // What is told again before anybody read it is one thing to read.
        let open = self.seen.min(self.fresh)..self.fresh;
        if let Some(k) =
            self.entries[open].iter().position(|other| *other == entry).filter(|_| level != Level::Info)
        {
            self.entries.remove(self.seen.min(self.fresh) + k);
            self.fresh -= 1;
        }
        self.entries.push(entry);
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Entries that no toast has shown yet.
    pub fn take_fresh(&mut self) -> Vec<Entry> {
        let fresh = self.entries[self.fresh..].to_vec();
        self.fresh = self.entries.len();
        fresh
    }

    /// Warnings and errors since the log window was last open.
    pub fn unseen(&self) -> usize {
        self.entries[self.seen..].iter().filter(|entry| entry.level != Level::Info).count()
    }

    /// Notes that the log window shows everything.
    pub fn mark_seen(&mut self) {
        self.seen = self.entries.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_count_until_they_were_seen_and_toast_once() {
        let mut log = Log::default();
        log.info("opened");
        log.warn("there is no joint “x”");
        assert_eq!(log.entries()[1].text, "There is no joint “x”.");
        assert_eq!(log.unseen(), 1);
        assert_eq!(log.take_fresh().len(), 2);
        assert!(log.take_fresh().is_empty());
        log.warn("there is no joint “x”");
        assert_eq!((log.unseen(), log.take_fresh().len()), (1, 1), "told again, but one thing to read");
        log.mark_seen();
        assert_eq!(log.unseen(), 0);
        log.warn("there is no joint “x”");
        assert_eq!(log.unseen(), 1);
    }
}
