//! From the end of a hook to the first sample leaving for the speakers, of an effect and of speech. The server has an output whose blocks are short, as those of a desktop are; one that
//! sleeps in blocks of 50 ms would be measured instead of us.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::clock;
use bellwether_tests::installation::filled_stdin;
use bellwether_tests::{Installation, SoundServer};
use serde_json::{Value, json};

use super::figure::Goal;
use super::samples::Samples;
use super::{Bench, Figure};

/// From the end of a hook to the first sample of an effect.
const EFFECT_MS: f64 = 30.0;
/// The same of the embedded voice, without an effect before it.
const SPEECH_MS: f64 = 150.0;
/// How often each of them is played at most.
const RUNS: usize = 30;
/// The voice that every machine has, and nothing of what it said before.
const EMBEDDED: &str = "voice: {chain: [embedded], cache: {megabytes: 0}}";

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let server = SoundServer::start()?;
    let _short = ShortBlocks::begin(&server)?;
    let runs = bench.arguments.runs.min(RUNS);
    let figure = |name: &str, times: Vec<Duration>, target| {
        let samples = Samples::new(times);
        Figure {
            p95: Some(samples.p95_us() / 1e3),
            ..Figure::alone(
                "sound",
                name.to_owned(),
                (samples.median_us() / 1e3, "ms"),
                target,
            )
        }
    };
    let effect = whole_way(
        bench,
        &server,
        runs,
        "sound: {file: coin_simple}, voice: {enabled: false}",
    )?;
    let speech = whole_way(bench, &server, runs, "sound: {enabled: false}")?;
    Ok(vec![
        figure(
            "hook's end → first sample of an effect",
            effect,
            Some(Goal::AtMost(EFFECT_MS)),
        ),
        figure(
            "hook's end → first sample of the embedded voice",
            speech,
            Some(Goal::AtMost(SPEECH_MS)),
        ),
    ])
}

/// The whole way of one announcement, again and again.
fn whole_way(
    bench: &Bench<'_>,
    server: &SoundServer,
    runs: usize,
    stop: &str,
) -> Result<Vec<Duration>> {
    let config = format!(
        "preset: full\naudio: {{player: pulse}}\n{EMBEDDED}\nhooks: {{stop: {{{stop}, min_turn_seconds: 0}}}}\n"
    );
    let place = Installation::configured(&bench.dist.programs()?, &config)?;
    let _daemon = place.start_daemon(&[])?;
    let mut times = Vec::new();
    for number in 0..runs {
        let event = json!({
            "hook_event_name": "Stop",
            "session_id": format!("s{number}"),
            "last_assistant_message": format!("Step {number} of the way is done."),
        });
        let (_open, stdin) = filled_stdin(event.to_string().as_bytes())?;
        let before = sounded(&place)?;
        let mut hook = place.hook();
        let status = hook
            .env("PULSE_SERVER", server.address())
            .stdin(stdin)
            .status()?;
        let ended = clock::boot_us();
        ensure!(status.success(), "a hook failed");
        place.wait_for("it to be heard", || Ok(sounded(&place)? > before))?;
        let first = sounded(&place)?;
        times.push(Duration::from_micros(first.saturating_sub(ended)));
    }
    Ok(times)
}

/// When the first sample of the last announcement left.
fn sounded(place: &Installation) -> Result<u64> {
    let output = place.cli(["status", "--json"]).output()?;
    let status: Value = serde_json::from_slice(&output.stdout)?;
    Ok(status["daemon"]["sounded_us"].as_u64().unwrap_or_default())
}

/// Silence that is played with little latency, so that the output has short blocks.
struct ShortBlocks(Child);

impl ShortBlocks {
    fn begin(server: &SoundServer) -> Result<Self> {
        let zeros = std::fs::File::open("/dev/zero")?;
        let child = Command::new("paplay")
            .args(["--raw", "--latency-msec=5", "--process-time-msec=2"])
            .env("PULSE_SERVER", server.address())
            .env("HOME", server.folder())
            .stdin(zeros)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("start paplay: install pulseaudio-utils")?;
        std::thread::sleep(Duration::from_millis(500));
        Ok(Self(child))
    }
}

impl Drop for ShortBlocks {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
