//! `bellwether workflow set`: puts a feature into a phase, or says its match rate.

use bellwether_workflow::By;
use clap::Args;

use crate::workflow::Place;
use crate::{exit, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The feature. One that is not there yet begins.
    #[arg(value_name = "FEATURE")]
    feature: String,
    /// The phase that it goes to.
    #[arg(value_name = "PHASE", required_unless_present = "rate")]
    phase: Option<String>,
    /// The match rate that was measured, in percent. An agent may say it too.
    #[arg(long, value_name = "PERCENT", conflicts_with = "phase")]
    rate: Option<f64>,
    /// Why, for the history.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    reason: String,
    /// Take a step that the workflow does not allow; needs a reason.
    #[arg(long, conflicts_with = "rate")]
    force: bool,
    /// Print JSON: the feature as it is then.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments {
        feature,
        reason,
        force,
        ..
    } = arguments;
    if let Some(rate) = arguments.rate {
        let by = if person::is_agent() {
            By::Agent
        } else {
            By::Person
        };
        let step = place.change(None, |engine, status| {
            Ok(engine.measure(status, feature, rate, by)?)
        })?;
        return place.settle_by(by, feature, &step, arguments.json);
    }
    let phase = arguments.phase.as_deref().unwrap_or_default();
    person::refuse_agents(place.home, "putting a feature into a phase")?;
    if *force && reason.trim().is_empty() {
        return Err(exit::usage("--force needs a reason: --reason TEXT"));
    }
    let mends = force.then_some(feature.as_str());
    let step = place.change(mends, |engine, status| {
        Ok(engine.set(status, feature, phase, By::Person, reason, *force)?)
    })?;
    place.settle(feature, &step, arguments.json)
}
