//! The packages of this workspace and what each depends on, as cargo tells it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use bellwether_tests::run::printed;
use serde_json::Value;

/// A crate, and those of this workspace that it names as dependencies.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) needs: Vec<String>,
}

/// What the programs are made of: the packages in `crates/`.
pub(super) fn crates() -> Result<Vec<Package>> {
    let told = cargo(&["metadata", "--no-deps", "--format-version", "1"])?;
    let told: Value = serde_json::from_str(&told)?;
    let packages = told["packages"].as_array().context("no packages")?;
    packages
        .iter()
        .filter(|told| is_crate(told))
        .map(package)
        .collect()
}

fn is_crate(told: &Value) -> bool {
    let manifest = Path::new(told["manifest_path"].as_str().unwrap_or_default());
    let mut folders = manifest.ancestors().skip(2);
    folders
        .next()
        .is_some_and(|above| above.ends_with("crates"))
}

fn package(told: &Value) -> Result<Package> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let needs = told["dependencies"].as_array().context("no dependencies")?;
    // Only what stands in this workspace has a path.
    let ours = needs.iter().filter(|needed| needed["path"].is_string());
    Ok(Package {
        name: text(&told["name"]).context("no name")?,
        needs: ours.filter_map(|needed| text(&needed["name"])).collect(),
    })
}

/// Everything that is linked into a package, by name; what only runs at compile time is not.
pub(super) fn linked_into(package: &str) -> Result<BTreeSet<String>> {
    tree(&["--package", package])
}

/// Everything that is linked into anything of this workspace.
pub(super) fn linked_anywhere() -> Result<BTreeSet<String>> {
    tree(&["--workspace"])
}

fn tree(which: &[&str]) -> Result<BTreeSet<String>> {
    let edges = ["--edges", "normal,no-proc-macro", "--prefix", "none"];
    let words = [&["tree"], which, &edges, &["--format", "{p}"]].concat();
    let told = cargo(&words)?;
    let names = told.lines().filter_map(|line| line.split(' ').next());
    Ok(names.map(str::to_owned).collect())
}

fn cargo(words: &[&str]) -> Result<String> {
    let mut command = std::process::Command::new(env!("CARGO"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    printed(command.args(words).arg("--offline").current_dir(root))
}
