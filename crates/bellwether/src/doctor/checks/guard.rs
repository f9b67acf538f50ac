//! Whether the guard is on, what may pass it, and whether its record holds.

use bellwether_hook::guard::Config;
use bellwether_hook::guard::allow::Grants;
use bellwether_hook::guard::config::WhenAsked;
use bellwether_spine::{clock, meta};

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::guard::log;
use crate::{config, exit, limited, managed, output};

pub(super) const ABOUT: &str = "the guard is on, its record is intact, and what is allowed";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let loaded = config::load(setup.home, project.as_deref(), &meta::variable);
    let config = &managed::standing(loaded.config.guard.clone());
    let mut findings = settings(config);
    if loaded
        .problems
        .iter()
        .any(|it| it.path.starts_with("guard"))
    {
        findings.push(
            Finding::problem(
                "an error in the section `guard`: the last valid values stay in effect, or the defaults",
            )
            .advise("bellwether config check"),
        );
    }
    let waiting = bellwether_config::unconfirmed(setup.home).into_iter();
    findings.extend(waiting.map(|what| {
        Finding::warning(format!(
            "in your file, not confirmed by you and so not in effect: {what}"
        ))
        .advise("bellwether config confirm, or take it out of the file again")
    }));
    findings.extend(allowed(setup, config));
    findings.extend(git());
    findings.extend(record(setup));
    or_good(findings, format!("on, judging by {}", mode(config)))
}

fn mode(config: &Config) -> &'static str {
    match config.mode {
        bellwether_hook::guard::Mode::Loss => "what would be lost",
        bellwether_hook::guard::Mode::Strict => "what is done",
    }
}

fn settings(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !config.enabled {
        findings.push(
            Finding::warning("the guard is OFF: no tool call is checked")
                .advise("take `guard.enabled: false` out of the configuration"),
        );
    }
    let off = config.rules.iter().filter(|(_, change)| !change.enabled);
    let off: Vec<&str> = off.map(|(id, _)| id.as_str()).collect();
    if !off.is_empty() {
        findings.push(Finding::note(format!("switched off: {}", off.join(", "))));
    }
    if config.answers.unattended == WhenAsked::Ask {
        findings.push(Finding::note(
            "the guard asks although nobody can answer: Claude Code then refuses without showing our reason",
        ));
    }
    findings
}

fn allowed(setup: &Setup<'_>, config: &Config) -> Option<Finding> {
    let now = clock::wall_ms();
    let for_a_while = Grants::load(setup.home).iter().count();
    let configured = config.allow.iter();
    let (over, lasting): (Vec<_>, Vec<_>) =
        configured.partition(|it| it.until.is_some_and(|until| until.0 <= now));
    if for_a_while + lasting.len() + over.len() == 0 {
        return None;
    }
    Some(
        Finding::note(format!(
            "allowed: {for_a_while} temporarily, {} in the configuration, {} expired",
            lasting.len(),
            over.len()
        ))
        .advise("bellwether guard allow --list"),
    )
}

/// By loss means by what git could bring back.
fn git() -> Option<Finding> {
    let program = std::path::Path::new("git");
    let trouble = limited::version_of(program, limited::PATIENCE).err()?;
    Some(
        Finding::warning(format!(
            "git {trouble}: the guard cannot find out what would be lost, so it asks"
        ))
        .advise("install git"),
    )
}

fn record(setup: &Setup<'_>) -> Vec<Finding> {
    let (found, trouble) = match log::verify(setup.home) {
        Ok(verified) => verified,
        Err(error) => return vec![Finding::problem(exit::told(&error))],
    };
    let mut findings = Vec::new();
    if !found.holds() {
        findings.push(
            Finding::problem("the record of what was stopped was changed or cut")
                .advise("bellwether guard log --verify"),
        );
    }
    if found.gaps > 0 {
        let gaps = output::many(usize::try_from(found.gaps).unwrap_or(usize::MAX), "gap");
        findings.push(Finding::note(format!("the record has {gaps}")));
    }
    findings.extend(trouble.map(|trouble| {
        Finding::warning(format!(
            "the record cannot be compared with the daemon's copy: {trouble}"
        ))
    }));
    findings
}
