//! `bellwether uninstall`: our entries out of the client's settings, as if they had never been there.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use bellwether_spine::{Home, Managed, overlay};
use clap::Args;

use crate::managed::{self, Receipt, Rest, require_root};
use crate::registration::{OwnPlugin, Scope, Target, TargetArguments, newest};
use crate::service::{DESKTOP, Folders, Outcome};
use crate::settings::{self, Document, Left, file, flag};
use crate::{agreed, exit, installation, output, person};

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether uninstall                    out of your own settings; daemon and overlay are stopped
  bellwether uninstall --local            out of this project's local settings
  bellwether uninstall --dry-run          only show what would change
  bellwether uninstall --state            and delete every stored event
  sudo bellwether uninstall --managed     what was installed for every user of this machine")]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: TargetArguments,
    /// Also delete what bellwether has stored: events, journal, logs.
    #[arg(long, conflicts_with = "managed")]
    state: bool,
    /// With --managed: also delete the policy of this machine.
    #[arg(long, requires = "managed")]
    policy: bool,
    /// Show what would change, as a diff, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let target = arguments.target.find()?;
    if arguments.dry_run {
        return show(&target);
    }
    if target.scope == Scope::Managed {
        return for_all_users(home, &Managed::default(), &target, arguments);
    }
    person::confirm(home, "uninstalling")?;
    unregister(&target, false)?;
    agreed::unregistered(home, &target.path)?;
    if let Some(plugin) = OwnPlugin::beside(target.scope, newest()) {
        tell!(
            "the plugin {name} is still on and sends its events; to remove it: claude plugin uninstall {name}",
            name = plugin.name
        );
    }
    let last = target.scope == Scope::User || arguments.state;
    if last {
        remove_overlay(home)?;
        if installation::stop(home)? {
            tell!("the daemon has stopped");
        }
    }
    if arguments.state {
        remove_state(home)?;
    }
    say_what_is_left(home, arguments.state);
    Ok(())
}

/// Ends the overlay, and has the desktop start it no more. An entry that somebody has changed stays, and is named.
fn remove_overlay(home: &Home) -> anyhow::Result<()> {
    for running in overlay::running(home) {
        if running.end()? {
            tell!("the overlay on {} has ended", running.display);
        }
    }
    match DESKTOP.remove(&Folders::of_person()?) {
        Ok(Outcome::Removed) => tell!("your desktop does not start the overlay any more"),
        Ok(_) => {}
        Err(error) => note!("bellwether: {}", exit::told(&error)),
    }
    Ok(())
}

/// Takes out what was installed for every user of the machine. What they have stored is theirs.
fn for_all_users(
    home: &Home,
    managed: &Managed,
    target: &Target,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    require_root("uninstall --managed")?;
    person::require(home, "uninstalling")?;
    let receipt = Receipt::load(managed)?;
    unregister(target, receipt.managed_hooks_only)?;
    let rest = if arguments.policy {
        Rest::Delete
    } else {
        Rest::Keep
    };
    managed::uninstall(managed, &receipt, rest)
}

fn say_what_is_left(home: &Home, deleted: bool) {
    let (state, config) = (home.state(), home.config());
    if state.exists() && deleted {
        tell!(
            "{} holds something that is not ours, and stays",
            state.display()
        );
    } else if state.exists() {
        tell!(
            "what was stored is kept in {folder}; to delete it: rm -r '{folder}'",
            folder = state.display()
        );
    }
    if config.exists() {
        tell!("your configuration is kept in {}", config.display());
    }
}

fn show(target: &Target) -> anyhow::Result<()> {
    let Some(content) = file::read(&target.path)? else {
        return Ok(());
    };
    let managed = Managed::default();
    let switched = target.scope == Scope::Managed && Receipt::load(&managed)?.managed_hooks_only;
    let new = match plan(&target.path, &content.text, switched)? {
        Left::Text(text) => text,
        Left::Nothing => String::new(),
    };
    output::show_text(&output::diff(&target.path, &content.text, &new));
    Ok(())
}

fn unregister(target: &Target, switched: bool) -> anyhow::Result<()> {
    let path = &target.path;
    if file::read(path)?.is_none() {
        tell!("not installed: there is no {}", path.display());
        return Ok(());
    }
    let editing = file::Editing::begin(path)?;
    let old = editing.text().unwrap_or_default().to_owned();
    match plan(path, &old, switched)? {
        Left::Text(text) if text == old => {
            tell!("not installed in {}", path.display());
            return Ok(());
        }
        Left::Text(text) => editing.replace(&text)?,
        Left::Nothing => editing.delete()?,
    }
    file::remove_traces(path)?;
    if !path.exists() {
        remove_empty_folder(path);
    }
    tell!("uninstalled from {}", path.display());
    Ok(())
}

/// What a text is without us, and without the switch if that is ours too.
fn plan(path: &Path, text: &str, switched: bool) -> anyhow::Result<Left> {
    let backup = file::read_backup(path);
    let before = backup
        .as_deref()
        .and_then(|text| Document::parse(text).ok());
    let left = if text.trim().is_empty() {
        Ok(Left::Text(text.to_owned()))
    } else {
        Document::parse(text)
            .map_err(settings::Refusal::from)
            .and_then(|document| {
                if switched {
                    let text = flag::without(&document, flag::MANAGED_HOOKS_ONLY)?;
                    return settings::unregister(&Document::parse(text)?, before.as_ref());
                }
                settings::unregister(&document, before.as_ref())
            })
    };
    let left = left.with_context(|| format!("{} is left as it is", path.display()))?;
    Ok(match (left, backup) {
        // It was there before us, as an empty file.
        (Left::Nothing, Some(backup)) if backup.trim().is_empty() => Left::Text(backup),
        (left, _) => left,
    })
}

/// The client's own folder in a project or home, if our file was all that it held.
fn remove_empty_folder(path: &Path) {
    if let Some(folder) = path.parent().filter(|folder| folder.ends_with(".claude")) {
        // A folder that holds anything stays, and that is as well.
        let _ = fs::remove_dir(folder);
    }
}

/// Deletes our files, each by its name, and the folders that are then empty: a folder that was named
/// by mistake keeps what is not ours.
fn remove_state(home: &Home) -> anyhow::Result<()> {
    for path in home.everything() {
        let gone = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        match gone {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot delete {}", path.display()));
            }
            _ => {}
        }
    }
    let sockets = home.wake_socket();
    for folder in [Some(home.state()), sockets.parent(), home.root()]
        .into_iter()
        .flatten()
    {
        if fs::remove_dir(folder).is_ok() {
            tell!("deleted {}", folder.display());
        }
    }
    Ok(())
}
