//! A machine of its own for somebody who tries to get rid of the guard: every file of this one is there, what is changed
//! lasts until its end, and nothing is seen outside.
//!
//! [`Worlds`] installs once, in a layer over this machine's files; each way is then tried in a layer over that, with a
//! daemon of its own, by an [`agent`] that asks the registered hooks before each call as the client does. Afterwards
//! [`freed`] says whether the guard still holds.

pub mod agent;
mod freed;
mod inside;
mod way;

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::Programs;
use crate::env::SYSTEM_PATH;
pub use inside::{claude, install, live};
pub use way::{Expected, Mode, Step, Way, table};

const ENTER: &str = include_str!("enter.sh");
/// Where the rig and a way are found inside.
const INSIDE: &str = "opt/world";
/// How long one way may take: a hundred times what it does.
const PATIENCE: Duration = Duration::from_mins(1);
/// How many are tried at once.
const SIDE_BY_SIDE: usize = 3;

/// What became of a way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tried {
    /// The step that was stopped, and by what.
    pub stopped: Option<String>,
    /// What the agent has won; nothing when the guard holds.
    pub freed: Vec<String>,
    /// What its commands printed.
    pub said: String,
    /// Why nobody knows: the way could not be tried.
    pub failed: Option<String>,
}

/// Tries all ways in one mode and says what became of each. Only for a process in a mount namespace of its own, as root.
pub fn try_all(mode: Mode, ways: &[Way], programs: &Programs) -> Result<Vec<Tried>> {
    let worlds = Worlds::installed(mode, programs)?;
    let (next, tried) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(way) = ways.get(at) else {
                return Ok(());
            };
            let outcome = worlds.attempt(way).unwrap_or_else(|error| Tried {
                stopped: None,
                freed: Vec::new(),
                said: String::new(),
                failed: Some(format!("{error:#}")),
            });
            let mut tried = tried.lock().map_err(|_| anyhow::anyhow!("a try failed"))?;
            tried.push((at, outcome));
        }
    };
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..SIDE_BY_SIDE).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker
                .join()
                .map_err(|_| anyhow::anyhow!("a try failed"))??;
        }
        Ok(())
    })?;
    let mut tried = tried.into_inner()?;
    tried.sort_by_key(|(at, _)| *at);
    Ok(tried.into_iter().map(|(_, tried)| tried).collect())
}

/// A machine with bellwether on it, ready to be tried.
struct Worlds {
    folder: tempfile::TempDir,
    mode: Mode,
}

impl Worlds {
    fn installed(mode: Mode, programs: &Programs) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bw").tempdir()?;
        let worlds = Self { folder, mode };
        let status = Command::new("mount")
            .args(["-t", "tmpfs", "none"])
            .arg(worlds.folder.path())
            .status()
            .context("mount does not start")?;
        ensure!(
            status.success(),
            "a file system in memory cannot be mounted"
        );
        fs::write(worlds.enter(), ENTER)?;
        let base = worlds.base();
        let inside = base.join("upper").join(INSIDE);
        for folder in [&inside, &base.join("work")] {
            fs::create_dir_all(folder)?;
        }
        for (from, name) in [
            (std::env::current_exe()?, "rig"),
            (programs.main(), "bellwether"),
            (programs.hook(), "bellwether-hook"),
        ] {
            fs::copy(&from, inside.join(name))
                .with_context(|| format!("copying {}", from.display()))?;
        }
        let layers = vec![PathBuf::from("/")];
        worlds.enter_and(&base, &layers, &["install", mode.name()], "")?;
        Ok(worlds)
    }

    fn attempt(&self, way: &Way) -> Result<Tried> {
        let world = tempfile::Builder::new()
            .prefix("try")
            .tempdir_in(self.folder.path())?;
        let layers = vec![self.base().join("upper"), PathBuf::from("/")];
        let text = serde_json::to_string(way)?;
        let said = self.enter_and(world.path(), &layers, &["live", self.mode.name()], &text)?;
        let last = said.lines().last().unwrap_or_default();
        serde_json::from_str(last).with_context(|| format!("not an outcome: {said}"))
    }

    fn base(&self) -> PathBuf {
        self.folder.path().join("base")
    }

    fn enter(&self) -> PathBuf {
        self.folder.path().join("enter.sh")
    }

    /// Runs `rig world …` in a machine of its own and returns what it said. What it is to try comes on its stdin: an
    /// agent that looks for a word in the process table must not find it.
    fn enter_and(
        &self,
        scratch: &Path,
        layers: &[PathBuf],
        words: &[&str],
        input: &str,
    ) -> Result<String> {
        let layers: Vec<String> = layers.iter().map(|at| at.display().to_string()).collect();
        let mut child = Command::new("unshare")
            .args([
                "--mount",
                "--pid",
                "--net",
                "--ipc",
                "--uts",
                "--fork",
                "--kill-child",
            ])
            .args(["sh".as_ref(), self.enter().as_os_str(), scratch.as_os_str()])
            .arg(layers.join(":"))
            .arg(format!("/{INSIDE}/rig"))
            .arg("world")
            .args(words)
            .env_clear()
            .env("PATH", SYSTEM_PATH)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting unshare")?;
        let mut stdin = child.stdin.take().context("it has a stdin")?;
        stdin.write_all(input.as_bytes())?;
        drop(stdin);
        let mut said = child.stdout.take().context("it has a stdout")?;
        let reader = std::thread::spawn(move || -> std::io::Result<String> {
            let mut text = String::new();
            said.read_to_string(&mut text).map(|_| text)
        });
        let begun = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if begun.elapsed() > PATIENCE => {
                    child.kill()?;
                    child.wait()?;
                    bail!("it took more than {PATIENCE:?}");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let said = reader
            .join()
            .map_err(|_| anyhow::anyhow!("its output cannot be read"))??;
        ensure!(status.success(), "{status}: {said}");
        Ok(said)
    }
}

impl Drop for Worlds {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg("--lazy")
            .arg(self.folder.path())
            .status();
    }
}
