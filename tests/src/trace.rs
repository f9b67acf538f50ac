//! Traces: what is in a folder, to tell whether somebody has been there.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// A file or folder as it was seen: what tells one version of it from another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    pub path: PathBuf,
    inode: u64,
    modified: (i64, i64),
    content: Vec<u8>,
}

/// Everything below a folder, in the order of names.
pub fn of(folder: &Path) -> Result<Vec<Seen>> {
    let mut seen = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let metadata = fs::symlink_metadata(&path)?;
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            seen.push(Seen {
                inode: metadata.ino(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                content: if metadata.is_file() {
                    fs::read(&path)?
                } else {
                    Vec::new()
                },
                path,
            });
        }
    }
    seen.sort();
    Ok(seen)
}
