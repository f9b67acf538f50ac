//! `bellwether workflow`: where the planned work of a project stands, and what a person says about it.

mod archive;
mod board;
mod import;
mod init;
mod next;
mod set;
mod status;
mod undo;

use std::path::PathBuf;

use bellwether_spine::Home;
use clap::{Args, Subcommand};

use crate::workflow::Place;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The project [default: the folder with `.bellwether/workflow.json`, here or above]
    #[arg(long, global = true, value_name = "DIR")]
    project: Option<PathBuf>,
    #[command(subcommand)]
    command: WorkflowCommand,
}

#[derive(Subcommand)]
enum WorkflowCommand {
    /// Turn the workflow on in a project: make its status file, switch `workflow.enabled` on, trust the project.
    Init,
    /// Show where each feature stands, who works on what, and what waits for you.
    Status(status::Arguments),
    /// Let a feature go on: pass the checkpoint that it waits at, or grant one more iteration.
    Next(next::Arguments),
    /// Put a feature into a phase, or say its match rate.
    Set(set::Arguments),
    /// Take back the last step of a feature. It stays in the history.
    Undo(undo::Arguments),
    /// Move a finished feature, with its history, into `.bellwether/archive/`.
    Archive(archive::Arguments),
    /// Show the features by phase, live.
    Board(board::Arguments),
    /// Take over features from another status file: bkit's `.pdca-status.json`, or one of our archives.
    Import(import::Arguments),
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let place = || Place::find(home, arguments.project.as_deref());
    match &arguments.command {
        WorkflowCommand::Init => init::run(home, arguments.project.as_deref()),
        WorkflowCommand::Status(arguments) => status::run(&place()?, arguments),
        WorkflowCommand::Next(arguments) => next::run(&place()?, arguments),
        WorkflowCommand::Set(arguments) => set::run(&place()?, arguments),
        WorkflowCommand::Undo(arguments) => undo::run(&place()?, arguments),
        WorkflowCommand::Archive(arguments) => archive::run(&place()?, arguments),
        WorkflowCommand::Board(arguments) => board::run(&place()?, arguments),
        WorkflowCommand::Import(arguments) => import::run(&place()?, arguments),
    }
}
