//! A HOME and a project of their own for every test, in a short-lived folder with short paths.
//!
//! The client is past its onboarding and trusts the project. Dropping the home ends every process that runs with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::dialect::Dialect;
use crate::env::SYSTEM_PATH;
use crate::recorder::Record;
use crate::settings::{Hook, Settings};
use crate::{events, jsonl, processes, wait};

const PROJECT_FILES: [(&str, &str); 6] = [
    ("CLAUDE.md", "# Notes for the agent\n\nAnswer briefly.\n"),
    ("notes.txt", "the gate is open\nthe dog is asleep\n"),
    ("north.txt", "cold\n"),
    ("east.txt", "dark\n"),
    ("south.txt", "hot\n"),
    ("west.txt", "light\n"),
];

/// A HOME, its project, and the files of the runs in it.
#[derive(Debug)]
pub struct Home {
    root: TempDir,
    rig: PathBuf,
    runs: AtomicU32,
}

impl Home {
    /// A fresh home whose settings register the recorder for every event.
    ///
    /// `rig` is the path of the rig binary: `env!("CARGO_BIN_EXE_rig")` in a test.
    pub fn fresh(rig: impl Into<PathBuf>) -> Result<Self> {
        let home = Self {
            root: tempfile::Builder::new().prefix("bw").tempdir()?,
            rig: rig.into(),
            runs: AtomicU32::new(0),
        };
        for folder in [home.tmp(), home.scenarios(), home.dir().join(".claude")] {
            fs::create_dir_all(&folder)
                .with_context(|| format!("creating {}", folder.display()))?;
        }
        home.make_project()?;
        write_json(&home.dir().join(".claude.json"), &home.past_onboarding())?;
        home.write_settings(&home.recording())?;
        Ok(home)
    }

    /// Makes the client forget that the project was ever trusted.
    pub fn forget_trust(&self) -> Result<()> {
        let mut state = self.past_onboarding();
        state["projects"] = json!({});
        write_json(&self.dir().join(".claude.json"), &state)
    }

    pub fn dir(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The project: a git repository with a few files.
    pub fn project(&self) -> PathBuf {
        self.dir().join("project")
    }

    /// The folder for temporary files of the client and what it starts.
    pub fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// A program as the person of this home starts it, in the project and without a terminal.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", SYSTEM_PATH)
            .env("HOME", self.dir())
            .current_dir(self.project())
            .stdin(Stdio::null());
        command
    }

    /// Settings that register the recorder for every event an observer may have: a base to add to.
    pub fn recording(&self) -> Settings {
        Settings::new().on(events::registrable(), &self.recorder())
    }

    /// The same for a version of the client: the events that it knows, in a form that it takes.
    pub fn recording_for(&self, dialect: Dialect) -> Settings {
        let recorder = self.recorder();
        let recorder = if dialect.has_exec_form() {
            recorder
        } else {
            recorder.in_shell()
        };
        Settings::new().on(dialect.registrable(), &recorder)
    }

    /// The recorder as a hook.
    pub fn recorder(&self) -> Hook {
        let log = self.record_log().display().to_string();
        Hook::exec(&self.rig).args(["record".to_owned(), log])
    }

    pub fn write_settings(&self, settings: &Settings) -> Result<()> {
        write_json(
            &self.dir().join(".claude/settings.json"),
            &settings.to_json(),
        )
    }

    pub fn write_project_settings(&self, settings: &Settings) -> Result<()> {
        let file = self.project().join(".claude/settings.json");
        fs::create_dir_all(self.project().join(".claude"))?;
        write_json(&file, &settings.to_json())
    }

    /// What the recorder has seen so far, in all runs of this home.
    pub fn recorded(&self) -> Result<Vec<Record>> {
        jsonl::read(&self.record_log())
    }

    /// Waits for a record; the error lists the events that came instead.
    #[track_caller]
    pub fn wait_for_record(
        &self,
        wanted: impl Fn(&Record) -> bool,
        patience: Duration,
    ) -> Result<Record> {
        let caller = std::panic::Location::caller();
        let found = wait::until(patience, || Ok(self.recorded()?.into_iter().find(&wanted)))?;
        found.with_context(|| {
            let seen = self.recorded().unwrap_or_default();
            let seen: Vec<&str> = seen.iter().map(Record::event).collect();
            format!("{caller}: no such record within {patience:?}, only {seen:?}")
        })
    }

    /// What the fake API was asked and how it answered, so far.
    pub fn api_log(&self) -> Result<Vec<Value>> {
        jsonl::read(&self.api_log_file())
    }

    pub(crate) fn api_log_file(&self) -> PathBuf {
        self.root.path().join("api.jsonl")
    }

    /// Keeps the folder when the home is dropped, and says where it is.
    pub fn keep(&mut self) -> &Path {
        self.root.disable_cleanup(true);
        self.root.path()
    }

    pub(crate) fn rig(&self) -> &Path {
        &self.rig
    }

    pub(crate) fn scenarios(&self) -> PathBuf {
        self.root.path().join("scenarios")
    }

    /// A folder for the files of one more run.
    pub(crate) fn next_run(&self) -> Result<PathBuf> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let folder = self.root.path().join(format!("run{run}"));
        fs::create_dir(&folder).with_context(|| format!("creating {}", folder.display()))?;
        Ok(folder)
    }

    fn record_log(&self) -> PathBuf {
        self.root.path().join("hooks.jsonl")
    }

    fn past_onboarding(&self) -> Value {
        json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
            "projects": {
                self.project().display().to_string(): {
                    "hasTrustDialogAccepted": true,
                    // Version 1.0.128 ends when there is no such list.
                    "allowedTools": [],
                    "hasCompletedProjectOnboarding": true,
                },
            },
        })
    }

    fn make_project(&self) -> Result<()> {
        fs::create_dir_all(self.project())?;
        for (name, content) in PROJECT_FILES {
            fs::write(self.project().join(name), content)?;
        }
        self.git(&["init", "--quiet", "--initial-branch=main"])?;
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message=Start"])
    }

    fn git(&self, args: &[&str]) -> Result<()> {
        let output = self
            .command(Path::new("git"))
            .args([
                "-c",
                "user.name=rig",
                "-c",
                "user.email=rig@example.invalid",
            ])
            .args(args)
            .output()
            .context("git does not start: install git")?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git {args:?}: {complaint}");
        Ok(())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        processes::end_all(&self.dir());
    }
}

fn write_json(file: &Path, value: &Value) -> Result<()> {
    let json = serde_json::to_string_pretty(value)?;
    fs::write(file, json).with_context(|| format!("writing {}", file.display()))
}
