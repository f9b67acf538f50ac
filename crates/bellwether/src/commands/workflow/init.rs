//! `bellwether workflow init`: turns the workflow on in a project.

use std::path::Path;

use anyhow::Context as _;
use bellwether_hook::workflow::{self, SECTION};
use bellwether_spine::{Home, meta};
use bellwether_workflow::{By, Moved, StatusFile};
use serde_json::Value;

use crate::commands::config::{switch_on, trust};
use crate::config::{self, Loaded};
use crate::person;

const WHAT: &str = "turning a workflow on";

pub(super) fn run(home: &Home, project: Option<&Path>) -> anyhow::Result<()> {
    person::require(home, WHAT)?;
    let project = match project {
        Some(project) => std::path::absolute(project)?,
        None => std::env::current_dir().context("there is no current folder")?,
    };
    let load = || config::load(home, Some(&project), &meta::variable);
    let loaded = load();
    let flow = loaded.config.workflow.flow()?;
    let file = StatusFile::of(&project);
    if file.create(&flow)? {
        tell!(
            "{} is made, for the workflow {}",
            file.path().display(),
            flow.name()
        );
    } else {
        tell!("{} is there already", file.path().display());
    }
    if !is_switched_on(&loaded) {
        let key = format!("{SECTION}.enabled");
        switch_on(home, &key, Value::Bool(true))?;
        tell!("{key} is true in {}", home.config_file().display());
    }
    let loaded = load();
    if !loaded.trust.trusted {
        trust::run(home, &loaded)?;
    }
    if load().config.workflow.enabled {
        // The page shows the projects of which it was told.
        let begun = Moved::changed("", &flow.first().name, By::Person);
        workflow::tell(home, &project, &begun, "the workflow is on")?;
        tell!(
            "the workflow is on; a task \"[{}] NAME\" begins a feature",
            flow.first().tag
        );
    } else {
        tell!("the workflow is off until you trust the project: `bellwether config trust`");
    }
    Ok(())
}

/// Whether a file says so, even one that does not count before the project is trusted.
fn is_switched_on(loaded: &Loaded) -> bool {
    let waits = |key: &str| {
        let mut ignored = loaded.ignored.iter();
        ignored.any(|ignored| ignored.path == key)
    };
    loaded.config.workflow.enabled || waits(SECTION) || waits(&format!("{SECTION}.enabled"))
}
