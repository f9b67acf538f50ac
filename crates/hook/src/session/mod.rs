//! What matters at the beginning of a session: where the repository stands, and whether secrets are encrypted.
//!
//! Architecture Invariant: names that others chose are quoted and cut, every line is one line, and no value of a secret is
//! ever in one.

mod conventions;
mod dotenv;
mod git;

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

pub(crate) use conventions::reminder;

/// How long the files of a project are waited for once git has answered: a disk may be slow, or gone.
const PATIENCE: Duration = Duration::from_millis(200);

/// One thing that matters, in one line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    text: String,
    weight: Weight,
}

/// How much something matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Good to know.
    Light,
    /// Something should be done about it.
    Heavy,
}

impl Line {
    pub(crate) fn plain(&self) -> String {
        format!("bellwether: {}", self.text)
    }

    /// With colours: the client's own grey for what is light, yellow for what is not.
    pub(crate) fn coloured(&self) -> String {
        match self.weight {
            Weight::Light => self.plain(),
            Weight::Heavy => format!("\u{1b}[33m{}\u{1b}[39m", self.plain()),
        }
    }
}

/// A line each about the repository around a folder and about the secrets of a project, where there is something to say.
pub(crate) fn checks(repository: Option<PathBuf>, project: Option<PathBuf>) -> Vec<Line> {
    let looking = project.map(|project| {
        let (sender, answer) = mpsc::channel();
        // Nobody waits for it but us, and it ends with the process. Without a thread nothing is said.
        let look = move || drop(sender.send(dotenv::secrets(&project)));
        let _ = std::thread::Builder::new().spawn(look);
        answer
    });
    let git = repository.and_then(|folder| git::standing(&folder));
    let secrets = looking.and_then(|answer| answer.recv_timeout(PATIENCE).ok().flatten());
    git.into_iter().chain(secrets).collect()
}
