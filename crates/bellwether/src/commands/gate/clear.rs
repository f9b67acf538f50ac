//! `bellwether gate clear`: forgets which trees have passed.

use bellwether_spine::Home;
use clap::Args;
use serde_json::json;

use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// In every work tree, not only in this one.
    #[arg(long)]
    all: bool,
    /// Print JSON: {forgotten}.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let root = if arguments.all {
        None
    } else {
        Some(bellwether_gate::root_of(&std::env::current_dir()?)?)
    };
    let count = bellwether_gate::clear(home, root.as_deref());
    if arguments.json {
        return output::show_json(&json!({"forgotten": count}));
    }
    tell!("{} that had passed: forgotten", output::many(count, "tree"));
    Ok(())
}
