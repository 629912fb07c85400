//! The command line: the same jobs as the window runs, one file per command.
//!
//! Errors go to standard error with exit code 1, wrong usage with 2; `--json` prints what scripts read.

mod cage;
mod convert;
mod coords;
mod deform;
mod input;
mod inspect;
mod measure;
mod render;
mod rig;
mod terminal;
mod tour;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::kernel::progress::Progress;

/// Sinew: a studio for rigging and skinning characters.
///
/// Without a command it opens the window, on the built-in character already moving or on FILE.
/// Wherever a file is asked for, @name is a built-in character or shape (@hero, @tube, …) and
/// @name:20000 one of about that many vertices.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// What to open in the window
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what a file holds: vertices, components, joints, clips, height, and what is odd
    Inspect(inspect::Inspect),
    /// Give a bare mesh a skeleton and weights
    Rig(rig::Rig),
    /// Write a character as GLB, with as many joints on a vertex as asked
    Convert(convert::Convert),
    /// Write one deformed skin as OBJ
    Deform(deform::Deform),
    /// Fit a cage of skinning templates around a character and write it as OBJ
    Cage(cage::Cage),
    /// Write the coordinates of a mesh in a closed cage as a NumPy matrix
    Coords(coords::Coords),
    /// Draw a posed character as PNG
    Render(render::Render),
    /// Measure skinning methods side by side over a bend, a twist or a clip
    Measure(measure::Measure),
    /// Go through the whole chain on built-in characters; write pictures and a table
    Tour(tour::Tour),
}

/// What needs the window's side, which this layer does not know.
pub trait Front {
    /// Starts the studio on the files given.
    fn open_window(&self, files: Vec<PathBuf>) -> anyhow::Result<()>;

    /// Writes the tour into a folder and names what was written.
    fn tour(&self, folder: &Path, progress: &dyn Progress) -> anyhow::Result<Vec<PathBuf>>;
}

/// A build without a window.
pub struct NoWindow;

impl Front for NoWindow {
    fn open_window(&self, _: Vec<PathBuf>) -> anyhow::Result<()> {
        anyhow::bail!("this build has no window; try `sinew --help` for the commands")
    }

    fn tour(&self, _: &Path, _: &dyn Progress) -> anyhow::Result<Vec<PathBuf>> {
        anyhow::bail!("this build has no renderer, so it cannot draw the tour")
    }
}

/// Runs what the arguments ask for.
pub fn run(front: &dyn Front) -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        None => front.open_window(arguments.files),
        Some(Command::Inspect(command)) => command.run(),
        Some(Command::Rig(command)) => command.run(),
        Some(Command::Convert(command)) => command.run(),
        Some(Command::Deform(command)) => command.run(),
        Some(Command::Cage(command)) => command.run(),
        Some(Command::Coords(command)) => command.run(),
        Some(Command::Render(command)) => command.run(),
        Some(Command::Measure(command)) => command.run(),
        Some(Command::Tour(command)) => command.run(front),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::print_error(&error);
            ExitCode::from(if error.is::<terminal::Usage>() { 2 } else { 1 })
        }
    }
}
