//! Measures what the numbers speak of and prints it beside the targets.
//!
//! A bench is not a test: a missed target is printed plainly, and fails the run only when
//! `--check` says so. Everything that is compared is run in turns, in one run.

mod announce;
mod figure;
mod gate;
mod guard;
mod hook;
mod ingest;
mod interleave;
mod rest;
mod samples;
mod session;
mod sound;
mod store;
mod transcript;
mod workflow;

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use crate::Outcome;
use crate::build::{self, Dist, Profile, Program};
use crate::workspace::Workspace;
use figure::Figure;

/// What `bench` is asked for.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often each hook is run
    #[arg(long, default_value_t = 1000)]
    runs: usize,
    /// How many records the journal holds whose storing is timed
    #[arg(long, default_value_t = 200_000)]
    records: usize,
    /// How many events are sent to the collector in each run
    #[arg(long, default_value_t = 60_000)]
    events: usize,
    /// A collector that runs on this machine, measured in turns with ours: its port and path, as in 4000/events
    #[arg(long, value_name = "PORT/PATH")]
    peer: Option<ingest::Peer>,
    /// How often a session of the real client is run with hooks and without
    #[arg(long, default_value_t = 10)]
    pairs: usize,
    /// Measure only these groups
    #[arg(long, num_args = 1.., value_parser = PossibleValuesParser::new(names()))]
    only: Vec<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Measure what was built before
    #[arg(long)]
    built: bool,
    /// Fail when a target is missed
    #[arg(long)]
    check: bool,
}

/// What every group may use.
struct Bench<'a> {
    arguments: &'a Arguments,
    workspace: Workspace,
    dist: Dist,
}

struct Group {
    name: &'static str,
    measure: fn(&Bench<'_>) -> Result<Vec<Figure>>,
}

macro_rules! groups {
    ($($name:ident),* $(,)?) => {
        const GROUPS: &[Group] = &[$(Group { name: stringify!($name), measure: $name::measure }),*];
    };
}

groups![
    hook, guard, gate, workflow, store, ingest, rest, announce, transcript, sound, session
];

fn names() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|group| group.name)
}

/// Builds what is measured, measures, prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let workspace = Workspace::find()?;
    let wanted = [
        Program::HOOK,
        Program::MAIN,
        Program::NOOP,
        Program::DYNAMIC_HOOK,
    ];
    let wanted = if arguments.built { &[] } else { &wanted[..] };
    let dist = build::programs(&workspace, Profile::Release, wanted)?;
    let bench = Bench {
        arguments,
        workspace,
        dist,
    };
    let figures = bench.figures()?;
    if arguments.json {
        println!("{}", figure::json(&figures));
    } else {
        print!("{}", figure::table(&figures));
    }
    let missed = figures.iter().any(|figure| figure.met() == Some(false));
    Ok(if missed && arguments.check {
        Outcome::Bad
    } else {
        Outcome::Good
    })
}

impl Bench<'_> {
    fn figures(&self) -> Result<Vec<Figure>> {
        let only = &self.arguments.only;
        let mut figures = Vec::new();
        for group in GROUPS {
            if only.is_empty() || only.iter().any(|name| name == group.name) {
                eprintln!("{} …", group.name);
                figures.extend((group.measure)(self)?);
            }
        }
        Ok(figures)
    }
}
