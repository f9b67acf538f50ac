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
use super::sound::Sound;
use crate::registration::{Scope, Way, program};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace(pub f64);

/// Where the story is played.
pub(crate) struct Stage<'a> {
    home: &'a Home,
    cast: Cast,
    hook: PathBuf,
    language: Language,
    sound: Sound,
}

impl<'a> Stage<'a> {
    pub(crate) fn set(home: &'a Home, language: Language) -> anyhow::Result<Self> {
        Ok(Self {
            home,
            cast: Cast::gather()?,
            hook: program(Scope::User, Way::AtOnce)?,
            language,
            sound: Sound::find(home)?,
        })
    }

    /// What the ids of its sessions begin with.
    pub(crate) fn sessions(&self) -> &str {
        self.cast.sessions()
    }

    pub(crate) fn sound(&self) -> &Sound {
        &self.sound
    }

    /// Plays all of the story. `tell` hears what a watcher should know.
    pub(crate) fn play(&self, pace: Pace, mut tell: impl FnMut(&str)) -> anyhow::Result<()> {
        let begun = Instant::now();
        let mut waiting = Vec::new();
        std::thread::scope(|scope| {
            for Scene { at, what } in story()? {
                let due = Duration::from_secs_f64(at / pace.0.max(f64::MIN_POSITIVE));
                std::thread::sleep(due.saturating_sub(begun.elapsed()));
                match what {
                    What::Saying { say } => {
                        scope.spawn(move || self.sound.say(self.home, say.words(self.language)));
                    }
                    What::Telling { tell: told, silent } => {
                        let silent = silent.filter(|_| self.sound.silent().is_some());
                        tell(silent.unwrap_or(told).words(self.language));
                    }
                    What::Event(event) => waiting.extend(self.show(&event, &mut tell)?),
                }
            }
            for hook in waiting {
                hook.wait_with_output().context("a hook was lost")?;
            }
            Ok(())
        })
    }

    /// Sends an event, and tells what the hook stopped. A permission request may wait for an answer from the page; what
    /// happens next ends that, so it is not waited for here.
    fn show(
        &self,
        event: &Happening,
        tell: &mut impl FnMut(&str),
    ) -> anyhow::Result<Option<Child>> {
        let hook = self.send(event)?;
        if event.kind() == Kind::PermissionRequest {
            return Ok(Some(hook));
        }
        if let Some(reason) = reason(hook)? {
            tell(&format!("  ⛔ {}: {reason}", self.language.words().stopped));
        }
        Ok(None)
    }

    /// Gives an event to the hook, as the client would.
    fn send(&self, event: &Happening) -> anyhow::Result<Child> {
        if let Some(says) = &event.says {
            self.cast.write_down(event, says)?;
        }
        let payload = self.cast.payload(event)?;
        let project = self.cast.project(&event.who)?;
        let mut command = Command::new(&self.hook);
        command.args(["--from", "demo"]);
        if let Some(root) = self.home.root() {
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

/// More than any reason has.
const REASON: usize = 2_000;

/// Why the hook stopped what it was given.
fn reason(hook: Child) -> anyhow::Result<Option<String>> {
    let output = hook.wait_with_output().context("a hook was lost")?;
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = &reply["hookSpecificOutput"];
    let stops = matches!(said["permissionDecision"].as_str(), Some("deny" | "ask"));
    let reason = said["permissionDecisionReason"].as_str().filter(|_| stops);
    Ok(reason.map(|reason| text::shown(reason, REASON)))
}
