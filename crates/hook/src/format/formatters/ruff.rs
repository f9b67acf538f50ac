//! Ruff's formatter. It keeps to the project's settings, and what those exclude comes back as it was.

use std::path::Path;

use super::{Call, PYTHON, Way};
use crate::format::target::{Target, read};

pub(super) const ENDINGS: &[&str] = &["py", "pyi"];
pub(super) const USED: &str = "a `ruff.toml` or `.ruff.toml`, or `ruff` in `pyproject.toml`, unless that has settings for black or yapf and none for Ruff's formatter";
pub(super) const WAY: Way = Way::Stream;
pub(super) const PROGRAMS: &[&str] = &["ruff"];
pub(super) const LOCAL: &[&str] = &PYTHON;

pub(super) fn is_used(target: &Target) -> bool {
    let manifests = || {
        let every = target.every(&["pyproject.toml"]);
        every.filter_map(|path| read(&path))
    };
    target.nearest(&["ruff.toml", ".ruff.toml"]).is_some()
        || manifests().any(|manifest| is_chosen(&manifest))
}

/// Many lint with it and format with something else.
fn is_chosen(manifest: &str) -> bool {
    let has = |table: &str| {
        let mut lines = manifest.lines().map(str::trim);
        lines.any(|line| line == format!("[{table}]") || line.starts_with(&format!("[{table}.")))
    };
    let formats_otherwise = has("tool.black") || has("tool.yapf");
    let needs = || {
        let words = manifest.split(['"', '\'', '\n']);
        let package = |word: &str| {
            let end = word.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
            word[..end.unwrap_or(word.len())].to_ascii_lowercase()
        };
        words.map(str::trim).any(|word| package(word) == "ruff")
    };
    has("tool.ruff.format") || !formats_otherwise && (has("tool.ruff") || needs())
}

pub(super) fn call(target: &Target, _: &Path) -> Call {
    let words = ["format", "--quiet", "--force-exclude", "--stdin-filename"];
    let call = Call::new(target.root(), &words);
    call.with(target.file()).with("-")
}
