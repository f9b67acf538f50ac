//! The commands: one file each, one line in the list below.

mod daemon;
mod doctor;
mod events;
mod explain;
mod status;

use std::path::PathBuf;
use std::process::ExitCode;

use bellwether_spine::Home;
use clap::{Parser, Subcommand};

use crate::exit;

/// Hears what your Claude Code agents do, and loses nothing of it.
///
/// Claude Code starts `bellwether-hook` at every event; the hook answers within about a
/// millisecond, writes the event to a journal and wakes the daemon, which stores it.
#[derive(Parser)]
#[command(
    name = "bellwether",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
struct Cli {
    /// Keep every file of bellwether under this folder instead of the usual ones.
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "BELLWETHER_HOME",
        hide_env_values = true,
        help_heading = "Everywhere"
    )]
    home: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show how the daemon, the journal and the store are.
    Status(status::Arguments),
    /// Show what the agents did: the stored events, oldest first.
    Events(events::Arguments),
    /// Look for what is wrong, say what to do about it, and do it with `--fix`.
    Doctor(doctor::Arguments),
    /// Show, as JSON, what would be done with an event, and do nothing.
    Explain(explain::Arguments),
    /// Start, stop or look at the daemon. Hooks start it by themselves.
    #[command(subcommand)]
    Daemon(daemon::Arguments),
    /// Handle one event from stdin, as `bellwether-hook` does. Always exits 0.
    #[command(
        override_usage = "bellwether hook [--home DIR] [--client VERSION] [--from NAME] [--no-daemon]"
    )]
    Hook,
}

/// Runs the command that the command line names.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { exit::USAGE } else { 0 });
        }
    };
    exit::report(cli.run())
}

impl Cli {
    fn run(self) -> anyhow::Result<()> {
        let home = Home::find(self.home)?;
        match self.command {
            Command::Status(arguments) => status::run(&home, &arguments),
            Command::Events(arguments) => events::run(&home, &arguments),
            Command::Doctor(arguments) => doctor::run(&home, &arguments),
            Command::Explain(arguments) => explain::run(&home, &arguments),
            Command::Daemon(arguments) => daemon::run(&home, &arguments),
            // Reached only behind an option such as `--home`; `main` takes the usual way.
            Command::Hook => anyhow::bail!("put `hook` first: bellwether hook --home DIR"),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
