//! A session of the real client with every hook registered, against the same without.

use std::time::Duration;

use anyhow::{Result, ensure};
use bellwether_hook::handlers;
use bellwether_tests::{Headless, Home, Hook, Settings, scenarios};

use super::figure::Target;
use super::samples::Samples;
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
    let (mut bare, mut hooked) = (Vec::new(), Vec::new());
    let mut progress = Progress::new("session");
    // The first pair warms the caches up.
    for pair in 0..=bench.arguments.pairs {
        bare.push(session(&without)?);
        hooked.push(session(&with)?);
        progress.tick(|| format!("{pair} of {} pairs", bench.arguments.pairs));
    }
    let events = place.count()?;
    ensure!(events > 0, "no event of the sessions is stored");
    let sessions = bare.len();
    Ok(figures(
        bare.split_off(1),
        hooked.split_off(1),
        events,
        sessions,
    ))
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

fn figures(
    bare: Vec<Duration>,
    hooked: Vec<Duration>,
    events: u64,
    sessions: usize,
) -> Vec<Figure> {
    let (bare, hooked) = (Samples::new(bare), Samples::new(hooked));
    let each = events / u64::try_from(sessions).unwrap_or(1).max(1);
    let figure = |name: String, samples: &Samples, target| Figure {
        p95: Some(samples.p95_us()),
        ratio: Some(samples.median_us() / bare.median_us()),
        ..Figure::alone("session", name, (samples.median_us(), "µs"), target)
    };
    vec![
        figure("the real client, no hooks".to_owned(), &bare, None),
        figure(
            format!("the same, all hooks, {each} events"),
            &hooked,
            Some(Target::AtMost(SLOWER)),
        ),
    ]
}
