//! Which client a machine's users have. Root runs no program that somebody else could have written: it is asked as its owner.

use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, anyhow};
use bellwether_protocol::client::Version;

use crate::limited;
use crate::registration::{Installed, newest};

/// The version that was named, or the one of the client that is found.
pub(crate) fn installed(named: Option<Version>) -> anyhow::Result<Installed> {
    if let Some(version) = named {
        return Ok(Installed::Named(version));
    }
    let Some(program) = program() else {
        return Ok(Installed::Absent);
    };
    let version = ask(&program).with_context(|| {
        format!(
            "{} does not tell its version; name the oldest that is used on this machine, for instance --client-version {}",
            program.display(),
            newest().version
        )
    })?;
    Ok(Installed::Found(program, version))
}

/// The client on the search path, or that of the person who called `sudo`.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Some(home) = home_of_caller() {
        folders.extend([home.join(".local/bin"), home.join(".claude/local")]);
    }
    let folders = folders.into_iter().filter(|folder| folder.is_absolute());
    folders
        .map(|folder| folder.join("claude"))
        .find(|program| program.is_file())
}

fn home_of_caller() -> Option<PathBuf> {
    let caller = std::env::var("SUDO_USER").ok()?;
    let people = std::fs::read_to_string("/etc/passwd").ok()?;
    people.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next()? == caller).then_some(())?;
        fields.nth(4).map(PathBuf::from)
    })
}

fn ask(program: &Path) -> anyhow::Result<Version> {
    let seen = program.metadata()?;
    let mut command = Command::new(program);
    if rustix::process::geteuid().is_root() && seen.uid() != 0 {
        command.uid(seen.uid()).gid(seen.gid()).env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
    anyhow::ensure!(
        seen.mode() & 0o022 == 0,
        "others may write it, so it is not run"
    );
    let answer = limited::said_by(command, limited::PATIENCE).map_err(|why| anyhow!("it {why}"))?;
    Version::parse(&answer).with_context(|| format!("its answer was {:?}", answer.trim()))
}
