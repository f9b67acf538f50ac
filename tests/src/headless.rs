//! The client without a terminal: one prompt, and everything it reports until it ends.

use std::fs;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::client;
use crate::dialect::Dialect;
use crate::env::ClientEnv;
use crate::home::Home;
use crate::inside::Plan;
use crate::recorder::Record;
use crate::scenario::Scenario;

/// A headless run to be.
#[derive(Debug)]
pub struct Headless<'a> {
    home: &'a Home,
    version: String,
    env: ClientEnv,
    prompt: String,
    scenarios: Vec<Scenario>,
    args: Vec<String>,
    within: Vec<String>,
    patience: Duration,
}

#[derive(Debug)]
pub struct Outcome {
    /// How the client ended.
    pub status: ExitStatus,
    /// How long it took, with some ten milliseconds for the namespace and the fake API.
    pub wall: Duration,
    /// The client's own account (`stream-json`, with its view of every hook where the version can).
    pub stream: Vec<Value>,
    /// What it wrote to stderr.
    pub stderr: String,
    /// What the recorder saw during this run.
    pub events: Vec<Record>,
}

impl<'a> Headless<'a> {
    /// A run in this home; without a scenario the model only says a word.
    pub fn new(home: &'a Home) -> Self {
        Self {
            home,
            version: client::CLIENT_VERSION.into(),
            env: ClientEnv::new(home),
            prompt: "Hello.".into(),
            scenarios: Vec::new(),
            args: Vec::new(),
            within: Vec::new(),
            patience: Duration::from_mins(2),
        }
    }

    /// Runs another version of the client.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.version = version.into();
        self
    }

    /// Plays a scenario: installs it, and makes its prompt the prompt.
    #[must_use]
    pub fn scenario(mut self, scenario: Scenario) -> Self {
        self.prompt = scenario.prompt();
        self.scenarios.push(scenario);
        self
    }

    #[must_use]
    pub fn prompt(mut self, prompt: &str) -> Self {
        self.prompt = prompt.into();
        self
    }

    /// Puts a folder in front of the client's PATH.
    #[must_use]
    pub fn path_first(mut self, folder: &Path) -> Self {
        self.env.path_first(folder);
        self
    }

    /// Adds arguments for the client.
    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Starts the client by a command of its own, which gets the client's command line as its last words.
    #[must_use]
    pub fn within<S: Into<String>>(mut self, command: impl IntoIterator<Item = S>) -> Self {
        self.within = command.into_iter().map(Into::into).collect();
        self
    }

    /// Sets a variable for the client and its hooks.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.set(name, value);
        self
    }

    /// Gives up after this time instead of two minutes.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Runs the client to its end.
    pub fn run(self) -> Result<Outcome> {
        let dialect = Dialect::of(&self.version)?;
        for scenario in &self.scenarios {
            let scenario = scenario.clone().in_dialect(dialect);
            scenario.install(&self.home.scenarios(), &self.home.project())?;
        }
        let folder = self.home.next_run()?;
        let plan = Plan::new(self.home, &self.env, self.command(dialect)?);
        let seen_before = self.home.recorded()?.len();
        let start = Instant::now();
        let status = self.wait_for_end(&plan, &folder)?;
        let wall = start.elapsed();
        let stdout = fs::read_to_string(folder.join("stdout"))?;
        let stderr = fs::read_to_string(folder.join("stderr"))?;
        let Some(status) = status else {
            bail!("no end within {:?}\n{stdout}\n{stderr}", self.patience)
        };
        let parse = |line: &str| {
            serde_json::from_str(line).with_context(|| format!("not JSON: {line}\n{stderr}"))
        };
        Ok(Outcome {
            status,
            wall,
            stream: stdout.lines().map(parse).collect::<Result<_>>()?,
            events: self.home.recorded()?.split_off(seen_before),
            stderr,
        })
    }

    fn command(&self, dialect: Dialect) -> Result<Vec<String>> {
        let client = client::fetch(&self.version)?.display().to_string();
        let mut command = self.within.clone();
        command.extend([client, "-p".into(), self.prompt.clone()]);
        command.extend(["--output-format", "stream-json", "--verbose"].map(Into::into));
        if dialect.reports_hooks() {
            command.push("--include-hook-events".into());
        }
        command.extend(self.args.iter().cloned());
        Ok(command)
    }

    /// How the run ended; `None` if it had to be ended.
    fn wait_for_end(&self, plan: &Plan, folder: &Path) -> Result<Option<ExitStatus>> {
        let mut run = plan.start(self.home.rig(), folder)?;
        let lifeline = run.stdin.take();
        let (ended, end) = mpsc::channel::<()>();
        let patience = self.patience;
        let guard = thread::spawn(move || {
            let in_time = end.recv_timeout(patience) != Err(mpsc::RecvTimeoutError::Timeout);
            drop(lifeline);
            in_time
        });
        let status = run.wait()?;
        drop(ended);
        let in_time = guard.join().unwrap_or_default();
        Ok(in_time.then_some(status))
    }
}

impl Outcome {
    /// The records of one event.
    pub fn of<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Record> {
        self.events
            .iter()
            .filter(move |record| record.event() == event)
    }

    /// The client's last words, from its `result` line.
    pub fn result(&self) -> &str {
        let result = self.stream.iter().rfind(|line| line["type"] == "result");
        result
            .and_then(|line| line["result"].as_str())
            .unwrap_or_default()
    }
}
