//! `bellwether gate guardian`: the process that clears away when a run was killed.

use bellwether_spine::Home;
use clap::Args;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The name of the run.
    #[arg(long)]
    run: String,
    /// The name of its repository.
    #[arg(long)]
    repository: String,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    Ok(bellwether_gate::guard(
        home,
        &arguments.run,
        &arguments.repository,
    )?)
}
