//! Why a glTF file is refused, before its path is known, and the sentences of what was odd.

use std::path::Path;

use crate::io::ReadError;

/// What is wrong, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The content breaks the format.
    Broken(String),
    /// The content is whole but needs something that is not supported.
    Unsupported(String),
}

/// The result of every step of the reader.
pub(super) type Checked<T> = Result<T, Fault>;

impl Fault {
    /// The error that the user sees.
    pub(super) fn at(self, path: &Path) -> ReadError {
        match self {
            Self::Broken(reason) => ReadError::broken(path, reason),
            Self::Unsupported(feature) => ReadError::Unsupported { path: path.to_owned(), feature },
        }
    }
}

/// [`Fault::Broken`] as an `Err`.
pub(super) fn broken<T>(reason: impl Into<String>) -> Checked<T> {
    Err(Fault::Broken(reason.into()))
}

/// Sentences for the user, each kept once, and only so many of them.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    sentences: Vec<String>,
    first_defect: Option<String>,
    left_out: usize,
}

/// A broken file can have a defect per vertex or node; nobody reads more than this.
const MOST_WARNINGS: usize = 40;

impl Warnings {
    /// Adds a defect: something that glTF does not allow.
    pub(super) fn add(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        self.first_defect.get_or_insert_with(|| sentence.clone());
        self.notice(sentence);
    }

    /// The first defect as a reason to refuse the file.
    pub(super) fn first_defect(&self) -> Option<String> {
        let sentence = self.first_defect.as_deref()?.trim_end_matches('.');
        let mut letters = sentence.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect())
    }

    /// Adds what is allowed but good to know, unless it is there already.
    pub(super) fn notice(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if self.sentences.contains(&sentence) {
            return;
        }
        if self.sentences.len() < MOST_WARNINGS {
            self.sentences.push(sentence);
        } else {
            self.left_out += 1;
        }
    }

    /// All sentences, the last one saying how many more there were.
    pub(super) fn into_sentences(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.sentences.push(format!("There are {} more warnings of this kind.", self.left_out));
        }
        self.sentences
    }
}
