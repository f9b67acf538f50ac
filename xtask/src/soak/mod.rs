//! Long runs of what must hold for ever: no event is lost or doubled whoever dies, and no bytes
//! make us fail. Each prints how it goes on and a summary; a finding fails the run.

mod cold;
mod crash;
mod fuzz;
mod ledger;
mod race;
mod torn;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use crate::Outcome;
use crate::build::{self, Dist, Profile, Program};
use crate::installation::Installation;
use crate::random::Random;
use crate::workspace::Workspace;

/// What `soak` is asked for.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only these
    #[arg(long, num_args = 1.., value_parser = PossibleValuesParser::new(names()))]
    only: Vec<String>,
    /// How long bytes are damaged
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// How many rounds the others run; each has its own usual number
    #[arg(long)]
    rounds: Option<usize>,
    /// Try this file only, instead of damaged bytes
    #[arg(long)]
    input: Option<PathBuf>,
    /// Repeat the run of this seed
    #[arg(long)]
    seed: Option<u64>,
}

/// What every run may use.
struct Soak {
    workspace: Workspace,
    rounds: Option<usize>,
    time: Duration,
    input: Option<PathBuf>,
    seed: u64,
    built: OnceCell<Dist>,
}

impl Soak {
    /// The programs as they are shipped, built by the first run that needs them.
    fn programs(&self) -> Result<Dist> {
        if let Some(built) = self.built.get() {
            return Ok(built.clone());
        }
        let wanted = [Program::HOOK, Program::MAIN];
        let built = build::programs(&self.workspace, Profile::Release, &wanted)?;
        Ok(self.built.get_or_init(|| built).clone())
    }

    fn random(&self) -> Random {
        Random::new(self.seed)
    }
}

/// What a run found.
#[derive(Debug, Default)]
struct Report {
    /// What was done, in a line.
    summary: String,
    /// What should not have happened.
    findings: Vec<String>,
}

impl Report {
    /// A report on an installation, whose files are kept when they tell of something.
    fn of(place: Installation, summary: String, mut findings: Vec<String>) -> Self {
        if !findings.is_empty() {
            findings.push(format!("the files are kept in {}", place.keep().display()));
        }
        Self { summary, findings }
    }
}

/// One run.
struct Run {
    name: &'static str,
    run: fn(&Soak) -> Result<Report>,
}

macro_rules! runs {
    ($($name:ident),* $(,)?) => {
        const RUNS: &[Run] = &[$(Run { name: stringify!($name), run: $name::run }),*];
    };
}

runs![crash, torn, race, cold, fuzz];

fn names() -> impl Iterator<Item = &'static str> {
    RUNS.iter().map(|run| run.name)
}

/// Runs what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let soak = Soak {
        workspace: Workspace::find()?,
        rounds: arguments.rounds,
        time: Duration::try_from_secs_f64(arguments.minutes * 60.0)?,
        input: arguments.input.clone(),
        seed: arguments.seed.unwrap_or_else(Random::fresh_seed),
        built: OnceCell::new(),
    };
    eprintln!("seed {}", soak.seed);
    let only = &arguments.only;
    let mut outcome = Outcome::Good;
    for run in RUNS {
        if only.is_empty() || only.iter().any(|name| name == run.name) {
            let report = (run.run)(&soak)?;
            println!("{}: {}", run.name, report.summary);
            for finding in &report.findings {
                println!("  found: {finding}");
                outcome = Outcome::Bad;
            }
        }
    }
    Ok(outcome)
}
