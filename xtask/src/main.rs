//! `cargo xtask`: what a developer runs. One file, or one folder, a subcommand.

mod bench;
mod build;
mod docs;
mod origin;
mod soak;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// What `sysexits` calls a wrong use of the command line.
const USAGE: u8 = 64;

/// Build, measure and wear out bellwether.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Build both programs into `target/dist/`, the hook statically linked
    Build(build::Arguments),
    /// Measure what the numbers in the docs speak of, beside their targets
    Bench(bench::Arguments),
    /// Write the pages and the plugin's files that are made from the code
    Docs,
    /// Run for long what must hold for ever: crashes, races, hostile bytes
    Soak(soak::Arguments),
    /// Decode a sound file on stdin, as `bellwether sounds decode` does: what is fuzzed
    #[command(hide = true)]
    Sounds {
        /// What to do with it
        #[arg(value_parser = ["decode"])]
        word: String,
    },
    /// Run case files of other projects from a folder outside the tree
    Origin(origin::Arguments),
}

/// How a command ended that could do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All is as it should be.
    Good,
    /// Something was found; it has been printed.
    Bad,
}

impl Outcome {
    fn and(self, other: Self) -> Self {
        if self == Self::Good { other } else { self }
    }
}

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => finish(run(arguments.command)),
        Err(error) => explain(&error),
    }
}

fn run(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Build(arguments) => build::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Docs => docs::run(),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Sounds { .. } => Ok(soak::decode()),
        Command::Origin(arguments) => origin::run(&arguments),
    }
}

fn finish(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Help was asked for, or the command line is wrong.
fn explain(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { USAGE } else { 0 })
}
