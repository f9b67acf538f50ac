//! A person's machine, for the doctor to look at.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use bellwether_hook::handlers;
use bellwether_tests::doctor::Said;
use bellwether_tests::{Hook, Installation, Settings, env};

/// A person's machine: a home folder, a project, a client that says its version, and a bellwether.
pub(super) struct Machine {
    pub(super) folder: tempfile::TempDir,
    pub(super) bellwether: Installation,
}

impl Machine {
    /// All is well: both programs, a client of the version that we know, every event registered.
    pub(super) fn healthy() -> Result<Self> {
        let machine = Self {
            folder: tempfile::Builder::new().prefix("bw").tempdir()?,
            bellwether: Installation::fresh()?,
        };
        for folder in [".claude", "project/.claude", "bin"] {
            std::fs::create_dir_all(machine.path(folder))?;
        }
        machine.client("echo '2.1.325 (Claude Code)'")?;
        machine.settings(".claude/settings.json", &registered(&machine.hook()))?;
        Ok(machine)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The hook as the user's settings would name it.
    pub(super) fn hook(&self) -> Hook {
        let root = self.bellwether.root().display().to_string();
        Hook::exec(self.bellwether.programs().hook())
            .args(["--client", "2.1.325", "--home", &root])
            .blocking()
    }

    /// Replaces the client by a script.
    pub(super) fn client(&self, script: &str) -> Result<()> {
        executable(&self.path("bin/claude"), format!("#!/bin/sh\n{script}\n"))
    }

    pub(super) fn settings(&self, file: &str, settings: &Settings) -> Result<()> {
        Ok(std::fs::write(
            self.path(file),
            settings.to_json().to_string(),
        )?)
    }

    pub(super) fn project_settings(&self, settings: &Settings) -> Result<()> {
        self.settings("project/.claude/settings.json", settings)
    }

    pub(super) fn doctor(&self) -> Result<Said> {
        self.run(&self.bellwether.programs().main(), &["--json"])
    }

    pub(super) fn fix(&self) -> Result<Said> {
        self.run(&self.bellwether.programs().main(), &["--json", "--fix"])
    }

    pub(super) fn run(&self, program: &Path, words: &[&str]) -> Result<Said> {
        Said::by(&self.command(program, words).output()?)
    }

    pub(super) fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.arg("--home").arg(self.bellwether.root());
        command.arg("doctor").args(words);
        command.env_clear().env("HOME", self.folder.path());
        let path = format!("{}:{}", self.path("bin").display(), env::SYSTEM_PATH);
        command.env("PATH", path).current_dir(self.path("project"));
        command
    }
}

/// Our hook for every event that it wants.
pub(super) fn registered(hook: &Hook) -> Settings {
    let events = handlers::registrations()
        .into_iter()
        .map(|one| one.kind.as_str());
    Settings::new().on(events, hook)
}

pub(super) fn executable(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content)?;
    mode(path, 0o755)
}

pub(super) fn mode(path: &Path, mode: u32) -> Result<()> {
    Ok(std::fs::set_permissions(
        path,
        std::fs::Permissions::from_mode(mode),
    )?)
}
