//! A session whose permission requests can be answered from the page.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::run::printed;
use crate::{Home, Interactive, Programs, Terminal, client};

/// What the client's own dialog asks.
pub const DIALOG: &str = "Do you want to proceed?";

/// A home of the real client with our hook in it, as people install it, and answers from the page switched on.
pub struct Answered {
    home: Home,
    programs: Programs,
}

impl Answered {
    /// A fresh one; `rig` is the program that plays the rig's parts inside.
    pub fn new(rig: &str) -> Result<Self> {
        let answered = Self {
            home: Home::fresh(rig)?,
            programs: Programs::built()?,
        };
        let config = answered.home.dir().join(".config/bellwether");
        fs::create_dir_all(&config)?;
        fs::write(config.join("config.yaml"), "page: {answer: true}\n")?;
        answered.cli(&["install", "--client-version", client::CLIENT_VERSION])?;
        let project = answered.home.project().display().to_string();
        answered.cli(&["config", "compile", "--project", &project])?;
        Ok(answered)
    }

    /// What a command of ours prints, for the person of that home.
    pub fn cli(&self, words: &[&str]) -> Result<String> {
        printed(self.home.command(&self.programs.main()).args(words))
    }

    pub fn state(&self) -> PathBuf {
        self.home.dir().join(".local/state/bellwether")
    }

    /// The client in a terminal, asking before it does something.
    pub fn terminal(&self) -> Result<Terminal<'_>> {
        Interactive::new(&self.home)
            .args(["--permission-mode", "default"])
            .start()
    }

    /// The file that the agent would make.
    pub fn made(&self) -> PathBuf {
        self.home.project().join("made.txt")
    }

    /// Everything that the model was told in a scenario.
    pub fn told(&self, scenario: &str) -> Result<String> {
        let log = self.home.api_log()?;
        let mut talk = log.iter().filter(|request| request["script"] == scenario);
        let last = talk.next_back().map(|request| &request["messages"]);
        Ok(last.context("nothing was asked of the model")?.to_string())
    }
}
