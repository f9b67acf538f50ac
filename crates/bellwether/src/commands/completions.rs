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
  bellwether completions fish > ~/.config/fish/completions/bellwether.fish
  bellwether completions elvish > ~/.config/elvish/lib/bellwether.elv     then: use bellwether
  bellwether completions powershell >> $PROFILE                           in PowerShell")]
pub(crate) struct Arguments {
    /// The shell to write for.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let script = script(arguments.shell);
    Ok(std::io::Write::write_all(&mut output::stdout(), &script)?)
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bellwether", &mut script);
    script
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_shell_gets_every_command() {
        for shell in Shell::value_variants() {
            let script = String::from_utf8(script(*shell)).unwrap();
            for command in Cli::command().get_subcommands() {
                let name = command.get_name();
                assert!(script.contains(name), "{shell} lacks {name}");
            }
        }
    }

    #[test]
    fn powershell_is_told_how_to_complete_each_command() {
        let script = String::from_utf8(script(Shell::PowerShell)).unwrap();
        assert!(script.contains("Register-ArgumentCompleter -Native -CommandName 'bellwether'"));
        for command in Cli::command().get_subcommands() {
            let case = format!("'bellwether;{}' {{", command.get_name());
            assert!(script.contains(&case), "{case}");
        }
    }
}
