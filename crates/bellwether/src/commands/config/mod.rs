//! `bellwether config`: what is set, where it was set, what is wrong with it, and whom to trust.

mod check;
mod edit;
mod keys;
mod set;
mod show;
pub(crate) mod trust;

use std::io::Write as _;
use std::path::PathBuf;

use bellwether_spine::{Home, Managed, meta};
use clap::{Args, Subcommand};

use crate::{config, managed, output};

pub(crate) use set::switch_on;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The project whose configuration is used [default: the current folder]
    #[arg(long, global = true, value_name = "DIR")]
    project: Option<PathBuf>,
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Show the settings in effect, and where each was set.
    Show {
        /// Only what differs from the preset.
        #[arg(long)]
        changed: bool,
        /// Print JSON: all of it without the places, or with --changed an array of {key, value, preset, place}.
        #[arg(long)]
        json: bool,
    },
    /// Show one setting, or one section.
    Get {
        /// The setting, with dots, for instance `audio.volume`.
        key: String,
        /// Print JSON: {key, value, place}.
        #[arg(long)]
        json: bool,
    },
    /// Show which files are read, and whether they are there.
    Path {
        /// Print JSON: an array of {path, exists}.
        #[arg(long)]
        json: bool,
    },
    /// Report errors with file, line and column; exits 1 if there are any.
    Check {
        /// Print JSON: {problems, unconfirmed, ignored}.
        #[arg(long)]
        json: bool,
    },
    /// Change a setting in your own file, which keeps its comments and its order.
    Set {
        /// The setting, with dots, for instance `audio.volume`. Without one, all settings are listed.
        key: Option<String>,
        /// Its new value; a list with commas between its parts, or as YAML.
        #[arg(requires = "key", allow_hyphen_values = true)]
        value: Option<String>,
        /// Without a setting: print the list as JSON, an array of {key, kind, value}.
        #[arg(long, conflicts_with = "key")]
        json: bool,
    },
    /// Take a setting out of your own file: the preset counts again.
    Unset {
        /// The setting, with dots, for instance `audio.volume`.
        key: String,
    },
    /// Edit your own file with $VISUAL or $EDITOR. It takes effect once nothing is wrong with it.
    Edit,
    /// Show what the project's file would change if you trusted it, ask, and trust it as it is now.
    Trust {
        /// Stop trusting it.
        #[arg(long)]
        revoke: bool,
    },
    /// Confirm what your own file says about the guard now. Until then, what loosens the guard is not in effect.
    Confirm,
    /// Make the snapshot that the hook reads. It is made by itself when a file has changed.
    Compile {
        /// Make that of the policy of this machine, /etc/bellwether/policy.yaml: needs sudo.
        #[arg(long)]
        managed: bool,
    },
    /// Store keys for services in a file that only you can read.
    #[command(subcommand)]
    Key(keys::Arguments),
    /// Print the JSON schema of the file, for editors.
    Schema,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let current = std::env::current_dir().ok();
    // A whole path is taken as it stands: the hook names the snapshot by it.
    let project = match &arguments.project {
        Some(project) if project.is_absolute() => Some(project.clone()),
        Some(project) => Some(std::path::absolute(project)?),
        None => current,
    };
    let project = project.as_deref();
    let load = || config::load(home, project, &meta::variable);
    match &arguments.command {
        ConfigCommand::Show { changed, json } => show::run(&load(), *changed, *json),
        ConfigCommand::Get { key, json } => show::one(&load(), key, *json),
        ConfigCommand::Path { json } => show::paths(home, project, *json),
        ConfigCommand::Check { json } => check::run(&load(), *json),
        ConfigCommand::Set {
            key: Some(key),
            value,
            ..
        } => set::run(home, key, value.as_deref()),
        ConfigCommand::Set { json, .. } => set::list(&load(), *json),
        ConfigCommand::Unset { key } => set::unset(home, key),
        ConfigCommand::Edit => edit::run(home),
        ConfigCommand::Trust { revoke: false } => trust::run(home, &load()),
        ConfigCommand::Trust { revoke: true } => trust::revoke(home, &load()),
        ConfigCommand::Confirm => trust::confirm(home),
        ConfigCommand::Compile { managed: false } => Ok(load().save(home, project)?),
        ConfigCommand::Compile { managed: true } => compile_policy(),
        ConfigCommand::Key(arguments) => keys::run(home, arguments),
        ConfigCommand::Schema => Ok(writeln!(output::stdout(), "{:#}", config::schema())?),
    }
}

fn compile_policy() -> anyhow::Result<()> {
    managed::require_root("config compile --managed")?;
    let managed = Managed::default();
    managed::compile(&managed)?;
    tell!("{} is in effect", managed.policy().display());
    Ok(())
}
