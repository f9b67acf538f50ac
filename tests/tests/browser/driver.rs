//! What drives the browser: node, in the folder of the page.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, ensure};

/// Where the page and its tests are.
pub(super) fn web() -> Result<PathBuf> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    ensure!(
        web.join("node_modules/playwright-core").exists(),
        "what drives the browser is not installed; `./test` does that"
    );
    Ok(web)
}

/// Held by a test for as long as it runs: a browser wants the machine to itself. Under nextest each test is a process,
/// and its configuration sees to that; under `cargo test` they are threads of one process, and take turns here.
pub(super) fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}
