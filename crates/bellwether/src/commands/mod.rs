//! The commands: one file each, one line in the list below.

mod completions;
mod daemon;
mod events;
mod install;
mod man;
mod status;
mod uninstall;

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
    /// Register the hook with Claude Code, leaving everything else in its settings as it is.
    Install(install::Arguments),
    /// Take the hook out of Claude Code's settings again.
    Uninstall(uninstall::Arguments),
    /// Show how the daemon, the journal and the store are.
    Status(status::Arguments),
    /// Show what the agents did: the stored events, oldest first.
    Events(events::Arguments),
    /// Start, stop or look at the daemon. Hooks start it by themselves.
    #[command(subcommand)]
    Daemon(daemon::Arguments),
    /// Print a completion script for your shell.
    Completions(completions::Arguments),
    /// Print the manual page, or write one for every command.
    Man(man::Arguments),
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
            Command::Install(arguments) => install::run(&home, &arguments),
            Command::Uninstall(arguments) => uninstall::run(&home, &arguments),
            Command::Status(arguments) => status::run(&home, &arguments),
            Command::Events(arguments) => events::run(&home, &arguments),
            Command::Daemon(arguments) => daemon::run(&home, &arguments),
            Command::Completions(arguments) => completions::run(&arguments),
            Command::Man(arguments) => man::run(&arguments),
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
