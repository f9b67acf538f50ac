//! `bellwether completions`: what a shell needs to complete our command line.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use crate::output;

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether completions bash > ~/.local/share/bash-completion/completions/bellwether
  bellwether completions zsh  > ~/.local/share/zsh/site-functions/_bellwether
  bellwether completions fish > ~/.config/fish/completions/bellwether.fish")]
pub(crate) struct Arguments {
    /// The shell to write for.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Cli::command(),
        "bellwether",
        &mut script,
    );
    Ok(std::io::Write::write_all(&mut output::stdout(), &script)?)
}
