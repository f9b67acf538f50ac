//! `bellwether install`: our hook into the client's settings, and nothing else in them touched.

use std::path::Path;

use anyhow::Context as _;
use bellwether_protocol::client::{Client, Version};
use bellwether_protocol::event::Kind;
use bellwether_spine::notice::Notices;
use bellwether_spine::{Home, Managed};
use clap::Args;

use crate::managed::{self, Installation, require_root};
use crate::registration::{
    Installed, OnFailure, OwnPlugin, Scope, Target, TargetArguments, Wanted, Way, newest, program,
};
use crate::settings::{self, Change, Document, Entry, Runs, file, flag};
use crate::{agreed, output, person, selection};

/// What a file that is missing, or empty, is taken for.
const NO_SETTINGS: &str = "{}\n";

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether install                      for all your sessions
  bellwether install --dry-run            only show what would change
  bellwether install --local              only in this project, only for you
  bellwether install --only Stop,SessionStart
  bellwether install --home ~/trial       with all files of bellwether in ~/trial
  sudo bellwether install --managed       for every user of this machine: see docs/guard.md

Run it again after an update of Claude Code: entries are brought up to date where they stand, and a
file that is already right is not written. The file as it was before is kept beside it.

Where bellwether's plugin is on, only the events that it does not bring are registered.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: TargetArguments,
    /// Register only these events, for instance `PreToolUse,Stop`.
    #[arg(long, value_name = "EVENT", value_delimiter = ',', value_parser = selection::event)]
    only: Vec<Kind>,
    /// Register only a hook that speaks the agent's last message at the end of each turn, and ends when it
    /// has been heard. Other entries of bellwether stay as they are.
    #[arg(long, conflicts_with_all = ["only", "managed"])]
    wait: bool,
    /// What Claude Code does with a tool call when the guard's hook dies or is missing, where its version has that choice:
    /// from 2.1.295 on.
    #[arg(long, value_name = "WHAT", value_enum, default_value = "block")]
    on_failure: OnFailure,
    /// With --managed: let Claude Code start no hooks but those of the managed settings.
    #[arg(long, requires = "managed")]
    managed_hooks_only: bool,
    /// Register for this version of Claude Code instead of asking `claude --version`.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    client_version: Option<Version>,
    /// Show what would change, as a diff, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).ok_or_else(|| format!("give it as in {}", newest().version))
}

impl Arguments {
    fn way(&self) -> Way {
        if self.wait { Way::Waiting } else { Way::AtOnce }
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let target = arguments.target.find()?;
    let client = find_client(target.scope, arguments.client_version)?;
    let way = arguments.way();
    let managed = Managed::default();
    let program = program(target.scope, way)?;
    let wanted = Wanted {
        program: program
            .to_str()
            .with_context(|| format!("{} is not UTF-8", program.display()))?,
        way,
        client,
        scope: target.scope,
        home,
        only: &arguments.only,
        on_failure: arguments.on_failure,
    };
    let plugin = OwnPlugin::beside(target.scope, client).filter(|_| way == Way::AtOnce);
    let installation = Installing {
        wanted: the_rest(wanted.entries()?, plugin.as_ref()),
        target,
        client,
        managed_hooks_only: arguments.managed_hooks_only,
    };
    if let Some(plugin) = &plugin {
        tell_of(plugin);
        if installation.has_nothing_to_do() {
            tell!("nothing is left to register: {client} has no other events");
            return Ok(());
        }
    }
    match (installation.target.scope, arguments.dry_run) {
        (Scope::Managed, dry_run) => for_all_users(home, &managed, &installation, dry_run),
        (_, true) => installation.show(),
        (_, false) => {
            installation.apply(home)?;
            agreed::registered(home, &installation.target.path)
        }
    }
}

/// What the plugin does not bring.
pub(super) fn the_rest(
    mut wanted: Vec<(&'static str, settings::Handler)>,
    plugin: Option<&OwnPlugin>,
) -> Vec<(&'static str, settings::Handler)> {
    let brought = plugin.map(OwnPlugin::events).unwrap_or_default();
    wanted.retain(|(event, _)| !brought.iter().any(|brought| brought == event));
    wanted
}

fn tell_of(plugin: &OwnPlugin) {
    let (name, brought) = (&plugin.name, plugin.events());
    if brought.is_empty() {
        note!(
            "bellwether: the plugin {name} differs from this version, so everything is registered and some events may come twice; `bellwether doctor` says how to renew it"
        );
    } else {
        tell!(
            "the plugin {name} brings {}; only the others are registered",
            output::many(brought.len(), "event")
        );
    }
}

/// The same for every user of the machine.
fn for_all_users(
    home: &Home,
    managed: &Managed,
    installing: &Installing,
    dry_run: bool,
) -> anyhow::Result<()> {
    let rest = Installation { managed };
    if dry_run {
        rest.show()?;
        return installing.show();
    }
    require_root("install --managed")?;
    rest.check()?;
    // What cannot be registered is not begun.
    let before = file::read(&managed.settings())?.map(|content| content.text);
    installing.plan(before.as_deref())?;
    let mut receipt = rest.prepare()?;
    let had_switch = before
        .and_then(|text| Document::parse(text).ok())
        .is_some_and(|document| flag::is_on(&document, flag::MANAGED_HOOKS_ONLY));
    receipt.managed_hooks_only |= installing.managed_hooks_only && !had_switch;
    receipt.save(managed)?;
    installing.apply(home)
}

/// The version to register for, told when it is a guess.
pub(super) fn find_client(scope: Scope, named: Option<Version>) -> anyhow::Result<Client> {
    let installed = match scope {
        Scope::Managed => managed::installed(named)?,
        _ => Installed::find(named)?,
    };
    if installed == Installed::Absent {
        note!(
            "bellwether: no `claude` was found; registering for {}, the newest version known here. \
             For an older one name it with --client-version",
            newest().version
        );
    }
    Ok(installed.client())
}

/// What is to be registered, and where.
pub(super) struct Installing {
    pub(super) target: Target,
    pub(super) client: Client,
    pub(super) wanted: Vec<(&'static str, settings::Handler)>,
    pub(super) managed_hooks_only: bool,
}

/// Changes a file as is planned on the text that it has, unless that leaves it as it is.
pub(super) fn write(
    home: &Home,
    target: &Target,
    plan: impl FnOnce(Option<&str>) -> anyhow::Result<(Document, Change)>,
) -> anyhow::Result<Change> {
    let editing = file::Editing::begin(&target.path)?;
    let editing = match target.scope {
        Scope::Managed => editing.for_all(),
        _ => editing,
    };
    let (old, change) = plan(editing.text())?;
    if editing.text() != Some(change.text.as_str()) {
        ensure_no_agent_loosens(home, &change)?;
        if is_first_change(&target.path, &old) {
            editing.keep_backup()?;
        }
        editing.replace(&change.text)?;
        // Whatever was noticed about what was registered before is over. It is only shown too long where this fails.
        let _ = Notices(home).settle();
    }
    Ok(change)
}

impl Installing {
    /// Whether nothing is to be added, and nothing of ours is there.
    fn has_nothing_to_do(&self) -> bool {
        self.wanted.is_empty() && !holds_ours(&self.target.path)
    }

    fn show(&self) -> anyhow::Result<()> {
        let path = &self.target.path;
        let old = file::read(path)?.map(|content| content.text);
        let (_, change) = self.plan(old.as_deref())?;
        let old = old.unwrap_or_default();
        output::show_text(&output::diff(path, &old, &change.text));
        Ok(())
    }

    fn apply(&self, home: &Home) -> anyhow::Result<()> {
        let change = write(home, &self.target, |text| self.plan(text))?;
        self.report(&change);
        if let Ok(document) = Document::parse(change.text) {
            warn_of_entries(&document);
            if document.ours().iter().any(Entry::waits) {
                self.warn_of_two_voices(&document);
            }
        }
        warn_of_other_files(&self.target);
        Ok(())
    }

    /// What registering does to a text.
    pub(super) fn plan(&self, text: Option<&str>) -> anyhow::Result<(Document, Change)> {
        let path = &self.target.path;
        let text = text.filter(|text| !text.trim().is_empty());
        let before = file::read_backup(path).and_then(|text| Document::parse(text).ok());
        let planned = Document::parse(text.unwrap_or(NO_SETTINGS))
            .map_err(settings::Refusal::from)
            .and_then(|document| {
                let mut change =
                    settings::register(&document, &self.wanted, self.client, before.as_ref())?;
                if self.managed_hooks_only {
                    let registered = Document::parse(change.text)?;
                    change.text = flag::switched_on(&registered, flag::MANAGED_HOOKS_ONLY)?;
                }
                Ok((document, change))
            });
        planned.with_context(|| format!("{} is left as it is", path.display()))
    }

    /// The hook that waits and the daemon would both tell the end of a turn.
    fn warn_of_two_voices(&self, document: &Document) {
        let stop = self.client.entry(Kind::Stop).map(|entry| entry.name);
        let mut ours = document.ours().into_iter();
        if ours.any(|entry| !entry.waits() && Some(entry.event) == stop) {
            note!(
                "bellwether: the daemon announces the end of a turn too; `bellwether config set hooks.stop.enabled false` leaves it to the hook that waits"
            );
        }
    }

    fn report(&self, change: &Change) {
        let (path, client) = (self.target.path.display(), self.client);
        let done = [
            ("added", &change.added),
            ("updated", &change.updated),
            ("removed", &change.removed),
        ];
        let done = done.into_iter().filter(|(_, events)| !events.is_empty());
        let done: Vec<String> = done
            .map(|(done, events)| format!("{done} {}", count(events)))
            .collect();
        if done.is_empty() {
            tell!("already installed in {path} for {client}; nothing changed");
            return;
        }
        tell!("installed in {path} for {client}: {}", done.join(", "));
        let backup = file::backup(&self.target.path);
        if backup.exists() {
            tell!("the file as it was before is {}", backup.display());
        }
        tell!("");
        tell!("New sessions of Claude Code use it at once; restart those that are open.");
        tell!("See it work:   bellwether events --follow");
        tell!("Undo:          {}", self.target.scope.command("uninstall"));
    }
}

/// Whether the file is still as it was before us: without our entries, or with some that a person
/// wrote. A file with nothing but our entries is one that we made.
fn is_first_change(path: &Path, old: &Document) -> bool {
    old.ours().is_empty() || (!file::backup(path).exists() && settings::holds_others(old))
}

/// Adding hooks is harmless. Taking some away, or sending their events elsewhere, is not.
fn ensure_no_agent_loosens(home: &Home, change: &Change) -> anyhow::Result<()> {
    if change.updated.is_empty() && change.removed.is_empty() {
        return Ok(());
    }
    person::refuse_agents(home, "changing hooks that are registered")
}

fn count(events: &[String]) -> String {
    match events {
        [only] => only.clone(),
        several => output::many(several.len(), "event"),
    }
}

/// What is not wrong with the file, but will surprise.
fn warn_of_entries(document: &Document) {
    for entry in document.entries() {
        let (event, place) = (entry.event, entry.place);
        match (entry.runs(), entry.matcher()) {
            (Runs::UsAmongOthers, _) => note!(
                "bellwether: {event} also has `{}`, at {place}, which names bellwether-hook: its events may come twice",
                entry.command().unwrap_or_default()
            ),
            (Runs::Us, Some(matcher)) => {
                note!("bellwether: {event} is heard only where it matches `{matcher}`, at {place}");
            }
            _ => {}
        }
    }
    if document.disables_all_hooks() {
        note!(
            "bellwether: `disableAllHooks` is on in this file: Claude Code runs no hooks until you turn it off"
        );
    }
}

/// What will surprise because of other files, or other people.
fn warn_of_other_files(target: &Target) {
    if target.scope == Scope::Managed {
        return;
    }
    if target.scope == Scope::Project {
        note!(
            "bellwether: this file is usually shared, but the hook's path is for this machine only; --local uses a file of your own"
        );
    }
    let others = Scope::ALL
        .into_iter()
        .filter(|scope| *scope != target.scope && *scope != Scope::Managed);
    for other in others.filter_map(|scope| scope.settings().ok()) {
        if other != target.path && holds_ours(&other) {
            note!(
                "bellwether: it is also installed in {}: events of this project come twice",
                other.display()
            );
        }
    }
}

fn holds_ours(path: &Path) -> bool {
    let content = file::read(path).ok().flatten();
    let document = content.and_then(|content| Document::parse(content.text).ok());
    document.is_some_and(|document| !document.ours().is_empty())
}
