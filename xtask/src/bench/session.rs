//! A session of the real client with every hook registered, against the same without, and beside
//! it with `/bin/true` on every hook: what the client itself takes for having hooks at all.
//!
//! The model answers at a brisk but real pace. Against a model that answers in no time the client's
//! own work for a hook, some milliseconds each, would be all that is seen.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use bellwether_hook::handlers;
use bellwether_tests::{Headless, Home, Hook, Settings, scenarios};

use super::figure::Goal;
use super::samples::{Samples, median_ratio};
use super::{Bench, Figure};
use crate::build::{self, Profile, Program};
use bellwether_tests::Installation;
use bellwether_tests::Progress;

/// How long the model thinks before each of its turns; real ones think longer.
const PACE: Duration = Duration::from_secs(1);
/// How much longer a session may be with us.
const SLOWER: f64 = 1.03;

/// One way to run a session, and how long its runs took.
struct Way {
    name: &'static str,
    home: Home,
    target: Option<Goal>,
    times: Vec<Duration>,
}

impl Way {
    fn new(rig: &Path, name: &'static str, settings: &Settings) -> Result<Self> {
        let home = Home::fresh(rig)?;
        home.write_settings(settings)?;
        Ok(Self {
            name,
            home,
            target: None,
            times: Vec::new(),
        })
    }

    fn run(&mut self) -> Result<()> {
        let outcome = Headless::new(&self.home)
            .scenario(scenarios::basic().paced(PACE))
            .args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash"])
            .run()?;
        ensure!(outcome.status.success(), "the client: {}", outcome.stderr);
        self.times.push(outcome.wall);
        Ok(())
    }
}

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let rig = build::programs(&bench.workspace, Profile::Release, &[Program::RIG])?;
    let rig = rig.path(&Program::RIG);
    let place = Installation::new(&bench.dist.programs()?)?;
    let _daemon = place.start_daemon(&[])?;
    let ours = Hook::exec(bench.dist.path(&Program::HOOK))
        .args(["--home".to_owned(), place.root().display().to_string()]);
    let mut ways = [
        Way::new(&rig, "the real client, no hooks", &Settings::new())?,
        Way::new(
            &rig,
            "the same, /bin/true on all hooks",
            &on_all(&Hook::exec("/bin/true")),
        )?,
        Way {
            target: Some(Goal::AtMost(SLOWER)),
            ..Way::new(&rig, "the same, all our hooks", &on_all(&ours))?
        },
    ];
    run_in_turns(&mut ways, bench.arguments.pairs)?;
    ensure!(place.count()? > 0, "no event of the sessions is stored");
    Ok(figures(&ways))
}

/// Registers a program for every event that an installation would register.
fn on_all(hook: &Hook) -> Settings {
    handlers::registrations()
        .iter()
        .fold(Settings::new(), |settings, registration| {
            let hook = hook.clone().timeout(registration.timeout_s);
            settings.on([registration.kind.as_str()], &hook)
        })
}

/// Runs every way so often, each in each place of the turn, and once before that to warm up.
fn run_in_turns(ways: &mut [Way], runs: usize) -> Result<()> {
    let mut progress = Progress::new("session");
    for turn in 0..=runs {
        for place in 0..ways.len() {
            let at = (turn + place) % ways.len();
            ways[at].run()?;
        }
        progress.tick(|| format!("{turn} of {runs} turns"));
    }
    for way in ways {
        way.times.remove(0);
    }
    Ok(())
}

fn figures(ways: &[Way]) -> Vec<Figure> {
    let figure = |way: &Way| {
        let pairs: Vec<_> = ways[0]
            .times
            .iter()
            .copied()
            .zip(way.times.iter().copied())
            .collect();
        let samples = Samples::new(way.times.clone());
        Figure {
            p95: Some(samples.p95_us()),
            ratio: Some(median_ratio(&pairs)),
            ..Figure::alone(
                "session",
                way.name.to_owned(),
                (samples.median_us(), "µs"),
                way.target,
            )
        }
    };
    ways.iter().map(figure).collect()
}
