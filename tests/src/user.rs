//! Somebody who installs: a home, and a `claude` that is a script or the real client.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::{Home, Programs, client, env, jsonl, processes, run, typing};

/// Somebody with a home, a project, and a `claude` that tells its version.
pub struct User {
    pub home: PathBuf,
    pub bin: PathBuf,
    pub programs: Programs,
    folder: tempfile::TempDir,
}

impl User {
    pub fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bw").tempdir()?;
        let home = folder.path().join("home");
        fs::create_dir_all(home.join("project"))?;
        Self::telling_version(home, folder)
    }

    /// The user of a home that the real client runs in.
    pub fn of(home: &Home) -> Result<Self> {
        Self::telling_version(home.dir(), tempfile::tempdir()?)
    }

    /// The same with these programs, and with the real client of some version as `claude`.
    pub fn with_client(home: &Home, programs: &Programs, version: &str) -> Result<Self> {
        let user = Self::at(home.dir(), tempfile::tempdir()?, programs.clone())?;
        symlink(client::fetch(version)?, user.bin.join("claude"))?;
        Ok(user)
    }

    fn telling_version(home: PathBuf, folder: tempfile::TempDir) -> Result<Self> {
        let user = Self::at(home, folder, Programs::built()?)?;
        user.client(&format!("echo '{} (Claude Code)'", client::CLIENT_VERSION))?;
        Ok(user)
    }

    fn at(home: PathBuf, folder: tempfile::TempDir, programs: Programs) -> Result<Self> {
        let user = Self {
            home,
            bin: folder.path().join("bin"),
            programs,
            folder,
        };
        fs::create_dir(&user.bin)?;
        Ok(user)
    }

    /// Replaces `claude` by a script.
    pub fn client(&self, script: &str) -> Result<()> {
        let file = self.bin.join("claude");
        fs::write(&file, format!("#!/bin/sh\n{script}\n"))?;
        Ok(fs::set_permissions(
            &file,
            fs::Permissions::from_mode(0o755),
        )?)
    }

    pub fn settings(&self) -> PathBuf {
        self.home.join(".claude/settings.json")
    }

    pub fn write(&self, content: impl AsRef<[u8]>) -> Result<()> {
        fs::create_dir_all(self.home.join(".claude"))?;
        Ok(fs::write(self.settings(), content)?)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        self.started(Command::new(self.programs.main()), words)
    }

    pub fn started(&self, mut command: Command, words: &[&str]) -> Command {
        command
            .args(words)
            .env_clear()
            .env("HOME", &self.home)
            .env(
                "PATH",
                format!("{}:{}", self.bin.display(), env::SYSTEM_PATH),
            )
            .current_dir(self.home.join("project"))
            .stdin(Stdio::null());
        command
    }

    /// Exit code, stdout and stderr, with the folders of this run taken out.
    pub fn shown(&self, mut command: Command) -> Result<String> {
        let output = command.output()?;
        let text = format!(
            "exit {}\n{}{}",
            output.status.code().unwrap_or(-1),
            String::from_utf8(output.stdout)?,
            String::from_utf8(output.stderr)?
        );
        let hook = self.programs.hook().canonicalize()?;
        let programs = hook.parent().context("a program is in a folder")?;
        Ok(text
            .replace('\r', "")
            .replace(&self.home.display().to_string(), "~")
            .replace(&self.folder.path().display().to_string(), "TMP")
            .replace(&programs.display().to_string(), "DIST"))
    }

    pub fn run(&self, words: &[&str]) -> Result<String> {
        self.shown(self.command(words))
    }

    /// Runs a command in a terminal, as a person does.
    pub fn at_terminal(&self, words: &[&str]) -> Result<String> {
        let line = format!("'{}' {}", self.programs.main().display(), words.join(" "));
        let words = typing::words(&line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.shown(self.started(Command::new("bash"), &words))
    }

    /// Installs, which must succeed.
    pub fn installed(&self) -> Result<()> {
        run::printed(&mut self.command(&["install"])).map(drop)
    }

    /// Every stored event.
    pub fn stored(&self) -> Result<Vec<Value>> {
        let output = self
            .command(&["events", "--json", "--limit", "0"])
            .output()?;
        jsonl::parse(&String::from_utf8(output.stdout)?)
    }
}

impl Drop for User {
    fn drop(&mut self) {
        processes::end_all(&self.home);
    }
}
