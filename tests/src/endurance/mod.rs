//! Runs of what must hold for ever: no event is lost or doubled, whoever dies and whichever version of the client sends
//! it. A few rounds of each are tests; `cargo soak` runs as many as one likes.

mod cold;
mod crash;
mod ingest;
mod ledger;
mod race;
mod torn;
mod versions;

use std::path::PathBuf;

use anyhow::Result;

use crate::{Installation, Programs, Random};

/// What every run may use.
#[derive(Debug)]
pub struct Endurance {
    /// What is put to the test.
    pub programs: Programs,
    /// What drives the real client.
    pub rig: PathBuf,
    /// How many rounds; each run has its own usual number.
    pub rounds: Option<usize>,
    /// What repeats a run.
    pub seed: u64,
}

impl Endurance {
    fn random(&self) -> Random {
        Random::new(self.seed)
    }
}

#[derive(Debug, Default)]
pub struct Report {
    /// What was done, in a line.
    pub summary: String,
    /// What should not have happened.
    pub findings: Vec<String>,
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

#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub name: &'static str,
    pub run: fn(&Endurance) -> Result<Report>,
}

macro_rules! runs {
    ($($name:ident),* $(,)?) => {
        pub const RUNS: &[Run] = &[$(Run { name: stringify!($name), run: $name::run }),*];
    };
}

runs![crash, torn, race, cold, ingest, versions];
