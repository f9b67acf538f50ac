//! `bellwether flock`: every agent and what it does, live in the terminal or once.

use std::io::{IsTerminal as _, Write as _};

use bellwether_spine::Home;
use clap::Args;
use serde_json::json;

use crate::flock::{Source, screen, table};
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print the table once and end; the default when stdout is not a terminal.
    #[arg(long)]
    once: bool,
    /// Print JSON: the sessions, each with its agents as a tree.
    #[arg(long)]
    json: bool,
    /// Also show agents that have finished.
    #[arg(long, short)]
    all: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let mut source = Source::open(home)?;
    if arguments.json {
        let seen = source.look()?;
        let mut shown = json!({ "sessions": seen.sessions });
        if arguments.all {
            shown["gone"] = json!(seen.gone);
        }
        return output::show_json(&shown);
    }
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if terminal && !arguments.once {
        return screen(&mut source);
    }
    let seen = source.look()?;
    let shows_gone = arguments.all && !seen.gone.is_empty();
    if seen.sessions.is_empty() && !shows_gone {
        note!("no agents; they appear when Claude Code runs");
        return Ok(());
    }
    Ok(write!(output::stdout(), "{}", table(&seen, arguments.all))?)
}
