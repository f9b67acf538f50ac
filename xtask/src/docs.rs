//! Writes the pages that are made from the code. A test of the code says when they are old.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::Outcome;
use crate::workspace::{Workspace, cargo};

/// Each page, and the words that make the big binary print it.
const PAGES: [(&str, [&str; 2]); 2] = [
    ("docs/config.md", ["config", "reference"]),
    ("docs/config.schema.json", ["config", "schema"]),
];

/// Writes them all.
pub(crate) fn run() -> Result<Outcome> {
    let workspace = Workspace::find()?;
    for (page, words) in PAGES {
        let output = Command::new(cargo())
            .args(["run", "--quiet", "--package", "bellwether", "--"])
            .args(words)
            .current_dir(&workspace.root)
            .output()
            .context("run cargo")?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let path = workspace.root.join(page);
        std::fs::write(&path, output.stdout)
            .with_context(|| format!("write {}", path.display()))?;
        println!("{page}");
    }
    Ok(Outcome::Good)
}
