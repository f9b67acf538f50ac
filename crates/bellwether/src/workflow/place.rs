//! A project with a workflow, and what a command does to it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use bellwether_hook::workflow::{self, Desk};
use bellwether_spine::{Home, meta, text};
use bellwether_workflow::{
    By, Engine, Moved, Outcome, Status, StatusFile, View, WorkflowError, short,
};
use serde_json::{Value, json};

use crate::{config, exit, output};

/// A person waits longer than a hook.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// A project with a workflow.
pub(crate) struct Place<'a> {
    pub(crate) home: &'a Home,
    pub(crate) desk: Desk,
    /// Whether hooks follow it.
    pub(crate) enabled: bool,
    /// Whether the person trusts the project.
    pub(crate) trusted: bool,
}

impl<'a> Place<'a> {
    /// The project that is named, or the one that the current folder is in.
    pub(crate) fn find(home: &'a Home, named: Option<&Path>) -> anyhow::Result<Self> {
        let project = match named {
            Some(named) => std::path::absolute(named)?,
            None => above(&std::env::current_dir().context("there is no current folder")?),
        };
        if !StatusFile::of(&project).exists() {
            bail!(
                "{} has no workflow; `bellwether workflow init` turns one on",
                project.display()
            );
        }
        let loaded = config::load(home, Some(&project), &meta::variable);
        let config = loaded.config.workflow;
        Ok(Self {
            home,
            enabled: config.enabled,
            trusted: loaded.trust.trusted,
            desk: Desk::new(project, config)?,
        })
    }

    /// Changes the status. `mends` names a feature whose change by hand is meant.
    pub(crate) fn change<T>(
        &self,
        mends: Option<&str>,
        act: impl Fn(&Engine<'_>, &mut Status) -> Result<T, WorkflowError>,
    ) -> anyhow::Result<T> {
        Ok(self.desk.change(PATIENCE, mends, act)?)
    }

    /// Tells what has come of a step of the person's.
    pub(crate) fn settle(
        &self,
        feature: &str,
        outcome: &Outcome,
        json: bool,
    ) -> anyhow::Result<()> {
        self.settle_by(By::Person, feature, outcome, json)
    }

    pub(crate) fn settle_by(
        &self,
        by: By,
        feature: &str,
        outcome: &Outcome,
        json: bool,
    ) -> anyhow::Result<()> {
        let changed = || Moved::changed(feature, &self.phase_of(feature), by);
        let moved = Moved::of(outcome, by).unwrap_or_else(changed);
        let said = short(outcome).unwrap_or_else(|| format!("{feature}: noted"));
        self.tell(&moved, &said);
        self.show(feature, &said, json)
    }

    /// Puts it into the journal, for the page and the announcer.
    pub(crate) fn tell(&self, moved: &Moved, said: &str) {
        if let Err(error) = workflow::tell(self.home, &self.desk.project, moved, said) {
            note!("bellwether: the page was not told: {error}");
        }
    }

    /// Shows a feature as it is now.
    pub(crate) fn show(&self, feature: &str, said: &str, json: bool) -> anyhow::Result<()> {
        if !json {
            tell!("{}", text::shown(said, 400));
            return Ok(());
        }
        let view = self.desk.view(0)?;
        let found = view
            .features
            .into_iter()
            .find(|found| found.name == feature);
        output::show_json(&found)
    }

    pub(crate) fn show_json(&self, view: &View) -> anyhow::Result<()> {
        let mut shown = serde_json::to_value(view)?;
        if let Value::Object(fields) = &mut shown {
            fields.insert("project".into(), json!(self.desk.project));
            fields.insert("enabled".into(), json!(self.enabled));
        }
        output::show_json(&text::shown_json(&shown))
    }

    pub(crate) fn phase_of(&self, feature: &str) -> String {
        let opened = self.desk.read().ok();
        let found = opened.and_then(|mut opened| opened.status.features.remove(feature));
        found.map(|found| found.phase).unwrap_or_default()
    }

    /// The one feature that waits for the person.
    pub(crate) fn only_waiting(&self) -> anyhow::Result<String> {
        let view = self.desk.view(0)?;
        let waits = |feature: &&bellwether_workflow::FeatureView| {
            let waits = feature.waits.as_ref();
            waits.is_some_and(|waits| waits.is_person)
        };
        let waiting: Vec<&str> = view
            .features
            .iter()
            .filter(waits)
            .map(|it| it.name.as_str())
            .collect();
        match waiting.as_slice() {
            [one] => Ok((*one).to_owned()),
            [] => Err(exit::usage(
                "no feature waits for you; name the one that shall go on",
            )),
            several => Err(exit::usage(format!(
                "several features wait for you; name one of {}",
                several.join(", ")
            ))),
        }
    }
}

/// The folder with a status file, here or above; here where there is none.
fn above(here: &Path) -> PathBuf {
    let mut folders = here.ancestors();
    let found = folders.find(|folder| StatusFile::of(folder).exists());
    found.unwrap_or(here).to_owned()
}
