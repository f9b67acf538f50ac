//! Long runs of what must hold for ever: no event is lost or doubled whoever dies, and no bytes
//! make us fail. Each prints how it goes on and a summary; a finding fails the run.

mod fuzz;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use bellwether_tests::Random;
use bellwether_tests::endurance::{Endurance, RUNS, Report};
use clap::builder::PossibleValuesParser;

use crate::Outcome;
use crate::build::{self, Profile, Program};
use crate::workspace::Workspace;

/// The runs that are ours alone: the others are also tests.
const FUZZ: [(&str, Bytes); 3] = [
    ("fuzz", Bytes::Payloads),
    ("guard", Bytes::Commands),
    ("sounds", Bytes::Sounds),
];

/// What is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bytes {
    /// What the client sends, and what the journal holds.
    Payloads,
    /// What an agent would run.
    Commands,
    /// Sound files and packs.
    Sounds,
}

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

/// What damaging bytes may use.
struct Damage {
    workspace: Workspace,
    bytes: Bytes,
    time: Duration,
    input: Option<PathBuf>,
    seed: u64,
}

fn names() -> impl Iterator<Item = &'static str> {
    let ours = FUZZ.iter().map(|(name, _)| *name);
    RUNS.iter().map(|run| run.name).chain(ours)
}

/// Decodes one sound file, in a process that may fail.
pub(crate) fn decode() -> Outcome {
    match bellwether_audio::decode::serve() {
        Ok(()) => Outcome::Good,
        Err(reason) => {
            eprintln!("{reason}");
            Outcome::Bad
        }
    }
}

/// Runs what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let workspace = Workspace::find()?;
    let seed = arguments.seed.unwrap_or_else(Random::fresh_seed);
    eprintln!("seed {seed}");
    let wanted =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let mut outcome = Outcome::Good;
    if RUNS.iter().any(|run| wanted(run.name)) {
        let built = build::programs(
            &workspace,
            Profile::Release,
            &[Program::HOOK, Program::MAIN, Program::RIG],
        )?;
        let endurance = Endurance {
            programs: built.programs()?,
            rig: built.path(&Program::RIG),
            rounds: arguments.rounds,
            seed,
        };
        for run in RUNS.iter().filter(|run| wanted(run.name)) {
            outcome = outcome.and(tell(run.name, &(run.run)(&endurance)?));
        }
    }
    for (name, bytes) in FUZZ.into_iter().filter(|(name, _)| wanted(name)) {
        let time = Duration::try_from_secs_f64(arguments.minutes * 60.0)?;
        let damage = Damage {
            workspace: workspace.clone(),
            bytes,
            time,
            input: arguments.input.clone(),
            seed,
        };
        outcome = outcome.and(tell(name, &fuzz::run(&damage)?));
    }
    Ok(outcome)
}

fn tell(name: &str, report: &Report) -> Outcome {
    println!("{name}: {}", report.summary);
    for finding in &report.findings {
        println!("  found: {finding}");
    }
    if report.findings.is_empty() {
        Outcome::Good
    } else {
        Outcome::Bad
    }
}
