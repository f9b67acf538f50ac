//! A project in a git repository of its own, with real tools, for what runs a project's programs.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use bellwether_spine::config::Trust;

use crate::{Installation, Tools};

/// A repository in a folder that goes with it, and a bellwether that trusts it.
pub struct Project {
    place: Installation,
    folder: tempfile::TempDir,
    tools: Tools,
    path: String,
}

impl Project {
    /// An empty repository that is trusted, with a configuration.
    pub fn trusted(config: &str) -> Result<Self> {
        let project = Self::untrusted(config)?;
        project.trust(&project.root())?;
        Ok(project)
    }

    /// Trusts a folder that has no configuration of its own.
    pub fn trust(&self, folder: &Path) -> Result<()> {
        let mut trust = Trust::load(self.place.home());
        trust.grant(folder.join(".claude/bellwether.yaml"), b"");
        Ok(trust.save(self.place.home())?)
    }

    /// An empty repository that nobody trusts.
    pub fn untrusted(config: &str) -> Result<Self> {
        let tools = Tools::installed()?;
        let project = Self {
            place: Installation::fresh_with(config)?,
            folder: tempfile::Builder::new().prefix("bw-p-").tempdir()?,
            path: tools.path(),
            tools,
        };
        for folder in [project.root(), project.home()] {
            std::fs::create_dir_all(folder)?;
        }
        project.git("init -q -b main .")?;
        Ok(project)
    }

    pub fn place(&self) -> &Installation {
        &self.place
    }

    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// The work tree's root, as git names it.
    pub fn root(&self) -> PathBuf {
        let folder = self.folder.path();
        folder.canonicalize().unwrap_or(folder.to_owned()).join("p")
    }

    /// The person's home folder, which has nothing in it.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Lets the programs of the project see only these tools, and none of the machine but what every script needs.
    pub fn only(&mut self, names: &[&str]) -> Result<()> {
        let folder = self.folder.path().join("bin");
        let needed = ["git", "sh", "env", "sleep", "cat"];
        self.tools.link(&[&needed[..], names].concat(), &folder)?;
        self.path = folder.display().to_string();
        Ok(())
    }

    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
        Ok(std::fs::write(path, text)?)
    }

    pub fn script(&self, name: &str, text: &str) -> Result<()> {
        self.write(name, &format!("#!/bin/sh\n{text}\n"))?;
        let allowed = std::fs::Permissions::from_mode(0o755);
        Ok(std::fs::set_permissions(self.root().join(name), allowed)?)
    }

    /// Writes files and stages them.
    pub fn stage(&self, files: &[(&str, &str)]) -> Result<()> {
        for (name, text) in files {
            self.write(name, text)?;
            self.git_words(&["add", "--", name])?;
        }
        Ok(())
    }

    /// Runs git with words that are separated by blanks; what it prints.
    pub fn git(&self, words: &str) -> Result<String> {
        self.git_words(&words.split(' ').collect::<Vec<_>>())
    }

    pub fn git_words(&self, words: &[&str]) -> Result<String> {
        let mut command = self.with_environment(Command::new("git"));
        let person = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "-c",
            "protocol.file.allow=always",
        ];
        let output = command
            .args(person)
            .args(words)
            .current_dir(self.root())
            .output()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git {words:?}: {complaint}");
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// A command of the CLI in the project, with its tools.
    pub fn cli<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = self.with_environment(self.place.cli(words));
        command.current_dir(self.root());
        command
    }

    fn with_environment(&self, mut command: Command) -> Command {
        command.env_clear().env("PATH", &self.path);
        command
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }
}
