//! `bellwether config key`: the keys of services.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use bellwether_spine::Home;
use clap::Subcommand;

use crate::config::Keys;
use crate::{exit, output};

#[derive(Subcommand)]
pub(super) enum Arguments {
    /// Store a key, read from stdin: `ELEVENLABS_API_KEY`, `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`.
    Set {
        /// Its name.
        name: String,
    },
    /// Remove a key.
    Remove {
        /// Its name.
        name: String,
    },
    /// List the stored keys.
    List {
        /// Print JSON: an array of names.
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let mut keys = Keys::load(home)?;
    match arguments {
        Arguments::List { json: true } => {
            return output::show_json(&keys.names().collect::<Vec<_>>());
        }
        Arguments::List { json: false } => keys.names().for_each(|name| tell!("{name}")),
        Arguments::Set { name } => {
            keys.set(name, &secret(name)?)?;
            keys.save(home)?;
            tell!("{name} is saved in {}", home.keys().display());
        }
        Arguments::Remove { name } => {
            anyhow::ensure!(keys.remove(name), "no key named {name} is saved");
            keys.save(home)?;
            tell!("{name} is removed");
        }
    }
    Ok(())
}

/// A key from stdin: never from the command line, where others could see it.
fn secret(name: &str) -> anyhow::Result<String> {
    if std::io::stdin().is_terminal() {
        // Nobody waits for a question that cannot be seen.
        write!(std::io::stderr(), "{name}: ")?;
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let secret = line.trim();
    if secret.is_empty() {
        return Err(exit::usage(format!(
            "no key was given: write it to stdin, for instance `pass show key | bellwether config key set {name}`"
        )));
    }
    Ok(secret.to_owned())
}
