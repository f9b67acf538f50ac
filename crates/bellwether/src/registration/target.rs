//! Which settings file is meant.

use std::path::PathBuf;

use anyhow::Context as _;
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
}

impl Scope {
    pub(crate) const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// Its name: as an option, and as the hook is told by `--from`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// The file that the client reads for it, when it runs in the current folder.
    pub(crate) fn settings(self) -> anyhow::Result<PathBuf> {
        match self {
            Self::User => Ok(client_folder()?.join("settings.json")),
            Self::Project => in_project("settings.json"),
            Self::Local => in_project("settings.local.json"),
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
    let project = std::env::current_dir().context("the current folder is gone")?;
    Ok(project.join(".claude").join(name))
}

/// The options that say which settings file is meant.
#[derive(Args)]
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
        let scope = match (self.project, self.local) {
            (true, _) => Scope::Project,
            (_, true) => Scope::Local,
            _ => Scope::User,
        };
        let path = match &self.settings {
            Some(file) => std::path::absolute(file)?,
            None => scope.settings()?,
        };
        Ok(Target { scope, path })
    }
}
