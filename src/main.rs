//! The `sinew` program: parses the arguments and starts the window or a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "gui")]
    let front = sinew::app::Front;
    #[cfg(not(feature = "gui"))]
    let front = sinew::cli::NoWindow;
    sinew::cli::run(&front)
}
