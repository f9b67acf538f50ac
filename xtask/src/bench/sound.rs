//! From the wish for an effect to its first sample leaving for the speakers: making it, and handing it to a
//! sound server. The server has an output whose blocks are short, as those of a desktop are; one that
//! sleeps in blocks of 50 ms would be measured instead of us.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bellwether_audio::{Effect, Settings, Speakers, Stop};
use bellwether_tests::SoundServer;

use super::figure::Target;
use super::samples::Samples;
use super::{Bench, Figure};

/// Our part of the way from a hook's end to the first sample.
const TARGET_MS: f64 = 12.0;
/// How often each of them is played at most.
const RUNS: usize = 30;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let server = SoundServer::start()?;
    let _short = ShortBlocks::begin(&server)?;
    let runs = bench.arguments.runs.min(RUNS);
    let (mut kept, mut fresh, mut made) = (Vec::new(), Vec::new(), Vec::new());
    let mut speakers = Speakers::default();
    for effect in Effect::ALL.iter().cycle().take(runs) {
        made.push(making(effect));
        fresh.push(first_sample(&mut Speakers::default(), &server, effect)?);
        kept.push(first_sample(&mut speakers, &server, effect)?);
    }
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
    let target = Some(Target::AtMost(TARGET_MS));
    Ok(vec![
        figure("an effect made", made, None),
        figure("effect → first sample, connected", kept, target),
        figure("effect → first sample, not connected", fresh, target),
    ])
}

fn making(effect: &Effect) -> Duration {
    let begun = Instant::now();
    std::hint::black_box(effect.render());
    begun.elapsed()
}

fn first_sample(
    speakers: &mut Speakers,
    server: &SoundServer,
    effect: &Effect,
) -> Result<Duration> {
    let begun = Instant::now();
    let mut clip = effect.render();
    let settings = Settings::default();
    let played = speakers.play(&server.seat(), &settings, &mut clip, 0.1, &Stop::default())?;
    let first = played.first_sample.context("no first sample was told")?;
    Ok(first.duration_since(begun))
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
