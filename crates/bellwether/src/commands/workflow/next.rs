//! `bellwether workflow next`: lets a feature go on.

use bellwether_workflow::By;
use clap::Args;

use crate::person;
use crate::workflow::Place;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The feature; not needed when only one waits for you.
    #[arg(value_name = "FEATURE")]
    feature: Option<String>,
    /// Why, for the history.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    reason: String,
    /// Print JSON: the feature as it is then.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    person::refuse_agents(place.home, "letting a feature go on")?;
    let feature = match &arguments.feature {
        Some(feature) => feature.clone(),
        None => place.only_waiting()?,
    };
    let step = place.change(None, |engine, status| {
        Ok(engine.next(status, &feature, By::Person, &arguments.reason)?)
    })?;
    place.settle(&feature, &step, arguments.json)
}
