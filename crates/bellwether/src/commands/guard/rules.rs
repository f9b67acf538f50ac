//! `bellwether guard rules`: every rule, with what it says and what was made of it.

use std::io::Write as _;

use bellwether_hook::guard::catalog;
use bellwether_hook::guard::config::RuleChange;
use bellwether_hook::guard::{Config, Verdict};
use bellwether_spine::{Home, text};
use clap::Args;
use serde_json::json;

use crate::{config, managed, output};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON: an array of {id, about, severity, `by_loss`, strict, change}.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let project = std::env::current_dir().ok();
    let loaded = config::load(home, project.as_deref(), &|_| None);
    let config = managed::standing(loaded.config.guard);
    if arguments.json {
        return output::show_json(&as_json(&config));
    }
    for rule in catalog::all() {
        writeln!(out, "{:20} {}", rule.id, rule.about)?;
        writeln!(
            out,
            "{:20}   by loss {}; strict: {}",
            "",
            rule.by_loss,
            word(rule.strict)
        )?;
        if let Some(change) = config.rules.get(&rule.id) {
            writeln!(out, "{:20}   here: {}", "", changed(change))?;
        }
    }
    for (id, change) in config.rules.iter().filter(|(_, change)| change.is_own()) {
        writeln!(
            out,
            "{:20} {}",
            text::shown(id, 40),
            text::shown(&own(change), 200)
        )?;
        writeln!(out, "{:20}   here: {}", "", changed(change))?;
    }
    if !config.enabled {
        writeln!(out, "the guard is off: no rule applies")?;
    }
    Ok(())
}

fn as_json(config: &Config) -> serde_json::Value {
    let ours = catalog::all().into_iter().map(|rule| {
        json!({
            "id": rule.id, "about": rule.about, "severity": rule.severity, "by_loss": rule.by_loss,
            "strict": rule.strict, "change": config.rules.get(&rule.id),
        })
    });
    let theirs = config.rules.iter().filter(|(_, change)| change.is_own());
    let theirs =
        theirs.map(|(id, change)| json!({ "id": id, "about": own(change), "change": change }));
    ours.chain(theirs).collect()
}

fn own(change: &RuleChange) -> String {
    match &change.path {
        Some(path) => format!("changes of {path}"),
        None => change.command.join(" "),
    }
}

fn changed(change: &RuleChange) -> String {
    if !change.enabled {
        return "switched off".to_owned();
    }
    let verdict = change
        .verdict
        .or_else(|| change.is_own().then_some(Verdict::Deny));
    let verdict = verdict.map(|verdict| format!("says {}", word(verdict)));
    let reason = change
        .reason
        .as_ref()
        .map(|reason| format!("because {}", text::shown(reason, 100)));
    let said: Vec<String> = verdict.into_iter().chain(reason).collect();
    if said.is_empty() {
        "as it is".to_owned()
    } else {
        said.join(", ")
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Silent => "silent",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}
