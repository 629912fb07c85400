//! The `sinew` program: parses the arguments and starts the window or a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    sinew::cli::run(|files| {
        #[cfg(feature = "gui")]
        return sinew::app::open(files);
        #[cfg(not(feature = "gui"))]
        {
            let _ = files;
            anyhow::bail!("this build has no window; try `sinew --help` for the commands")
        }
    })
}
