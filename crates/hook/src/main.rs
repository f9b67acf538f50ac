//! `bellwether-hook`: the small static binary that the client starts at every event.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bellwether_hook::run(std::env::args_os().skip(1)))
}
