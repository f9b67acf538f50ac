//! `bellwether man`: the manual, from the same definitions as `--help`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};

use super::Cli;
use crate::output;

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether man | man -l -               read it
  bellwether man --into ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Write a page for every command into this folder instead of the first to stdout.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.into {
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
        return written.with_context(|| format!("cannot write to {}", folder.display()));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    Ok(std::io::Write::write_all(&mut output::stdout(), &page)?)
}
