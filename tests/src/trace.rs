//! Traces: what is in a folder, to tell whether somebody has been there.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;

/// Everything below a folder: names, contents and times of the last change, in the order of names.
pub fn of(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>, SystemTime)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(of(&path)?);
        }
        let content = std::fs::read(&path).unwrap_or_default();
        let changed = path.symlink_metadata()?.modified()?;
        found.push((path, content, changed));
    }
    found.sort();
    Ok(found)
}
