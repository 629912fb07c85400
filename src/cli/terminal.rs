//! Words and progress on a terminal.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::kernel::progress::Progress;

/// Arguments that parse but make no sense together; exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Progress of a command: a bar on a terminal, nothing in a pipe; warnings are kept.
pub struct TerminalProgress {
    bar: ProgressBar,
    warnings: Mutex<Vec<String>>,
}

impl TerminalProgress {
    /// A bar on standard error if that is a terminal.
    pub fn new() -> Self {
        let bar =
            if std::io::stderr().is_terminal() { ProgressBar::new(1000) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} % {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, warnings: Mutex::default() }
    }

    /// Clears the bar and gives the warnings back.
    pub fn finish(self) -> Vec<String> {
        self.bar.finish_and_clear();
        self.warnings.into_inner().unwrap_or_default()
    }
}

impl Progress for TerminalProgress {
    fn step(&self, fraction: f32, words: &str) {
        self.bar.set_position((fraction * 1000.0) as u64);
        self.bar.set_message(words.to_owned());
    }
    fn warn(&self, warning: &str) {
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(warning.to_owned());
        }
    }
    fn cancelled(&self) -> bool {
        false
    }
}

/// Prints a line on standard output; a reader that left early (`| head`) is no error.
pub fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints a value as JSON on standard output.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// Prints warnings on standard error.
pub fn print_warnings(warnings: &[String]) {
    for warning in warnings {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
}

/// Prints an error on standard error, its causes in the same line.
pub fn print_error(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr(), "error: {error:#}");
}
