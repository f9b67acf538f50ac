//! `bellwether gate`: checks what is about to be committed, and shows what it checks and found.

mod clear;
mod explain;
mod guardian;
mod run;
mod status;

use bellwether_spine::Home;
use clap::Subcommand;

pub(crate) use status::running_line;

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Check what is staged, as a commit would be checked. A tree that has passed is remembered.
    Run(run::Arguments),
    /// Show what is being checked, what was found last here, and which trees have passed.
    Status(status::Arguments),
    /// Forget which trees have passed here, so that they are checked again.
    Clear(clear::Arguments),
    /// Show whether commits are checked here, by which checks, and why those.
    Explain(explain::Arguments),
    /// Clear away after a run that was killed. Started by `gate run`.
    #[command(hide = true)]
    Guardian(guardian::Arguments),
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments {
        Arguments::Run(arguments) => run::run(home, arguments),
        Arguments::Status(arguments) => status::run(home, arguments),
        Arguments::Clear(arguments) => clear::run(home, arguments),
        Arguments::Explain(arguments) => explain::run(home, arguments),
        Arguments::Guardian(arguments) => guardian::run(home, arguments),
    }
}
