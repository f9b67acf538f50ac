//! Other programs that announce or guard beside us: what comes of both, and how to have one.

use std::collections::BTreeMap;

use bellwether_announce::Mutes;
use bellwether_protocol::client::catalog::Entry;
use bellwether_spine::{clock, meta};
use bellwether_transcript::HookCost;

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::owners::{self, Owned, Owner};
use crate::doctor::peers::{Does, Peer};
use crate::settings::Runs;
use crate::{config, managed};

pub(super) const ABOUT: &str = "no other program announces, guards or formats the same things";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let all = owners::all(setup);
    let is_registered = all.iter().any(|owned| owned.runs != Runs::Other);
    // By name and by who registers it: what plays at five events is one finding.
    let mut found: BTreeMap<(Does, &str, String), (&Peer, Vec<&Owned<'_>>)> = BTreeMap::new();
    let others = all.iter().filter(|owned| owned.runs == Runs::Other);
    for owned in others.filter(|_| is_registered) {
        if let Some(peer) = owned.peer().filter(|peer| concerns(setup, peer, owned)) {
            let key = (peer.does, peer.name, owned.owner.shown());
            found.entry(key).or_insert((peer, Vec::new())).1.push(owned);
        }
    }
    let findings = found.values().map(|(peer, hooks)| match peer.does {
        Does::Sound => heard(setup, peer, hooks),
        Does::Message => messaged(peer, hooks),
        Does::Guard => guarded(setup, &all, peer, hooks),
        Does::Format => formatted(peer, hooks),
    });
    or_good(findings.collect(), "none that is known")
}

/// A guard is one only where it can decide, at the events of tools. So is a formatter, and only where ours is on as well.
fn concerns(setup: &Setup<'_>, peer: &Peer, owned: &Owned<'_>) -> bool {
    let client = setup.client();
    let entry = client.entry(client.kind_of(owned.event));
    let of_tool = || entry.is_some_and(Entry::is_of_tool);
    match peer.does {
        Does::Sound | Does::Message => true,
        Does::Guard => of_tool(),
        Does::Format => of_tool() && here(setup).config.format.enabled,
    }
}

fn here(setup: &Setup<'_>) -> config::Loaded {
    let project = std::env::current_dir().ok();
    config::load(setup.home, project.as_deref(), &meta::variable)
}

fn events(hooks: &[&Owned<'_>]) -> String {
    let mut events: Vec<&str> = Vec::new();
    for hook in hooks {
        if !events.contains(&hook.event) {
            events.push(hook.event);
        }
    }
    events.join(", ")
}

/// Who it is and where it is registered, and how it is removed.
fn named(peer: &Peer, hooks: &[&Owned<'_>]) -> (String, String) {
    let owner = hooks.first().map(|hook| hook.owner);
    let path = owner.map_or_else(String::new, |owner| owner.path().display().to_string());
    let who = format!("{} ({path})", peer.name);
    let step = match owner {
        Some(Owner::Plugin(plugin)) => format!("claude plugin disable {}", plugin.name),
        _ => peer.remove.to_owned(),
    };
    (who, step)
}

fn heard(setup: &Setup<'_>, peer: &Peer, hooks: &[&Owned<'_>]) -> Finding {
    let ((who, step), events) = (named(peer, hooks), events(hooks));
    let project = std::env::current_dir().ok();
    let muted = Mutes::load(setup.home).of(project.as_deref(), clock::wall_ms());
    if muted.is_some() {
        let text = format!("{who} is heard at {events}; bellwether is muted, so it alone");
        return Finding::note(text);
    }
    let text = format!("{who} is heard at {events} too: you will hear both");
    Finding::warning(text).advise(format!("{step}, or silence ours: bellwether mute"))
}

fn messaged(peer: &Peer, hooks: &[&Owned<'_>]) -> Finding {
    let ((who, step), events) = (named(peer, hooks), events(hooks));
    let text = format!("{who} tells you of {events} too, in its own way");
    Finding::note(text).advise(format!("{step}, if one of both is enough"))
}

fn guarded(setup: &Setup<'_>, all: &[Owned<'_>], peer: &Peer, hooks: &[&Owned<'_>]) -> Finding {
    let ((who, step), events) = (named(peer, hooks), events(hooks));
    if !managed::standing(here(setup).config.guard).enabled {
        let text = format!("{who} decides at {events}; our guard is off, so it alone");
        return Finding::note(text);
    }
    let takes = cost(setup, all, hooks).map_or_else(String::new, |cost| {
        let waits = "Claude Code waits for the slower one";
        format!(
            " It takes {} ms (median of {}), and {waits}.",
            cost.p50_ms, cost.runs
        )
    });
    let text =
        format!("{who} decides at {events} too: both are asked, and either can refuse.{takes}");
    let ours = "bellwether config set guard.enabled false";
    Finding::note(text).advise(format!("to have one: {step}, or {ours}"))
}

fn formatted(peer: &Peer, hooks: &[&Owned<'_>]) -> Finding {
    let ((who, step), events) = (named(peer, hooks), events(hooks));
    let text =
        format!("{who} runs at {events}, and so do our formatters: files are formatted twice");
    let ours = "bellwether config set format.enabled false";
    Finding::warning(text).advise(format!("to have one: {step}, or {ours}"))
}

/// What the peer's hooks took, as far as transcripts tell.
fn cost(setup: &Setup<'_>, all: &[Owned<'_>], hooks: &[&Owned<'_>]) -> Option<HookCost> {
    let is_theirs = |owned: &&Owned<'_>| hooks.iter().any(|hook| std::ptr::eq(*hook, *owned));
    let ran = owners::of_runs(&setup.runs, all).into_iter();
    let theirs = ran.filter(|ran| !ran.owned.is_empty() && ran.owned.iter().all(is_theirs));
    let times = theirs.flat_map(|ran| ran.runs).map(|run| run.duration_ms);
    HookCost::of("", times.collect())
}
