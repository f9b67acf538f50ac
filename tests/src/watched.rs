//! The real client with our hook on every event that we register, beside the recorder.

use anyhow::{Result, ensure};
use bellwether_hook::handlers::registrations;
use serde_json::Value;

use crate::run::printed;
use crate::{Headless, Home, Hook, Outcome, Programs, Scenario, Settings, client, jsonl};

/// A home of the client, and the programs that are told what happens in it.
pub struct Watched {
    pub home: Home,
    pub programs: Programs,
}

impl Watched {
    /// A fresh one; `rig` is the program that plays the rig's parts inside.
    pub fn new(rig: &str) -> Result<Self> {
        Self::with(rig, |settings| settings)
    }

    /// A fresh one whose settings have more than our hook and the recorder.
    pub fn with(rig: &str, more: impl FnOnce(Settings) -> Settings) -> Result<Self> {
        let (home, programs) = (Home::fresh(rig)?, Programs::built()?);
        let settings = registrations()
            .iter()
            .fold(home.recording(), |settings, registration| {
                let ours = Hook::exec(programs.hook())
                    .args(["--client", client::CLIENT_VERSION, "--from", "user"])
                    .timeout(registration.timeout_s);
                settings.on([registration.kind.as_str()], &ours)
            });
        home.write_settings(&more(settings))?;
        Ok(Self { home, programs })
    }

    /// What a command of ours prints, as the person of that home would see it.
    pub fn printed(&self, words: &[&str]) -> Result<String> {
        printed(self.home.command(&self.programs.main()).args(words))
    }

    /// Every stored event, as `bellwether events --json` shows it.
    pub fn stored(&self) -> Result<Vec<Value>> {
        jsonl::parse(&self.printed(&["events", "--json", "--limit", "0"])?)
    }

    /// Plays a scenario without a terminal, where edits and commands need no leave.
    pub fn play(&self, scenario: Scenario) -> Result<()> {
        let outcome = play(&self.home, scenario)?;
        ensure!(outcome.status.success(), "{}", outcome.stderr);
        Ok(())
    }
}

/// Plays a scenario in a home without a terminal, where edits and commands need no leave.
pub fn play(home: &Home, scenario: Scenario) -> Result<Outcome> {
    Headless::new(home)
        .scenario(scenario)
        .args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash"])
        .run()
}
