//! The plugin: what its hooks start, and what `install`, `uninstall` and `doctor` make of one that is on.

mod beside;
mod starter;

use std::path::{Path, PathBuf};

/// The plugin in the tree.
fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin")
}
