//! A project in which something would be lost, so that the guard's rules apply as those of the
//! original did, which never looked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use bellwether_hook::guard::{Call, Config, Judged, Judgement, judge};
use bellwether_protocol::client::Client;
use bellwether_spine::Home;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A home with a repository in it, on a feature branch, with modified and untracked files.
pub(super) struct Project {
    _folder: TempDir,
    root: PathBuf,
}

impl Project {
    pub(super) fn make() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().canonicalize()?;
        let project = Self {
            _folder: folder,
            root,
        };
        let path = project.path();
        fs::create_dir_all(path.join("src"))?;
        fs::write(path.join("README.md"), "begun\n")?;
        git(&path, &["init", "--quiet", "--initial-branch=main"])?;
        git(&path, &["add", "--all"])?;
        git(&path, &["commit", "--quiet", "--message=begin"])?;
        git(&path, &["switch", "--quiet", "--create=feature/menu"])?;
        fs::write(path.join("README.md"), "changed\n")?;
        fs::write(path.join("notes.txt"), "new\n")?;
        fs::write(path.join("src/new.txt"), "new\n")?;
        Ok(project)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.root.join("home/projects/app")
    }

    /// What the guard says about a tool call in it.
    pub(super) fn judge(&self, tool: &str, input: &Value) -> Result<Judgement> {
        Ok(self.judged(tool, input)?.judgement)
    }

    /// How many commits a command would make in it.
    pub(super) fn commits(&self, command: &str) -> Result<usize> {
        let judged = self.judged("Bash", &json!({ "command": command }))?;
        Ok(judged
            .analysis
            .map_or(0, |analysis| analysis.commits().count()))
    }

    fn judged(&self, tool: &str, input: &Value) -> Result<Judged> {
        let input = serde_json::value::to_raw_value(input)?;
        let (path, user) = (self.path(), self.root.join("home"));
        let call = Call {
            deed: &Client::default().tool(tool, Some(&input)).deed(),
            cwd: &path,
            project: Some(&path),
            home: &Home::find(Some(user.join(".bellwether")))?,
            user: Some(&user),
            transcript: None,
        };
        Ok(judge(&call, &Config::default()))
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdout(Stdio::null())
        .status()
        .context("run git")?;
    ensure!(status.success(), "git {arguments:?}: {status}");
    Ok(())
}
