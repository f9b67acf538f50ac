//! Whether Claude Code starts our hook, and for all that we want to hear.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::ensure;
use bellwether_hook::handlers;
use bellwether_protocol::client::Version;
use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::event::Kind;
use bellwether_spine::Home;

use super::{Finding, Setup};
use crate::doctor::file;
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::{HookEntry, SettingsFile};
use crate::registration::{Installed, Scope};
use crate::{config, output};

pub(super) const ABOUT: &str =
    "the hook is registered for every event that this version of Claude Code has";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let ours: Vec<HookEntry<'_>> = setup.settings.iter().flat_map(SettingsFile::ours).collect();
    let Some(first) = ours.first() else {
        let finding =
            Finding::problem("the hook is not registered, so Claude Code sends no events");
        return mended(vec![finding], setup.home, Scope::User);
    };
    let mut findings = programs(setup, &ours);
    findings.extend(other_client(setup, &ours));
    findings.extend(impatient(setup, &ours));
    let mut findings = mended(findings, setup.home, first.file.scope);
    findings.extend(missing_events(setup, &ours));
    findings.extend(narrowed(&ours));
    findings.extend(other_home(setup, &ours));
    findings.extend(passing(setup, &ours));
    let scopes = names(ours.iter().map(|entry| entry.file.scope.name()));
    let events = names(ours.iter().map(|entry| entry.event));
    let events = output::many(events.len(), "event");
    or_good(
        findings,
        format!("{events} registered in the {} settings", list(&scopes)),
    )
}

/// What an installation puts right, once for all findings.
fn mended(findings: Vec<Finding>, home: &Home, scope: Scope) -> Vec<Finding> {
    let step = scope.command("install");
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .map(|finding| finding.advise(&step))
        .collect();
    if scope == Scope::Managed {
        return findings;
    }
    if let Some(last) = findings.pop() {
        let home = home.clone();
        findings.push(last.fix(format!("run {step}"), move || install(&home, scope)));
    }
    findings
}

/// Installs as a person would: what is printed is theirs, and what is refused to an agent stays so.
fn install(home: &Home, scope: Scope) -> anyhow::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    if let Some(root) = home.root() {
        command.arg("--home").arg(root);
    }
    let output = command
        .args(["install", &format!("--{}", scope.name())])
        .stdin(Stdio::null())
        .output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{complaint}");
    Ok(())
}

fn names<'a>(events: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    events.collect()
}

fn list(events: &BTreeSet<&str>) -> String {
    events.iter().copied().collect::<Vec<_>>().join(", ")
}

/// Programs that are registered and cannot be started, or are not the one beside this program.
fn programs(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Vec<Finding> {
    let started = ours
        .iter()
        .filter_map(|entry| entry.command.as_ref()?.program());
    let beside = setup.programs.canonicalize().ok();
    let judged = names(started).into_iter().filter_map(|program| {
        let path = if program.contains('/') {
            Path::new(program).to_owned()
        } else {
            file::on_path(program).unwrap_or_default()
        };
        if let Err(why) = file::runnable(&path) {
            let text = format!("the registered hook {program} {why}: every event shows an error");
            return Some(Finding::problem(text));
        }
        let real = path.canonicalize().ok()?;
        (real.parent() != beside.as_deref()).then(|| {
            let text = format!("the registered hook {program} is not the one beside this program");
            Finding::note(text)
        })
    });
    judged.collect()
}

/// Events that we want, that this version has, and that it does not tell us. Where some are registered
/// the others may have been left out on purpose, so this is not mended.
fn missing_events(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Option<Finding> {
    let client = setup.client();
    let registered = names(ours.iter().map(|entry| entry.event));
    let wanted = handlers::registrations().into_iter();
    let missing: BTreeSet<&str> = wanted
        .filter_map(|wanted| Some(client.entry(wanted.kind)?.name))
        .filter(|event| !registered.contains(event))
        .collect();
    (!missing.is_empty()).then(|| {
        let (count, events) = (output::many(missing.len(), "event"), list(&missing));
        let text = format!("{count} not registered, so not seen: {events}");
        Finding::warning(text).advise("bellwether install, if they were not left out on purpose")
    })
}

/// Events of which only some occasions are told.
fn narrowed(ours: &[HookEntry<'_>]) -> Option<Finding> {
    let all = names(
        ours.iter()
            .filter(|entry| entry.matcher.is_none())
            .map(|entry| entry.event),
    );
    let some = ours.iter().filter(|entry| entry.matcher.is_some());
    let narrowed: BTreeSet<&str> = some
        .map(|entry| entry.event)
        .filter(|event| !all.contains(event))
        .collect();
    (!narrowed.is_empty()).then(|| {
        let text = format!("a matcher limits {} to some cases", list(&narrowed));
        Finding::note(text)
    })
}

/// A registration that the client gives up before somebody could answer from the page.
fn impatient(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Option<Finding> {
    let answers = config::load(setup.home, None, &|_| None).config.page.answer;
    let wanted = handlers::registrations();
    let wanted = wanted
        .iter()
        .find(|one| answers && one.kind == Kind::PermissionRequest)?;
    let given = ours
        .iter()
        .filter(|entry| setup.client().kind_of(entry.event) == Kind::PermissionRequest)
        .filter_map(|entry| entry.timeout)
        .find(|given| *given < f64::from(wanted.timeout_s))?;
    let text = format!(
        "`page.answer` is on, and Claude Code waits {given} s for an answer where it should wait {} s",
        wanted.timeout_s
    );
    Some(Finding::warning(text))
}

/// A guard whose death lets a tool call pass, where this client could block it. Somebody may have chosen that.
fn passing(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Option<Finding> {
    let client = setup.client();
    client.has(Feature::OnFailure).then_some(())?;
    let guarded = |event: &str| {
        let mut wanted = handlers::registrations().into_iter();
        wanted.any(|one| one.guarded && one.kind == client.kind_of(event))
    };
    let passes = ours
        .iter()
        .any(|entry| guarded(entry.event) && !entry.blocks);
    passes.then(|| {
        Finding::note("tool calls go on unchecked when the guard's hook is killed or missing")
            .advise("bellwether install, if that was not chosen by --on-failure allow")
    })
}

/// Registrations that were written for another version of the client.
fn other_client(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Option<Finding> {
    let Ok(Installed::Found(_, installed)) = &setup.installed else {
        return None;
    };
    let written = ours
        .iter()
        .filter_map(|entry| entry.command.as_ref()?.value_of("--client"));
    let other = written
        .filter_map(Version::parse)
        .find(|version| version != installed)?;
    let text = format!("registered for Claude Code {other}, installed is {installed}");
    Some(Finding::note(text))
}

/// Registrations whose events go to another place than the one that is looked at.
fn other_home(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Option<Finding> {
    let homes = ours.iter().filter_map(|entry| {
        let root = entry.command.as_ref()?.value_of("--home");
        Some(root.map(Path::new))
    });
    let other = homes.into_iter().find(|root| *root != setup.home.root())?;
    let theirs = other.map_or_else(
        || "the usual folders".into(),
        |root| root.display().to_string(),
    );
    let text = format!(
        "the registered hook keeps its events in {theirs}, but this command looks in {}",
        setup.home.state().display()
    );
    Some(Finding::warning(text).advise("give this command the same --home, or none"))
}
