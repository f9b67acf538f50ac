//! A session of the real client with every hook registered, against the same without.

use std::time::Duration;

use anyhow::{Result, ensure};
use bellwether_hook::handlers;
use bellwether_tests::{Headless, Home, Hook, Settings, scenarios};

use super::figure::Target;
use super::samples::{Samples, median_ratio};
use super::{Bench, Figure};
use crate::build::{self, Profile, Program};
use crate::installation::Installation;
use crate::progress::Progress;

/// How much longer a session may be with us.
const SLOWER: f64 = 1.03;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let rig = build::programs(&bench.workspace, Profile::Release, &[Program::RIG])?;
    let rig = rig.path(&Program::RIG);
    let place = Installation::new(&bench.dist)?;
    let _daemon = place.start_daemon(&[])?;
    let (without, with) = (Home::fresh(&rig)?, Home::fresh(&rig)?);
    without.write_settings(&Settings::new())?;
    with.write_settings(&all_hooks(bench, &place))?;
    let mut pairs = Vec::new();
    let mut progress = Progress::new("session");
    // The first pair warms the caches up.
    for pair in 0..=bench.arguments.pairs {
        pairs.push(both(&without, &with, pair % 2 == 0)?);
        progress.tick(|| format!("{pair} of {} pairs", bench.arguments.pairs));
    }
    let each = place.count()? / u64::try_from(pairs.len())?;
    ensure!(each > 0, "no event of the sessions is stored");
    Ok(figures(&pairs[1..], each))
}

/// A session without hooks and one with them, in either order.
fn both(without: &Home, with: &Home, hooked_first: bool) -> Result<(Duration, Duration)> {
    if hooked_first {
        let hooked = session(with)?;
        return Ok((session(without)?, hooked));
    }
    Ok((session(without)?, session(with)?))
}

/// Every hook that an installation would register.
fn all_hooks(bench: &Bench<'_>, place: &Installation) -> Settings {
    let program = bench.dist.path(&Program::HOOK);
    let home = place.root().display().to_string();
    handlers::registrations()
        .iter()
        .fold(Settings::new(), |settings, registration| {
            let hook = Hook::exec(&program)
                .args(["--home", &home])
                .timeout(registration.timeout_s);
            settings.on([registration.kind.as_str()], &hook)
        })
}

fn session(home: &Home) -> Result<Duration> {
    let outcome = Headless::new(home)
        .scenario(scenarios::basic())
        .args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash"])
        .run()?;
    ensure!(outcome.status.success(), "the client: {}", outcome.stderr);
    Ok(outcome.wall)
}

fn figures(pairs: &[(Duration, Duration)], events: u64) -> Vec<Figure> {
    let (bare, hooked): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let figure = |name: String, times: Vec<Duration>, ratio, target| {
        let samples = Samples::new(times);
        Figure {
            p95: Some(samples.p95_us()),
            ratio: Some(ratio),
            ..Figure::alone("session", name, (samples.median_us(), "µs"), target)
        }
    };
    let ratio = median_ratio(pairs);
    let slower = Some(Target::AtMost(SLOWER));
    vec![
        figure("the real client, no hooks".to_owned(), bare, 1.0, None),
        figure(
            format!("the same, all hooks, {events} events"),
            hooked,
            ratio,
            slower,
        ),
    ]
}
