//! Where the sources and the built things of this workspace are.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// The folders of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    pub root: PathBuf,
    /// Cargo's target folder, wherever its settings put it.
    pub target: PathBuf,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self> {
        let asked = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .context("run cargo metadata")?;
        ensure!(
            asked.status.success(),
            "cargo metadata: {}",
            String::from_utf8_lossy(&asked.stderr)
        );
        let told: serde_json::Value = serde_json::from_slice(&asked.stdout)?;
        let folder = |key: &str| told[key].as_str().map(PathBuf::from);
        Ok(Self {
            root: folder("workspace_root").context("cargo names no workspace")?,
            target: folder("target_directory").context("cargo names no target folder")?,
        })
    }

    /// The payloads that were recorded from the real client.
    pub(crate) fn payloads(&self) -> PathBuf {
        self.root.join("crates/protocol/fixtures/payloads")
    }

    /// A folder for what a run leaves behind, created.
    pub(crate) fn leavings(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join(name);
        std::fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
        Ok(folder)
    }
}

/// The cargo that runs us, or the one in the search path.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| Path::new("cargo").to_owned(), PathBuf::from)
}
