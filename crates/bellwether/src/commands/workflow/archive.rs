//! `bellwether workflow archive`: moves a feature out of the status file, with its history.

use bellwether_workflow::{By, Moved};
use clap::Args;
use serde_json::json;

use crate::workflow::{PATIENCE, Place};
use crate::{output, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The feature.
    #[arg(value_name = "FEATURE")]
    feature: String,
    /// Also if it is not finished.
    #[arg(long)]
    force: bool,
    /// Print JSON: {feature, file}.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    person::refuse_agents(place.home, "archiving a feature")?;
    let Arguments { feature, force, .. } = arguments;
    let desk = &place.desk;
    let (file, phase) = desk.file.archive(&desk.flow, PATIENCE, feature, *force)?;
    let said = format!("{feature}: archived");
    place.tell(&Moved::changed(feature, &phase, By::Person), &said);
    if arguments.json {
        return output::show_json(&json!({"feature": feature, "file": file}));
    }
    tell!(
        "{said} in {}; `bellwether workflow import` brings it back",
        file.display()
    );
    Ok(())
}
