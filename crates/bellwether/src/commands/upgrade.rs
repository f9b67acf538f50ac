//! `bellwether upgrade`: what is registered, brought up to date for the client at hand. What was chosen stays chosen.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_daemon::Difference;
use bellwether_protocol::client::{Client, Version};
use bellwether_spine::Home;
use bellwether_spine::notice::Notices;
use clap::Args;
use serde::Serialize;

use super::install::{self, Installing};
use crate::exit::{self, AlreadyTold};
use crate::managed::require_root;
use crate::registration::{Choices, OwnPlugin, Scope, Target, Wanted, Way, at_hand, program};
use crate::settings::check::{Cost, rejections};
use crate::settings::{Change, Document, HOOK, Refusal, file};
use crate::{agreed, output};

/// So many events are named; more are counted.
const NAMED: usize = 6;

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether upgrade --dry-run            only show what would change
  bellwether upgrade                      your settings, and those of this project
  sudo bellwether upgrade --managed       the settings of every user of this machine

Events that were left out by `install --only` stay out, and are named; `bellwether install` adds
them. --home, --wait and --on-failure stay as they were chosen. Files that are up to date
are not touched.")]
pub(crate) struct Arguments {
    /// Only the settings of every user of this machine: needs sudo.
    #[arg(long)]
    managed: bool,
    /// Register for this version of Claude Code instead of asking `claude --version`.
    #[arg(long, value_name = "VERSION", value_parser = install::version)]
    client_version: Option<Version>,
    /// Show what would change, as a diff, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON: each file with what was added, updated, removed and left out.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct UpgradeReport {
    dry_run: bool,
    files: Vec<Upgraded>,
}

/// What became of one file.
#[derive(Serialize)]
struct Upgraded {
    path: PathBuf,
    scope: &'static str,
    /// The version that it was written for.
    was: Option<String>,
    client: Option<String>,
    added: Vec<String>,
    updated: Vec<String>,
    removed: Vec<String>,
    /// Events that this client has and that were left out on purpose.
    left_out: Vec<&'static str>,
    changed: bool,
    /// The command that would do it, where this process may not.
    needs: Option<String>,
    trouble: Option<String>,
    #[serde(skip)]
    diff: String,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.managed && !arguments.dry_run {
        require_root("upgrade --managed")?;
    }
    let targets = targets(arguments.managed);
    let files: Vec<Upgraded> = targets
        .iter()
        .map(|target| arguments.bring(home, target))
        .collect();
    let failed = files.iter().any(|file| file.trouble.is_some());
    let report = UpgradeReport {
        dry_run: arguments.dry_run,
        files,
    };
    if arguments.json {
        output::show_json(&report)?;
    } else {
        report.tell();
    }
    if failed {
        return Err(AlreadyTold.into());
    }
    Ok(())
}

/// The settings files of the current folder that our hook is registered in, each once.
fn targets(managed: bool) -> Vec<Target> {
    let mut seen = Vec::new();
    let scopes = Scope::ALL
        .into_iter()
        .filter(|scope| !managed || *scope == Scope::Managed);
    let found = scopes.filter_map(|scope| {
        let path = scope.settings().ok()?;
        let real = path.canonicalize().ok()?;
        let is_new = !seen.contains(&real) && holds_ours(&real);
        seen.push(real);
        is_new.then_some(Target { scope, path })
    });
    found.collect()
}

/// Whether our hook is registered in a file, or may be in one that cannot be read.
fn holds_ours(path: &Path) -> bool {
    let Ok(Some(content)) = file::read(path) else {
        return false;
    };
    let named = content.text.contains(HOOK);
    Document::parse(content.text).map_or(named, |document| !document.ours().is_empty())
}

impl Arguments {
    /// Upgrades one file. What goes wrong is told, and the others are upgraded all the same.
    fn bring(&self, home: &Home, target: &Target) -> Upgraded {
        self.try_to_bring(home, target)
            .unwrap_or_else(|error| Upgraded {
                trouble: Some(exit::told(&error)),
                ..Upgraded::untouched(target)
            })
    }

    fn try_to_bring(&self, home: &Home, target: &Target) -> anyhow::Result<Upgraded> {
        let client = install::find_client(target.scope, self.client_version)?;
        let may = target.scope != Scope::Managed || rustix::process::geteuid().is_root();
        let (mut choices, mut before) = (Vec::new(), String::new());
        let mut plan = |text: Option<&str>| {
            text.unwrap_or_default().clone_into(&mut before);
            planned(target, client, text, &mut choices)
        };
        let change = if self.dry_run || !may {
            let text = file::read(&target.path)?.map(|content| content.text);
            plan(text.as_deref())?.1
        } else {
            install::write(home, target, &mut plan)?
        };
        let changed = before != change.text;
        if changed && may && !self.dry_run && target.scope != Scope::Managed {
            remember(home, target, &choices)?;
        }
        let first = choices.first();
        let was = first.and_then(|choices| choices.written_for);
        let left_out = first.map(|choices| choices.left_out(client));
        Ok(Upgraded {
            was: was.map(|version| version.to_string()),
            client: Some(client.version.to_string()),
            left_out: left_out.unwrap_or_default(),
            changed,
            needs: (changed && !may).then(|| target.scope.command("upgrade")),
            diff: output::diff(&target.path, &before, &change.text),
            added: change.added,
            updated: change.updated,
            removed: change.removed,
            ..Upgraded::untouched(target)
        })
    }
}

/// What an upgrade makes of the text of a file, and the choices in it that it keeps.
fn planned(
    target: &Target,
    client: Client,
    text: Option<&str>,
    choices: &mut Vec<Choices>,
) -> anyhow::Result<(Document, Change)> {
    let document = Document::parse(text.unwrap_or_default())
        .map_err(Refusal::from)
        .with_context(|| format!("{} is left as it is", target.path.display()))?;
    let plugin = OwnPlugin::beside(target.scope, client);
    let brought = plugin.as_ref().map(OwnPlugin::events).unwrap_or_default();
    *choices = Choices::of(&document, &brought);
    let unchanged = Change {
        text: document.text().to_owned(),
        ..Change::default()
    };
    let change = choices.iter().try_fold(unchanged, |change, chosen| {
        let (_, next) =
            installing(target, client, chosen, plugin.as_ref())?.plan(Some(&change.text))?;
        anyhow::Ok(change.then(next))
    })?;
    Ok((document, change))
}

/// The same registration once more, for this client.
fn installing(
    target: &Target,
    client: Client,
    chosen: &Choices,
    plugin: Option<&OwnPlugin>,
) -> anyhow::Result<Installing> {
    let program = program(target.scope, chosen.way)?;
    let wanted = Wanted {
        program: program
            .to_str()
            .with_context(|| format!("{} is not UTF-8", program.display()))?,
        way: chosen.way,
        client,
        scope: target.scope,
        home: &Home::find(chosen.home.clone())?,
        only: &chosen.only,
        on_failure: chosen.on_failure,
    };
    Ok(Installing {
        wanted: match chosen.way {
            Way::AtOnce => install::the_rest(wanted.entries()?, plugin),
            Way::Waiting => wanted.entries()?,
        },
        target: target.clone(),
        client,
        managed_hooks_only: false,
    })
}

/// Tells the daemon that hears those hooks that a person has changed them.
fn remember(home: &Home, target: &Target, choices: &[Choices]) -> anyhow::Result<()> {
    let mut heard = choices.iter().filter(|chosen| chosen.way == Way::AtOnce);
    let theirs = match heard.next() {
        Some(chosen) => Home::find(chosen.home.clone())?,
        None => home.clone(),
    };
    // What was noticed there is over. It is only shown too long where this fails.
    let _ = Notices(&theirs).settle();
    agreed::registered(&theirs, &target.path)
}

/// What an upgrade would change in the files of the current folder, in a line each, for the client whose files tell its
/// version. Nothing is run. `None` when no client tells it.
pub(super) fn pending() -> Option<Vec<String>> {
    let client = at_hand()?;
    let lines = targets(false).into_iter().filter_map(|target| {
        let text = file::read(&target.path).ok().flatten()?.text;
        pending_in(&target, &text, client)
    });
    Some(lines.collect())
}

fn pending_in(target: &Target, text: &str, client: Client) -> Option<String> {
    let path = target.path.display();
    let command = match target.scope {
        Scope::Managed => target.scope.command("upgrade"),
        _ => Scope::User.command("upgrade"),
    };
    let mut choices = Vec::new();
    let planned = planned(target, client, Some(text), &mut choices);
    let mut found = rejections(&Document::parse(text).ok()?, client).into_iter();
    if let Some(fatal) = found.find(|rejection| rejection.costs == Cost::File) {
        let advice = if planned.is_ok() {
            &command
        } else {
            "bellwether doctor"
        };
        let why = fatal.what;
        return Some(format!(
            "{client} ignores all of {path}, so no hook in it runs ({why}): {advice}"
        ));
    }
    let change = planned.ok()?.1;
    let was = choices.first()?.written_for?;
    let features = Difference::between(Client::new(client.product, was), client).features;
    let features = features.into_iter().map(str::to_owned);
    let parts = [
        ("adds", change.added.into_iter().chain(features).collect()),
        ("removes", change.removed),
    ];
    let parts = parts.into_iter().filter(|(_, what)| !what.is_empty());
    let parts: Vec<String> = parts
        .map(|(does, what)| format!("{does} {}", what.join(", ")))
        .collect();
    (!parts.is_empty()).then(|| {
        format!(
            "{path} is for Claude Code {was}, and {client} is here: `{command}` {}",
            parts.join(", ")
        )
    })
}

impl Upgraded {
    fn untouched(target: &Target) -> Self {
        Self {
            path: target.path.clone(),
            scope: target.scope.name(),
            was: None,
            client: None,
            added: Vec::new(),
            updated: Vec::new(),
            removed: Vec::new(),
            left_out: Vec::new(),
            changed: false,
            needs: None,
            trouble: None,
            diff: String::new(),
        }
    }

    fn tell(&self, dry_run: bool) {
        if let Some(trouble) = &self.trouble {
            note!("bellwether: {trouble}");
            return;
        }
        if dry_run {
            output::show_text(&self.diff);
        }
        tell!("{}", self.summary(dry_run));
        let done = [
            ("added", &self.added),
            ("updated", &self.updated),
            ("removed", &self.removed),
        ];
        for (done, events) in done.into_iter().filter(|(_, events)| !events.is_empty()) {
            tell!("  {done}: {}", named(events));
        }
        if !self.left_out.is_empty() {
            let events = self.left_out.join(", ");
            tell!("  left out on purpose, as before: {events}");
        }
    }

    fn summary(&self, dry_run: bool) -> String {
        let (path, client) = (self.path.display(), self.client.as_deref().unwrap_or("?"));
        let was = self.was.as_deref().unwrap_or("an unknown version");
        match (&self.needs, self.changed) {
            (Some(command), _) => {
                format!("{path} is for {was} and needs root to change: {command}")
            }
            (None, false) => format!("{path} is up to date for Claude Code {client}"),
            (None, true) if dry_run => {
                format!("{path} would be changed from {was} to Claude Code {client}")
            }
            (None, true) => format!("{path} was for {was} and is now for Claude Code {client}"),
        }
    }
}

impl UpgradeReport {
    fn tell(&self) {
        if self.files.is_empty() {
            tell!(
                "the hook is not registered in your settings or in this project's: bellwether install"
            );
        }
        for file in &self.files {
            file.tell(self.dry_run);
        }
        let changed = |file: &Upgraded| file.changed && file.needs.is_none();
        if !self.dry_run && self.files.iter().any(changed) {
            tell!("New sessions of Claude Code use it at once; restart those that are open.");
        }
    }
}

/// The names of events, or how many there are.
fn named(events: &[String]) -> String {
    if events.len() <= NAMED {
        events.join(", ")
    } else {
        output::many(events.len(), "event")
    }
}
