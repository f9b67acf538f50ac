//! Rust: rustfmt and clippy, with what the project has built already.

use std::ffi::OsString;

use super::{Found, Place};
use crate::tools::is_program;

pub(super) const ABOUT: &str = "cargo fmt --check, cargo clippy -D warnings";
pub(super) const MANIFESTS: &[&str] = &["Cargo.toml"];

const OFFLINE: &str = "a crate is not downloaded; run `cargo fetch`";
const COMPONENT: &str = "install the component with `rustup component add`";

/// What says that something is not installed.
const ABSENT: &[(&str, &str)] = &[
    ("you're using offline mode (--offline)", OFFLINE),
    ("but --offline was specified", OFFLINE),
    ("is not installed for the toolchain", COMPONENT),
    ("error: no such command:", COMPONENT),
];

/// The checks: name, the program that cargo needs for it, words.
const CHECKS: &[(&str, &str, &str)] = &[
    (
        "rust-clippy",
        "cargo-clippy",
        "cargo clippy --workspace --all-targets --offline -- -D warnings",
    ),
    ("rust-fmt", "cargo-fmt", "cargo fmt --all --check"),
];

pub(super) fn find(place: Place<'_>) -> Vec<Found> {
    let checks = CHECKS.iter();
    checks
        .map(|(name, needed, shown)| step(place, name, needed, shown))
        .collect()
}

fn step(place: Place<'_>, name: &str, needed: &str, shown: &str) -> Found {
    let how = "there is Cargo.toml".to_owned();
    let shown = if place.scene.config.download {
        shown.replace(" --offline", "")
    } else {
        shown.to_owned()
    };
    let tools = place.scene.tools;
    let Some(cargo) = tools.find("cargo") else {
        return place.missing(name, &shown, how, ("cargo", "install Rust"));
    };
    let beside = cargo
        .canonicalize()
        .unwrap_or_default()
        .with_file_name(needed);
    if tools.find(needed).is_none() && !is_program(&beside) {
        return place.missing(name, &shown, how, (needed, COMPONENT));
    }
    let mut step = place.step(name, &cargo, &shown, how);
    step.absent = ABSENT;
    step.variables
        .extend(target(place).map(|folder| ("CARGO_TARGET_DIR", folder)));
    Found::Step(step)
}

/// The folder that the project builds into, where the tree stands elsewhere: what others wrote is built there already.
fn target(place: Place<'_>) -> Option<OsString> {
    let elsewhere = place.scene.root != place.scene.real;
    let configured = std::env::var_os("CARGO_TARGET_DIR").is_some();
    if !elsewhere || configured {
        return None;
    }
    let is_workspace = |place: &Place<'_>| {
        let manifest = place.read("Cargo.toml").unwrap_or_default();
        manifest
            .lines()
            .any(|line| line.trim_start().starts_with("[workspace"))
    };
    let workspace = place.upwards().find(is_workspace).unwrap_or(place);
    Some(workspace.real().join("target").into())
}
