//! Git on behalf of a run: it runs no hook, no file monitor and no pager, fetches nothing and takes no lock that is not needed.
//!
//! Filters do run, as they do for the person's own git: the project is trusted, and what they make of a file is what
//! will be checked out.

use std::path::{Path, PathBuf};
use std::process::Command;

use bellwether_hook::guard::GIT_SETTINGS;
use bellwether_spine::text::line;

use crate::GateError;
use crate::environment::Environment;
use crate::process::{Capture, Limits, Started, Streams, wait};
use crate::tools::Tools;

/// Git in one work tree.
#[derive(Debug, Clone)]
pub(crate) struct Git<'a> {
    program: PathBuf,
    environment: &'a Environment,
    limits: &'a Limits,
    folder: PathBuf,
    variables: Vec<(&'static str, PathBuf)>,
}

/// The folders of a repository, as git names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folders {
    /// The work tree.
    pub(crate) root: PathBuf,
    /// What belongs to this work tree alone: `HEAD`, the index.
    pub(crate) own: PathBuf,
    /// What all its work trees share: objects, branches, settings.
    pub(crate) common: PathBuf,
}

/// How git ended, with what it said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) complaint: String,
}

impl<'a> Git<'a> {
    pub(crate) fn new(
        environment: &'a Environment,
        limits: &'a Limits,
        folder: &Path,
    ) -> Result<Self, GateError> {
        let program = Tools::of(environment).find("git").ok_or(GateError::NoGit)?;
        Ok(Self {
            program,
            environment,
            limits,
            folder: folder.to_owned(),
            variables: Vec::new(),
        })
    }

    /// The same in another folder.
    pub(crate) fn at(&self, folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            ..self.clone()
        }
    }

    /// The same in another work tree, whose own folder stands in it.
    pub(crate) fn within(&self, root: &Path) -> Self {
        Self {
            folder: root.to_owned(),
            variables: vec![
                ("GIT_DIR", root.join(".git")),
                ("GIT_WORK_TREE", root.to_owned()),
            ],
            ..self.clone()
        }
    }

    /// The same with another index.
    pub(crate) fn with_index(&self, index: &Path) -> Self {
        let mut git = self.clone();
        git.variables.push(("GIT_INDEX_FILE", index.to_owned()));
        git
    }

    pub(crate) fn folders(&self) -> Result<Folders, GateError> {
        let words = "rev-parse --path-format=absolute --show-toplevel --git-dir --git-common-dir";
        let words: Vec<&str> = words.split(' ').collect();
        let said = self.ask(&words)?;
        let text = String::from_utf8_lossy(&said.out).into_owned();
        let mut paths = text.lines().map(PathBuf::from);
        match (said.code, paths.next(), paths.next(), paths.next()) {
            (0, Some(root), Some(own), Some(common)) => Ok(Folders { root, own, common }),
            _ if is_no_work_tree(&said.complaint) => Err(GateError::NoRepository {
                path: self.folder.clone(),
            }),
            _ => Err(said.failed("rev-parse")),
        }
    }

    /// Asks git; every exit code is an answer.
    pub(crate) fn ask(&self, words: &[&str]) -> Result<Said, GateError> {
        let mut command = self.command();
        command.args(words);
        let program = || "git".to_owned();
        let start = |source| GateError::Start {
            program: program(),
            source,
        };
        let mut git =
            Started::start(&mut command, Streams::Apart, &Capture::of_git()).map_err(start)?;
        let status = loop {
            if let Some(status) = git.look().map_err(start)? {
                break status;
            }
            if let Some(stop) = self.limits.stop() {
                git.end();
                return Err(stop.into());
            }
            wait([&git], self.limits);
        };
        let mut said = git.into_said();
        let out = said.next().and_then(Capture::whole);
        let complaint = said.next().map(|said| said.text()).unwrap_or_default();
        let what = words.first().copied().unwrap_or_default();
        match (out, status.code()) {
            (Some(out), Some(code)) => Ok(Said {
                code,
                out,
                complaint,
            }),
            (None, _) => Err(failed(what, "it said too much")),
            (_, None) => Err(failed(what, "it was killed")),
        }
    }

    /// What git says when all goes well.
    pub(crate) fn tell(&self, words: &[&str]) -> Result<Vec<u8>, GateError> {
        let said = self.ask(words)?;
        if said.code == 0 {
            return Ok(said.out);
        }
        Err(said.failed(words.first().copied().unwrap_or_default()))
    }

    /// Its first line, or nothing when git has no answer.
    pub(crate) fn line(&self, words: &[&str]) -> Result<Option<String>, GateError> {
        let said = self.ask(words)?;
        let text = String::from_utf8_lossy(&said.out);
        let first = text.lines().next().unwrap_or_default();
        Ok((said.code == 0 && !first.is_empty()).then(|| first.to_owned()))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .env_clear()
            .envs(
                self.environment
                    .variables()
                    .iter()
                    .map(|(name, value)| (name, value)),
            )
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_COUNT", GIT_SETTINGS.len().to_string());
        for (number, (key, value)) in GIT_SETTINGS.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), key);
            command.env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command.args(["--no-optional-locks", "--no-pager"]);
        command
    }
}

impl Said {
    pub(crate) fn failed(&self, what: &str) -> GateError {
        failed(what, &self.complaint)
    }
}

fn failed(what: &str, said: &str) -> GateError {
    GateError::Git {
        what: what.to_owned(),
        said: line(said.trim_start_matches("fatal: "), 200),
    }
}

fn is_no_work_tree(complaint: &str) -> bool {
    complaint.contains("not a git repository") || complaint.contains("must be run in a work tree")
}

/// What git separates by NUL, as text.
pub(crate) fn records(out: &[u8]) -> impl Iterator<Item = String> {
    out.split(|byte| *byte == 0)
        .filter(|record| !record.is_empty())
        .map(|record| String::from_utf8_lossy(record).into_owned())
}
