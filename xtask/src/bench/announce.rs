//! From an event to what is said of it, where the words stand only in a transcript: a huge one shall
//! take no longer than a small one. Measured in this process, which is not the optimised program.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bellwether_announce::{Announcer, Heard, Mutes, Outcome, Settings};
use bellwether_protocol::client::Client;
use bellwether_transcript::Projects;

use super::figure::Goal;
use super::samples::{Samples, median_ratio};
use super::{Bench, Figure};

/// How much longer the large transcript may take.
const RATIO: f64 = 1.2;
const SMALL: usize = 1 << 20;
const LARGE: usize = 1 << 30;

/// A line as the client writes them, and the last one.
const LINE: &str = r#"{"parentUuid":"0","isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"the gate is open, the dog is asleep, the sheep are all there"}]},"uuid":"1","timestamp":"2026-11-15T19:32:26.411Z"}"#;
const LAST: &str = r#"{"parentUuid":"1","isSidechain":false,"message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"I looked around. Fixed the gate in `src/gate.rs`. The dog sleeps."}]},"type":"assistant"}"#;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    let projects = Projects::at(folder.path());
    let (small, large) = (
        folder.path().join("small.jsonl"),
        folder.path().join("large.jsonl"),
    );
    write(&small, SMALL)?;
    write(&large, LARGE)?;
    let mut pairs = Vec::new();
    for _ in 0..bench.arguments.runs {
        pairs.push((decide(&projects, &small)?, decide(&projects, &large)?));
    }
    let samples =
        |one: fn(&(Duration, Duration)) -> Duration| Samples::new(pairs.iter().map(one).collect());
    let (small, large) = (samples(|pair| pair.0), samples(|pair| pair.1));
    let figure = |name: &str, samples: &Samples| Figure {
        p95: Some(samples.p95_us()),
        ..Figure::alone(
            "announce",
            name.to_owned(),
            (samples.median_us(), "µs"),
            None,
        )
    };
    Ok(vec![
        figure("Stop decided, transcript of 1 MiB", &small),
        Figure {
            ratio: Some(median_ratio(&pairs)),
            target: Some(Goal::AtMost(RATIO)),
            ..figure("Stop decided, transcript of 1 GiB", &large)
        },
    ])
}

fn write(path: &Path, size: usize) -> Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for _ in 0..size / (LINE.len() + 1) {
        writeln!(file, "{LINE}")?;
    }
    writeln!(file, "{LAST}")?;
    Ok(file.into_inner()?.sync_all()?)
}

/// How long it takes to decide what is said of the end of a turn.
fn decide(projects: &Projects, transcript: &Path) -> Result<Duration> {
    let payload = serde_json::json!({
        "hook_event_name": "Stop", "session_id": "s", "transcript_path": transcript,
    });
    let payload = payload.to_string();
    let settings = Settings::default();
    let begun = Instant::now();
    let event = Client::default().parse(&payload)?;
    let heard = Heard {
        event: &event,
        at_ms: 0,
        age_ms: 0,
        attended: true,
        project: None,
        refused_by: None,
        workflow: None,
    };
    let told = Announcer::default().hear(&heard, &settings, &Mutes::default(), projects);
    let took = begun.elapsed();
    let Outcome::Said(said) = told.outcome else {
        anyhow::bail!("nothing was said: {told:?}");
    };
    ensure!(
        said.text == "Fixed the gate in gate.rs.",
        "{} was said",
        said.text
    );
    Ok(took)
}
