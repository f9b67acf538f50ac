//! `bellwether workflow undo`: takes back the last step.

use bellwether_workflow::{By, Moved};
use clap::Args;

use crate::person;
use crate::workflow::Place;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The feature; without one, that of the last step.
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
    person::refuse_agents(place.home, "taking back a step of the workflow")?;
    let named = arguments.feature.as_deref();
    let (feature, phase) = place.change(None, |engine, status| {
        let n = status.undo(
            engine.flow,
            named,
            By::Person,
            &arguments.reason,
            engine.now_ms,
        )?;
        let entry = status.history.iter().find(|entry| entry.n == n);
        Ok(entry
            .map(|entry| (entry.feature.clone(), entry.phase.clone()))
            .unwrap_or_default())
    })?;
    let said = format!("{feature}: back in {phase}");
    place.tell(&Moved::changed(&feature, &phase, By::Person), &said);
    place.show(&feature, &said, arguments.json)
}
