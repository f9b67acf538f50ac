//! The hook against `/bin/true`: with a daemon, without one, linked otherwise, and beside a hook
//! as people write them.

use std::path::Path;

use anyhow::{Result, ensure};

use super::interleave::{self, Subject};
use super::{Bench, Figure};
use crate::build::Program;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{Installation, fixture, installation};

/// How much slower than `/bin/true` an observed event may be while a daemon runs.
pub(super) const OBSERVED: f64 = 1.15;
/// How much slower while none runs.
const COLD: f64 = 2.5;
pub(super) const BASELINE: &str = "/bin/true";
/// A hook as people write them: it reads one field.
const SCRIPT: &str =
    r#"read -r input; tool=$(jq -r .tool_name <<<"$input"); echo "$tool" >/dev/null"#;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let mut figures = warm(bench)?;
    figures.extend(cold(bench)?);
    figures.extend(peers(bench)?);
    Ok(figures)
}

/// A hook of ours, as a subject.
pub(super) fn hook<'a>(
    bench: &Bench<'_>,
    program: &Program,
    place: &'a Installation,
    name: &str,
    payload: &[u8],
) -> Subject<'a> {
    Subject {
        arguments: vec!["--home".into(), place.root().into()],
        ..Subject::new(name, bench.dist.path(program), payload)
    }
}

fn warm(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let _daemon = place.start_daemon(&[])?;
    let payloads = bench.workspace.payloads();
    make_it_read_settings(&place)?;
    let post = fixture::tool_call("bench", 1000);
    let mut subjects = vec![
        Subject::new(BASELINE, BASELINE, &post),
        Subject::new("static no-op", bench.dist.path(&Program::NOOP), &post),
        hook(
            bench,
            &Program::DYNAMIC_HOOK,
            &place,
            "PostToolUse, linked dynamically",
            &post,
        ),
    ];
    for (name, payload) in [
        ("PostToolUse 1.5 KB", post),
        (
            "PreToolUse Bash",
            fixture::recorded(&payloads, "PreToolUse-Bash")?,
        ),
        ("Stop", fixture::recorded(&payloads, "Stop")?),
        (
            "UserPromptSubmit, reads the settings' snapshot",
            fixture::recorded(&payloads, "UserPromptSubmit")?,
        ),
    ] {
        subjects.push(Subject {
            at_most: Some(OBSERVED),
            ..hook(bench, &Program::HOOK, &place, name, &payload)
        });
    }
    interleave::figures("hook", &subjects, bench.arguments.runs)
}

/// A trouble that the settings silence: to know that, the hook has to read them at every prompt.
fn make_it_read_settings(place: &Installation) -> Result<()> {
    place.configure("troubles: {enabled: false}\n")?;
    Troubles(place.home()).note("bench", "not to be told")?;
    let compiled = place
        .cli(["config", "compile", "--project", installation::PROJECT])
        .output()?;
    ensure!(compiled.status.success(), "the settings were not compiled");
    Ok(())
}

/// From a state in which no daemon runs: the hook has to start one.
fn cold(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let payload = fixture::tool_call("cold", 1000);
    let subject = Subject {
        prepare: Box::new(|| place.kill_all()),
        at_most: Some(COLD),
        ..hook(
            bench,
            &Program::HOOK,
            &place,
            "PostToolUse while no daemon runs",
            &payload,
        )
    };
    let subjects = [
        Subject {
            prepare: Box::new(|| place.kill_all()),
            ..Subject::new("/bin/true beside it", BASELINE, &payload)
        },
        subject,
    ];
    let runs = bench.arguments.runs.div_ceil(5);
    let figures = interleave::figures("hook", &subjects, runs)?;
    place.settle()?;
    let (sent, stored) = (
        interleave::turns(runs),
        place.markers()?.remove("cold").unwrap_or(0),
    );
    ensure!(
        stored == sent,
        "{sent} events were sent, {stored} are stored"
    );
    Ok(figures)
}

/// What people write themselves, where it can be run.
fn peers(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    if !Path::new("/usr/bin/jq").exists() || !Path::new("/bin/bash").exists() {
        return Ok(Vec::new());
    }
    let mut payload = fixture::tool_call("peer", 1000);
    payload.push(b'\n');
    let subjects = [
        Subject::new("/bin/true beside it", BASELINE, &payload),
        Subject {
            arguments: vec!["-c".into(), SCRIPT.into()],
            ..Subject::new("a hook in bash and jq", "/bin/bash", &payload)
        },
    ];
    interleave::figures("hook", &subjects, bench.arguments.runs.div_ceil(10))
}
