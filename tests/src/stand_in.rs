//! A program in the place of the overlay: it notes what it was started with, and stays until it is told to end.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use bellwether_spine::overlay::PROGRAM;
use bellwether_spine::{VERSION, clock};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::programs::{Programs, build_folder};

/// Both of our programs with a stand-in beside them.
pub struct StandIn(TempDir);

/// A start of it.
#[derive(Debug)]
pub struct Start {
    pub pid: u32,
    pub key: String,
    pub words: String,
    /// Its environment, a variable a line.
    pub environment: String,
}

impl StandIn {
    pub fn new() -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("stand-in-")
            .tempdir_in(build_folder())?;
        let built = Programs::built()?;
        for program in [built.main(), built.hook()] {
            let name = program.file_name().context("a program has a name")?;
            fs::hard_link(&program, folder.path().join(name))?;
        }
        let stand_in = Self(folder);
        fs::create_dir(stand_in.notes())?;
        let script = stand_in.script();
        fs::write(stand_in.program(), script)?;
        fs::set_permissions(stand_in.program(), fs::Permissions::from_mode(0o755))?;
        Ok(stand_in)
    }

    pub fn programs(&self) -> Result<Programs> {
        Programs::in_folder(self.0.path().canonicalize()?)
    }

    pub fn program(&self) -> PathBuf {
        self.0.path().join(PROGRAM)
    }

    fn notes(&self) -> PathBuf {
        self.0.path().join("notes")
    }

    /// What it does: the lock says which process has it, as the program's own does.
    fn script(&self) -> String {
        let boot = clock::boot_id().unwrap_or_default();
        let notes = self.notes().display().to_string();
        format!(
            "#!/bin/sh\n\
             [ \"$1\" = --version ] && {{ echo '{PROGRAM} {VERSION}'; exit; }}\n\
             read key <&3\n\
             {{ echo \"$key\"; echo \"$*\"; env; }} >'{notes}'/$$.new\n\
             : >/dev/fd/4\n\
             echo \"{{\\\"display\\\":\\\"$DISPLAY\\\",\\\"pid\\\":$$,\\\"boot\\\":\\\"{boot}\\\"}}\" >&4\n\
             mv '{notes}'/$$.new '{notes}'/$$\n\
             exec sleep 600 3<&-\n"
        )
    }

    /// Every start, by the order of processes.
    pub fn starts(&self) -> Result<Vec<Start>> {
        let entries = fs::read_dir(self.notes())?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut starts = paths
            .filter(|path| path.extension().is_none())
            .map(|path| Start::read(&path))
            .collect::<Result<Vec<_>>>()?;
        starts.sort_by_key(|start| start.pid);
        Ok(starts)
    }

    /// The displays on which it was started.
    pub fn displays(&self) -> Result<Vec<String>> {
        let starts = self.starts()?;
        let mut displays: Vec<String> = starts
            .iter()
            .filter_map(|start| start.variable("DISPLAY").map(str::to_owned))
            .collect();
        displays.sort();
        Ok(displays)
    }
}

impl Start {
    fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)?;
        let mut parts = text.splitn(3, '\n');
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let name = path.file_name().and_then(|name| name.to_str());
        Ok(Self {
            pid: name.context("a note has a name")?.parse()?,
            key: part(),
            words: part(),
            environment: part(),
        })
    }

    pub fn variable(&self, name: &str) -> Option<&str> {
        let mut lines = self.environment.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
    }

    /// Ends it, as a person does who has enough.
    pub fn end(&self) {
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.starts()
            .unwrap_or_default()
            .iter()
            .for_each(Start::end);
    }
}
