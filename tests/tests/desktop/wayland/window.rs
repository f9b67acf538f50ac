//! A window below the panels: a terminal that writes down where it was clicked.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use anyhow::{Context as _, Result};
use bellwether_tests::{Sway, sway, wait};

/// Asks the terminal to report clicks, and keeps what it reports.
const PROGRAM: &str =
    "stty raw -echo; printf '\\033[?1000h\\033[?1006h'; : > shown; exec cat > clicks";

/// How sway tells of its window.
const APP: &str = r#""app_id":"foot""#;

pub(super) struct Window {
    process: Child,
    clicks: PathBuf,
}

impl Window {
    /// Opens it, and waits until it is there. It fills the screen.
    pub(super) fn open(sway: &Sway) -> Result<Self> {
        let mut foot = sway.command("foot");
        foot.args(["sh", "-c", PROGRAM]);
        let process = foot.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let window = Self {
            process,
            clicks: sway.folder().join("clicks"),
        };
        let shown = sway.folder().join("shown");
        let is_shown = || {
            let asks = shown.exists() && window.clicks.exists();
            // The terminal starts its program before it has a window.
            let is_there = asks && sway.ask("get_tree")?.to_string().contains(APP);
            Ok(is_there.then_some(()))
        };
        wait::until(sway::LONG, is_shown)?.context("foot shows nothing: install it")?;
        Ok(window)
    }

    /// How often it was told of a pressed button.
    pub(super) fn clicks(&self) -> Result<usize> {
        let told = fs::read_to_string(&self.clicks)?;
        Ok(told.matches('M').count())
    }

    /// Waits until it was clicked so often.
    pub(super) fn until_clicked(&self, times: usize) -> Result<()> {
        let enough = || Ok((self.clicks()? >= times).then_some(()));
        wait::until(sway::LONG, enough)?.context("the window was not clicked")
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
