//! `bellwether gate explain`: whether commits are checked here, by what, and why.

use std::path::{Path, PathBuf};

use bellwether_gate::Explained;
use bellwether_spine::Home;
use clap::Args;
use serde::Serialize;

use crate::gate::Here;
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder whose configuration counts; else the nearest one that has some or is trusted.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Print JSON: whether it is on or why not, the project, where the checks would run, the checks.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    on: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_off: Option<String>,
    trusted: bool,
    project: &'a Path,
    timeout: u32,
    on_timeout: bellwether_hook::gate::OnTimeout,
    #[serde(flatten)]
    found: Explained,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let project = arguments
        .project
        .as_ref()
        .map(std::path::absolute)
        .transpose()?;
    let here = Here::find(home, project.as_deref())?;
    let gate = &here.loaded.config.gate;
    let shown = Shown {
        on: here.is_on(),
        why_off: here.why_off(),
        trusted: here.is_trusted(),
        project: &here.project,
        timeout: gate.timeout,
        on_timeout: gate.on_timeout,
        found: bellwether_gate::explain(gate, &here.root, Some(&here.project))?,
    };
    if arguments.json {
        return output::show_json(&shown);
    }
    shown.tell();
    Ok(())
}

impl Shown<'_> {
    fn tell(&self) {
        match &self.why_off {
            None => tell!(
                "on: commits in {} are checked, for at most {} s",
                self.found.root.display(),
                self.timeout
            ),
            Some(why) => tell!("off: {why}"),
        }
        match &self.found.apart {
            None => tell!("where: in the work tree, which is what would be committed"),
            Some(why) => tell!("where: in a tree of its own, because {why}"),
        }
        if self.found.steps.is_empty() {
            tell!("checks: none apply. Looked for:");
            for (name, about) in bellwether_gate::known_kinds() {
                tell!("    {name:10} {about}");
            }
        } else {
            tell!("checks:");
        }
        for step in &self.found.steps {
            tell!("    {:24} {}", step.name, step.command);
            tell!("    {:24}   {}", "", step.how);
            if let Some(missing) = &step.missing {
                tell!("    {:24}   cannot run: {missing}", "");
            }
        }
        for note in &self.found.notes {
            tell!("note: {note}");
        }
    }
}
