//! `bellwether workflow import`: takes over features from another status file.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use bellwether_spine::{clock, file};
use bellwether_workflow::{By, Moved, import};
use clap::Args;
use serde_json::json;

use crate::workflow::Place;
use crate::{output, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The file, for instance `docs/.pdca-status.json`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON: `{features, left_out}`.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    person::refuse_agents(place.home, "importing features")?;
    let content = file::read(&arguments.file)?;
    let content = content.with_context(|| format!("there is no {}", arguments.file.display()))?;
    let text = content.text;
    let imported = place.change(None, |engine, status| {
        import(status, engine.flow, &text, engine.now_ms, &clock::parse_utc)
    })?;
    for feature in &imported.features {
        let changed = Moved::changed(feature, &place.phase_of(feature), By::Import);
        place.tell(&changed, &format!("{feature}: imported"));
    }
    if arguments.json {
        let left_out = imported
            .left_out
            .iter()
            .map(|(name, why)| json!({"feature": name, "why": why}));
        let left_out: Vec<_> = left_out.collect();
        return output::show_json(&json!({"features": imported.features, "left_out": left_out}));
    }
    for (name, why) in &imported.left_out {
        tell!("left out {name:?}: {why}");
    }
    ensure!(!imported.features.is_empty(), "nothing was imported");
    tell!("imported {}", imported.features.join(", "));
    Ok(())
}
