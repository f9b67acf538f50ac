//! Plays the story at its pace.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use bellwether_announce::Language;
use bellwether_protocol::event::Kind;
use bellwether_spine::Home;
use bellwether_spine::text;
use serde_json::Value;

use super::cast::Cast;
use super::scene::{Happening, Scene, What, story};
use crate::registration::{Way, program};

/// As much of a reason as is shown.
const REASON: usize = 300;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace(pub f64);

/// Plays all of it. `tell` hears what a watcher should know.
pub(crate) fn play(
    home: &Home,
    pace: Pace,
    language: Language,
    mut tell: impl FnMut(&str),
) -> anyhow::Result<()> {
    let stage = Stage {
        cast: Cast::gather()?,
        hook: program(Way::AtOnce)?,
        root: home.root().map(PathBuf::from),
    };
    let begun = Instant::now();
    let mut waiting = Vec::new();
    for Scene { at, what } in story()? {
        let due = Duration::from_secs_f64(at / pace.0.max(f64::MIN_POSITIVE));
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        match what {
            What::Telling { tell: told } => {
                let theirs = told.get(language.code());
                let words = theirs.or_else(|| told.get(Language::default().code()));
                tell(words.map_or("", String::as_str));
            }
            What::Event(event) => {
                let hook = stage.send(&event)?;
                // It may wait for an answer from the page; what happens next ends that.
                if event.kind() == Kind::PermissionRequest {
                    waiting.push(hook);
                } else if let Some(reason) = reason(hook)? {
                    tell(&format!("  ⛔ {}: {reason}", language.words().stopped));
                }
            }
        }
    }
    for hook in waiting {
        hook.wait_with_output().context("a hook was lost")?;
    }
    Ok(())
}

struct Stage {
    cast: Cast,
    hook: PathBuf,
    root: Option<PathBuf>,
}

impl Stage {
    /// Gives an event to the hook, as the client would.
    fn send(&self, event: &Happening) -> anyhow::Result<Child> {
        if let Some(says) = &event.says {
            self.cast.write_down(event, says)?;
        }
        let payload = self.cast.payload(event)?;
        let project = self.cast.project(&event.who)?;
        let mut command = Command::new(&self.hook);
        command.args(["--from", "demo"]);
        if let Some(root) = &self.root {
            command.arg("--home").arg(root);
        }
        let mut hook = command
            .current_dir(&project)
            .env("CLAUDE_PROJECT_DIR", &project)
            .env("CLAUDE_CODE_ENTRYPOINT", "cli")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", self.hook.display()))?;
        if let Some(mut stdin) = hook.stdin.take() {
            stdin.write_all(payload.as_bytes())?;
        }
        Ok(hook)
    }
}

/// Why the hook stopped what it was given.
fn reason(hook: Child) -> anyhow::Result<Option<String>> {
    let output = hook.wait_with_output().context("a hook was lost")?;
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = &reply["hookSpecificOutput"];
    let stops = matches!(said["permissionDecision"].as_str(), Some("deny" | "ask"));
    let reason = said["permissionDecisionReason"].as_str().filter(|_| stops);
    Ok(reason.map(|reason| text::shown(reason, REASON)))
}
