//! One program: its name in `scripts/build`, which knows how it is built, and where it goes.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::workspace::{Workspace, cargo};

/// How much the compiler shall try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As it is shipped.
    Release,
    /// As it is built fastest.
    Debug,
}

/// A program of this workspace, by its place below `target/dist/`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program(&'static str);

impl Program {
    /// What the client starts.
    pub(crate) const HOOK: Self = Self("bellwether-hook");
    pub(crate) const MAIN: Self = Self("bellwether");
    /// What draws on the desktop.
    pub(crate) const OVERLAY: Self = Self("bellwether-overlay");
    /// Nothing at all, linked like the hook.
    pub(crate) const NOOP: Self = Self("bellwether-noop");
    /// The hook as it would be without our trouble.
    pub(crate) const DYNAMIC_HOOK: Self = Self("dynamic/bellwether-hook");
    /// What runs the real client for a test.
    pub(crate) const RIG: Self = Self("rig");

    /// Builds the program and puts it into its place.
    pub(super) fn build(&self, workspace: &Workspace, profile: Profile) -> Result<()> {
        let mut command = Command::new(workspace.root.join("scripts/build"));
        command.env("CARGO", cargo());
        command.env("CARGO_TARGET_DIR", &workspace.target);
        if profile == Profile::Debug {
            command.arg("--debug");
        }
        let status = command.arg(self.0).status().context("run scripts/build")?;
        ensure!(status.success(), "the build of {} failed", self.0);
        Ok(())
    }
}

/// The folder of finished programs.
#[derive(Debug, Clone)]
pub(crate) struct Dist(PathBuf);

impl Dist {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The finished programs, for whoever puts them to the test.
    pub(crate) fn programs(&self) -> Result<bellwether_tests::Programs> {
        bellwether_tests::Programs::in_folder(self.0.clone())
    }

    pub(crate) fn path(&self, program: &Program) -> PathBuf {
        self.0.join(program.0)
    }
}
