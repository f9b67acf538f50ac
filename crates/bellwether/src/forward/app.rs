//! What is started when no collector is there: a program that the environment names, else our daemon.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use bellwether_daemon::control::Client;
use bellwether_spine::{Home, launch, lock};

use super::{Collector, Variables, either};

/// How long it may take to come up.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is asked whether it has.
const ASK_EVERY: Duration = Duration::from_millis(50);

pub(crate) struct App<'a> {
    home: &'a Home,
    named: Option<String>,
}

impl<'a> App<'a> {
    /// The one that the environment names, else our own daemon.
    pub(crate) fn find(home: &'a Home, variables: Variables<'_>) -> Self {
        Self {
            home,
            named: either(variables, "APP_PATH"),
        }
    }

    /// Starts it, unless the collector is there, and waits until that is well.
    pub(crate) fn ensure_runs(&self, collector: &Collector) -> anyhow::Result<()> {
        if collector.is_healthy() {
            return Ok(());
        }
        match &self.named {
            Some(path) => start(path).context("app not found, cannot auto-launch")?,
            None => self
                .start_daemon()
                .context("app not found, cannot auto-launch")?,
        }
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            std::thread::sleep(ASK_EVERY);
            if collector.is_healthy() {
                return Ok(());
            }
        }
        match self.trouble() {
            Some(trouble) => bail!("app launch timeout: {trouble}"),
            None => bail!("app launch timeout"),
        }
    }

    fn start_daemon(&self) -> anyhow::Result<()> {
        self.home.create()?;
        // Whoever holds the lock is a daemon, or starts one.
        if let Some(lock) = lock::try_take(self.home)? {
            launch::daemon(&launch::program()?, self.home, &lock, &[])?;
        }
        Ok(())
    }

    /// Why our own daemon serves no HTTP.
    fn trouble(&self) -> Option<String> {
        self.named.is_none().then_some(())?;
        Client::connect(self.home)
            .ok()??
            .status()
            .ok()?
            .http_trouble
    }
}

/// Starts a program so that it outlives us, whatever ends us: forked twice, with nothing of ours open.
fn start(path: &str) -> anyhow::Result<()> {
    if let Some(here) = windows_path(path) {
        bail!(
            "{path} is a path of Windows; from here it is {}",
            here.display()
        );
    }
    let runs = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    ensure!(runs && Path::new(path).is_file(), "{path} is no program");
    let status = Command::new("/bin/sh")
        .args(["-c", r#""$0" &"#, path])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .status()?;
    ensure!(status.success(), "{path} cannot be started");
    Ok(())
}

/// Where WSL has what Windows calls `C:\…`.
fn windows_path(path: &str) -> Option<PathBuf> {
    let mut letters = path.chars();
    let drive = letters.next().filter(char::is_ascii_alphabetic)?;
    (letters.next() == Some(':') && matches!(letters.next(), Some('/' | '\\'))).then_some(())?;
    let rest = path.get(3..)?.replace('\\', "/");
    Some(
        Path::new("/mnt")
            .join(drive.to_ascii_lowercase().to_string())
            .join(rest),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_windows_is_known() {
        assert_eq!(
            windows_path(r"F:\git\app.exe"),
            Some("/mnt/f/git/app.exe".into())
        );
        assert_eq!(windows_path("c:/x"), Some("/mnt/c/x".into()));
        for path in ["/c:/x", "c:x", "cc:/x", "é:/x", ""] {
            assert_eq!(windows_path(path), None, "{path}");
        }
    }
}
