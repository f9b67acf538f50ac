//! `bellwether workflow board`: the features by phase, live in the terminal or once.

use std::io::{IsTerminal as _, Write as _};

use clap::Args;

use crate::output;
use crate::workflow::{Place, board};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print the board once and end; the default when stdout is not a terminal.
    #[arg(long)]
    once: bool,
    /// Print JSON: what `status --json` prints.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.json {
        return place.show_json(&place.desk.view(board::STEPS)?);
    }
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if terminal && !arguments.once {
        return board::live(place);
    }
    let text = board::plain(&place.desk.view(board::STEPS)?);
    Ok(write!(output::stdout(), "{text}")?)
}
