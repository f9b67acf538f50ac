//! `bellwether workflow status`: where each feature stands.

use std::io::Write as _;

use clap::Args;

use crate::output;
use crate::workflow::{Place, shown};

/// So many steps of the history are shown.
const STEPS: usize = 10;

#[derive(Args)]
pub(crate) struct Arguments {
    /// How many steps of the history are shown.
    #[arg(long, value_name = "COUNT", default_value_t = STEPS)]
    history: usize,
    /// Print JSON: {project, enabled, flow, features, tasks, team, history, …}.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    let view = place.desk.view(arguments.history)?;
    if arguments.json {
        return place.show_json(&view);
    }
    let text = shown::status(place, &view);
    Ok(write!(output::stdout(), "{text}")?)
}
