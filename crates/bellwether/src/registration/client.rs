//! Which client is here: found on the search path and asked for its version.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use bellwether_protocol::client::{Client, Product, Version};
use bellwether_spine::ancestry::version_of_file;

use crate::limited;

/// The version to register for, and how it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Installed {
    /// The person said it.
    Named(Version),
    /// This program said it.
    Found(PathBuf, Version),
    /// There is none; whoever installs one now gets the newest.
    Absent,
}

impl Installed {
    /// Takes the version that was named, or asks the client that is found.
    pub(crate) fn find(named: Option<Version>) -> anyhow::Result<Self> {
        if let Some(version) = named {
            return Ok(Self::Named(version));
        }
        let Some(program) = program() else {
            return Ok(Self::Absent);
        };
        let version = ask(&program).with_context(|| {
            let program = program.display();
            format!("{program} does not tell its version; name it with --client-version, for instance --client-version {}", newest().version)
        })?;
        Ok(Self::Found(program, version))
    }

    /// The client to write for.
    pub(crate) fn client(&self) -> Client {
        match self {
            Self::Named(version) | Self::Found(_, version) => {
                Client::new(Product::Claude, *version)
            }
            Self::Absent => newest(),
        }
    }
}

/// The client that a person would start, as far as its files tell without running it.
pub(crate) fn at_hand() -> Option<Client> {
    let file = program()?.canonicalize().ok()?;
    let version = version_of_file(Product::Claude, &file)?;
    Some(Client::new(Product::Claude, version))
}

/// The newest client that we have read.
pub(crate) fn newest() -> Client {
    Client::newest(Product::Claude)
}

/// The client's program. Only whole paths are searched: a relative one leads into whatever
/// project we are started in.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = std::env::home_dir().unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let folders = folders.chain([own.join(".local/bin"), own.join(".claude/local")]);
    folders
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("claude"))
        .find(|program| is_executable(program))
}

fn is_executable(program: &Path) -> bool {
    program.is_file() && rustix::fs::access(program, rustix::fs::Access::EXEC_OK).is_ok()
}

/// What `claude --version` says.
fn ask(program: &Path) -> anyhow::Result<Version> {
    let answer =
        limited::version_of(program, limited::PATIENCE).map_err(|why| anyhow!("it {why}"))?;
    Version::parse(&answer).with_context(|| format!("its answer was {:?}", answer.trim()))
}
