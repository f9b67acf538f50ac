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
use crate::gate::Here;
use crate::registration::{Installed, OwnPlugin, Scope};
use crate::{config, output};

pub(super) const ABOUT: &str =
    "the hook is registered for every event that this version of Claude Code has";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let ours: Vec<HookEntry<'_>> = setup.settings.iter().flat_map(SettingsFile::ours).collect();
    let brought = brought(setup);
    let Some(first) = ours.first() else {
        if !brought.is_empty() {
            return by_plugin_alone(setup, &brought);
        }
        let finding =
            Finding::problem("the hook is not registered, so Claude Code sends no events");
        return mended(vec![finding], setup.home, Scope::User);
    };
    let mut findings = programs(setup, &ours);
    findings.extend(impatient(setup, &ours));
    let mut findings = mended(findings, setup.home, first.file.scope);
    findings.extend(other_client(setup, &ours));
    findings.extend(missing_events(setup, &ours, &brought));
    findings.extend(narrowed(&ours));
    findings.extend(other_home(setup, &ours));
    findings.extend(passing(setup, &ours));
    findings.extend(passing_by_plugin(setup, &brought));
    let scopes = names(ours.iter().map(|entry| entry.file.scope.name()));
    let events = names(ours.iter().map(|entry| entry.event));
    let events = output::many(events.len(), "event");
    let more = match brought.len() {
        0 => String::new(),
        count => format!(", {} by the plugin", output::many(count, "event")),
    };
    or_good(
        findings,
        format!(
            "{events} registered in the {} settings{more}",
            list(&scopes)
        ),
    )
}

/// The events that come by our own plugin.
fn brought(setup: &Setup<'_>) -> Vec<String> {
    let plugin = setup.own_plugin.as_ref();
    plugin.map(OwnPlugin::events).unwrap_or_default()
}

fn by_plugin_alone(setup: &Setup<'_>, brought: &[String]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = missing_events(setup, &[], brought).into_iter().collect();
    findings.extend(passing_by_plugin(setup, brought));
    let events = output::many(brought.len(), "event");
    or_good(findings, format!("{events} registered by the plugin"))
}

/// The plugin's file is read by clients that cannot be told to block, so it does not say so.
fn passing_by_plugin(setup: &Setup<'_>, brought: &[String]) -> Option<Finding> {
    let client = setup.client();
    let mut wanted = handlers::registrations().into_iter();
    let guards = client.has(Feature::OnFailure)
        && wanted.any(|one| {
            let name = client.entry(one.kind).map(|entry| entry.name);
            one.guarded && brought.iter().any(|event| Some(event.as_str()) == name)
        });
    guards.then(|| {
        Finding::note(
            "the guard comes by the plugin: tool calls go on unchecked when its hook is killed or missing",
        )
        .advise("remove the plugin and run bellwether install, if they should be blocked then")
    })
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
        let words = ["install".to_owned(), format!("--{}", scope.name())];
        findings.push(last.fix(format!("run {step}"), move || run_ourselves(&home, &words)));
    }
    findings
}

/// Runs a command as a person would: what is printed is theirs, and what is refused to an agent stays so.
fn run_ourselves(home: &Home, words: &[String]) -> anyhow::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    if let Some(root) = home.root() {
        command.arg("--home").arg(root);
    }
    let output = command.args(words).stdin(Stdio::null()).output()?;
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
fn missing_events(
    setup: &Setup<'_>,
    ours: &[HookEntry<'_>],
    brought: &[String],
) -> Option<Finding> {
    let client = setup.client();
    let brought = brought.iter().map(String::as_str);
    let registered = names(ours.iter().map(|entry| entry.event).chain(brought));
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

/// A registration that the client gives up before somebody could answer from the page, or before checks have ended.
fn impatient(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Vec<Finding> {
    let answers = config::load(setup.home, None, &|_| None).config.page.answer;
    let gated = || Here::find(setup.home, None).is_ok_and(|here| here.is_on());
    let page = answers.then(|| too_short(setup, ours, Kind::PermissionRequest, "page.answer"));
    let gate = too_short(setup, ours, Kind::PreToolUse, "gate.enabled").filter(|_| gated());
    page.flatten().into_iter().chain(gate).collect()
}

/// An entry for which the client waits less long than a setting needs.
fn too_short(
    setup: &Setup<'_>,
    ours: &[HookEntry<'_>],
    kind: Kind,
    setting: &str,
) -> Option<Finding> {
    let wanted = handlers::registrations();
    let wanted = wanted.iter().find(|one| one.kind == kind)?;
    let given = ours
        .iter()
        .filter(|entry| setup.client().kind_of(entry.event) == kind)
        .filter_map(|entry| entry.timeout)
        .find(|given| *given < f64::from(wanted.timeout_s))?;
    let text = format!(
        "`{setting}` is on, and Claude Code waits {given} s for an answer where it should wait {} s",
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
    let mine = ours.iter().any(|entry| entry.file.scope != Scope::Managed);
    let scope = if mine { Scope::User } else { Scope::Managed };
    let step = scope.command("upgrade");
    let finding = Finding::note(text).advise(&step);
    if !mine {
        return Some(finding);
    }
    // Unlike an installation it keeps what was left out on purpose.
    let home = setup.home.clone();
    let words = ["upgrade".to_owned()];
    Some(finding.fix(format!("run {step}"), move || run_ourselves(&home, &words)))
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
