//! `doctor --sound`: plays something, listens to what the server plays, and says what was heard.

use std::time::Duration;

use bellwether_audio::player::{Player as _, Pulse, find};
use bellwether_audio::{Clip, Effect, Seat, Settings, Stop};
use bellwether_spine::{Home, meta};

use super::checks::Check;
use super::finding::Finding;
use super::{Examined, Report, Setup};
use crate::config;
use crate::exit;

const PLAYED: &str = "preview";
const VOLUME: f64 = 0.6;
/// What is softer is noise, of 32,768.
const AUDIBLE: u16 = 100;
/// A monitor comes this much behind.
const BEHIND: Duration = Duration::from_millis(400);
/// A sound that is cut by more than this was cut, in seconds.
const CUT: f64 = 0.15;

static TRIAL: Check = Check {
    name: "sound",
    about: "sound that is played can be heard",
    run: |setup| hear(setup.home),
};

pub(crate) fn listen(home: &Home) -> Report {
    let setup = Setup::gather(home);
    Report(vec![Examined {
        check: &TRIAL,
        findings: (TRIAL.run)(&setup),
    }])
}

fn hear(home: &Home) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let settings = config::load(home, project.as_deref(), &meta::variable)
        .config
        .audio;
    let seat = Seat::of_process();
    let found = find(&seat, &settings);
    let Some(player) = &found.player else {
        return vec![Finding::problem(format!(
            "no sound here: {}",
            found.reason()
        ))];
    };
    let heard = match player.name() {
        "pulse" => with_monitor(&seat, &settings),
        _ => unheard(found, &settings),
    };
    heard.unwrap_or_else(|error| vec![Finding::problem(exit::told(&error))])
}

/// Plays without being able to listen.
fn unheard(
    found: bellwether_audio::player::FoundPlayer,
    settings: &Settings,
) -> anyhow::Result<Vec<Finding>> {
    let mut player = found.into_player()?;
    player.play(&mut sound()?, settings.loudness(VOLUME), &Stop::default())?;
    let text = format!(
        "played {PLAYED} with {}, which has no monitor to listen to",
        player.name()
    );
    Ok(vec![
        Finding::note(text).advise("did you hear wood, a string, glass and a bell?"),
    ])
}

/// Plays and listens to the server's monitor.
fn with_monitor(seat: &Seat, settings: &Settings) -> anyhow::Result<Vec<Finding>> {
    let mut pulse = Pulse::connect(seat, settings)?;
    let server = pulse.server()?;
    let recording = pulse.record();
    let begun = std::time::Instant::now();
    let played = pulse.play(&mut sound()?, settings.loudness(VOLUME), &Stop::default())?;
    let place = format!("{} on {}", server.output.unwrap_or_default(), server.name);
    let Ok(recording) = recording else {
        return Ok(vec![Finding::note(format!(
            "played {PLAYED} to {place}; it has no monitor to listen to"
        ))]);
    };
    let heard = HeardBack::of(&recording.finish(BEHIND)?);
    let latency = played.first_sample.map(|at| at.duration_since(begun));
    let mut findings = vec![heard.told(&place, latency)];
    if server.muted {
        findings.push(
            Finding::warning("the output is muted, so you heard nothing")
                .advise("unmute it in your mixer, or with `pactl set-sink-mute @DEFAULT_SINK@ 0`"),
        );
    }
    Ok(findings)
}

fn sound() -> anyhow::Result<Clip> {
    let effect = Effect::named(PLAYED).ok_or_else(|| anyhow::anyhow!("there is no {PLAYED}"))?;
    Ok(effect.render())
}

struct HeardBack {
    seconds: f64,
    expected: f64,
    decibels: f64,
}

impl HeardBack {
    fn of(recording: &Clip) -> Self {
        let loud = |clip: &Clip| {
            let at = |sample: &i16| sample.unsigned_abs() > AUDIBLE;
            let first = clip.samples.iter().position(at)?;
            let last = clip.samples.iter().rposition(at)?;
            Some(clip.format.lasting(last - first).as_secs_f64())
        };
        let strongest = recording
            .samples
            .iter()
            .map(|sample| sample.unsigned_abs())
            .max();
        Self {
            seconds: loud(recording).unwrap_or(0.0),
            expected: sound().ok().as_ref().and_then(loud).unwrap_or(0.0),
            decibels: 20.0 * (f64::from(strongest.unwrap_or(0).max(1)) / 32_768.0).log10(),
        }
    }

    fn told(&self, place: &str, latency: Option<Duration>) -> Finding {
        let Self {
            seconds,
            expected,
            decibels,
        } = self;
        if *seconds == 0.0 {
            let text = format!("played {PLAYED} to {place}, and its monitor stayed silent");
            return Finding::problem(text).advise("see `pactl list sinks` for what that output is");
        }
        let begun = latency.map_or(String::new(), |latency| {
            format!(", beginning after {} ms", latency.as_millis())
        });
        let text = format!(
            "played {PLAYED} to {place} and heard {seconds:.2} s of it, at most {decibels:.0} dB{begun}"
        );
        if seconds + CUT < *expected {
            let text = format!("{text}; it lasts {expected:.2} s");
            return Finding::warning(text)
                .advise("set audio.lead_in_ms if its beginning is missing");
        }
        Finding::good(text)
    }
}

#[cfg(test)]
mod tests {
    use bellwether_audio::Format;

    use super::*;
    use crate::doctor::Level;

    #[test]
    fn what_was_heard_is_judged() {
        let told = |clip: &Clip| HeardBack::of(clip).told("x", None).level;
        let whole = sound().unwrap();
        assert_eq!(told(&whole), Level::Good);
        let half = Clip {
            samples: whole.samples[..whole.samples.len() / 2].to_vec(),
            ..whole
        };
        assert_eq!(told(&half), Level::Warning);
        let silence = Clip {
            format: Format::mono(48_000),
            samples: vec![0; 48_000],
        };
        assert_eq!(told(&silence), Level::Problem);
    }
}
