//! `sinew tour`: pictures and a table of everything, on built-in characters.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::Front;
use super::terminal::{TerminalProgress, print, print_json};

/// Arguments of `sinew tour`.
#[derive(Debug, Args)]
pub struct Tour {
    /// The folder to write into; it is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    files: Vec<PathBuf>,
}

impl Tour {
    /// Runs the command.
    pub fn run(self, front: &dyn Front) -> anyhow::Result<()> {
        let progress = TerminalProgress::new();
        let written = front.tour(&self.output, &progress);
        progress.finish();
        let files = written?;
        if self.json {
            return print_json(&Report { files });
        }
        for file in files {
            print(&file.display().to_string());
        }
        Ok(())
    }
}
