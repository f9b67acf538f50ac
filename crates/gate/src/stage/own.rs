//! A work tree of the gate's own, filled from git's objects.
//!
//! Its `.git` is a folder that shares objects, branches and settings with the repository (`commondir`) and has a `HEAD` and
//! an index of its own, so that tools that ask git work. Nothing is registered in the repository, and a check that commits
//! moves nobody's branch.

use std::path::Path;

use bellwether_spine::place;

use crate::GateError;
use crate::git::{Folders, Git};

/// What `HEAD` says before the first commit: a name that only this work tree has.
const UNBORN: &str = "ref: refs/worktree/unborn";

/// Files of a work tree's own settings, which say what of the tree is checked out.
const SPARSE: &[&str] = &["config.worktree", "info/sparse-checkout"];

/// Fills a folder with a tree.
pub(super) fn lay_out(
    git: &Git<'_>,
    folders: &Folders,
    tree: &str,
    folder: &Path,
) -> Result<(), GateError> {
    let own = folder.join(".git");
    place::create_private(&own.join("info"))?;
    let head = git.line(&["rev-parse", "-q", "--verify", "HEAD^{commit}"])?;
    let head = head.unwrap_or_else(|| UNBORN.to_owned());
    write(&own.join("HEAD"), format!("{head}\n").as_bytes())?;
    let common = folders.common.as_os_str().as_encoded_bytes();
    write(&own.join("commondir"), &[common, b"\n"].concat())?;
    let inner = git.within(folder);
    take_settings(&inner, folders, &own)?;
    // Several workers, where there are many files.
    let words = [
        "-c",
        "checkout.workers=0",
        "read-tree",
        "--reset",
        "-u",
        tree,
    ];
    inner.tell(&words)?;
    Ok(())
}

/// Takes over which part of the tree is checked out, and not where.
fn take_settings(inner: &Git<'_>, folders: &Folders, own: &Path) -> Result<(), GateError> {
    for name in SPARSE {
        if let Ok(text) = std::fs::read(folders.own.join(name)) {
            write(&own.join(name), &text)?;
        }
    }
    let config = own.join("config.worktree");
    if !config.exists() {
        return Ok(());
    }
    let config = config.display().to_string();
    for key in ["core.worktree", "core.bare"] {
        // One that is not there cannot be taken out, which is as good.
        inner.ask(&["config", "--file", &config, "--unset-all", key])?;
    }
    Ok(())
}

fn write(path: &Path, text: &[u8]) -> Result<(), GateError> {
    std::fs::write(path, text).map_err(GateError::io("write", path))
}
