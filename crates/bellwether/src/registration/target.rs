//! Which settings file is meant.

use std::path::PathBuf;

use anyhow::Context as _;
use bellwether_spine::Managed;
use clap::Args;

/// For whom hooks are registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// For all sessions of the user.
    User,
    /// For everybody who works on the project.
    Project,
    /// For the user, in one project.
    Local,
    /// For every user of the machine.
    Managed,
}

impl Scope {
    pub(crate) const ALL: [Self; 4] = [Self::User, Self::Project, Self::Local, Self::Managed];

    /// Its name: as an option, and as the hook is told by `--from`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }

    /// The file that the client reads for it, when it runs in the current folder.
    pub(crate) fn settings(self) -> anyhow::Result<PathBuf> {
        match self {
            Self::User => Ok(client_folder()?.join("settings.json")),
            Self::Project => in_project("settings.json"),
            Self::Local => in_project("settings.local.json"),
            Self::Managed => Ok(Managed::default().settings()),
        }
    }

    /// The command that installs for it, or uninstalls.
    pub(crate) fn command(self, word: &str) -> String {
        match self {
            Self::User => format!("bellwether {word}"),
            Self::Managed => format!("sudo bellwether {word} --managed"),
            other => format!("bellwether {word} --{}", other.name()),
        }
    }
}

fn client_folder() -> anyhow::Result<PathBuf> {
    let named = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty());
    if let Some(folder) = named {
        return Ok(std::path::absolute(folder)?);
    }
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    Ok(home
        .context("no home folder: HOME is not set")?
        .join(".claude"))
}

fn in_project(name: &str) -> anyhow::Result<PathBuf> {
    let project = std::env::current_dir().context("the current folder no longer exists")?;
    Ok(project.join(".claude").join(name))
}

/// The options that say which settings file is meant.
#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line, and one at most is given"
)]
pub(crate) struct TargetArguments {
    /// For all your sessions: ~/.claude/settings.json, or the one in `CLAUDE_CONFIG_DIR`. The default.
    #[arg(long, group = "scope")]
    user: bool,
    /// For everybody in this project: .claude/settings.json in the current folder.
    #[arg(long, group = "scope")]
    project: bool,
    /// For you in this project: .claude/settings.local.json in the current folder.
    #[arg(long, group = "scope")]
    local: bool,
    /// For every user of this machine, with programs and a policy that belong to root: needs sudo.
    #[arg(long, group = "scope", conflicts_with = "settings")]
    managed: bool,
    /// Change this file instead, for instance the one that your settings.json is a symlink to.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

/// A settings file, and for whom it is.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) scope: Scope,
    pub(crate) path: PathBuf,
}

impl TargetArguments {
    pub(crate) fn find(&self) -> anyhow::Result<Target> {
        let scope = match (self.project, self.local, self.managed) {
            (true, _, _) => Scope::Project,
            (_, true, _) => Scope::Local,
            (_, _, true) => Scope::Managed,
            _ => Scope::User,
        };
        let path = match &self.settings {
            Some(file) => std::path::absolute(file)?,
            None => scope.settings()?,
        };
        Ok(Target { scope, path })
    }
}
