//! Whether something can be heard here, and whether every configured sound is there.

use std::path::Path;

use bellwether_announce::Mutes;
use bellwether_audio::decode::Decoder;
use bellwether_audio::pack::Pack;
use bellwether_audio::player::{Pulse, Verdict, find};
use bellwether_audio::{Chosen, Seat, Settings};
use bellwether_spine::{Home, clock, meta};
use serde_json::Value;

use super::{Finding, Setup};
use crate::commands::mute;
use crate::config::{self, Config};

pub(super) const ABOUT: &str = "sound can be played, and every configured sound exists";

/// The output of a server that has none.
const NO_OUTPUT: &str = "auto_null";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let config = config::load(setup.home, project.as_deref(), &meta::variable).config;
    let mut findings = player(&Seat::of_process(), &config.audio);
    findings.extend(mutes(setup.home));
    findings.extend(files(&config, project.as_deref()));
    findings.extend(pack(&config.audio.pack));
    findings
}

/// What plays at this seat.
fn player(seat: &Seat, settings: &Settings) -> Vec<Finding> {
    let found = find(seat, settings);
    if let Some(wish) = &found.silenced {
        return vec![Finding::note(format!("it is quiet here: {wish}"))];
    }
    let used = found.considered.iter().find_map(|one| match &one.verdict {
        Verdict::Used(way) => Some((one.player, way)),
        Verdict::Passed(_) => None,
    });
    let Some((player, way)) = used else {
        let advice = "in a container, pass in the host's sound server (a socket and PULSE_SERVER); on a machine \
                      of your own, install PipeWire or PulseAudio";
        let text = format!("no sound here: {}", found.reason());
        return vec![Finding::warning(text).advise(advice)];
    };
    let mut findings = vec![Finding::good(format!("played by {player} ({way})"))];
    findings.extend(output(seat, settings).filter(|_| player == "pulse"));
    findings
}

/// What the person has silenced, perhaps long ago.
fn mutes(home: &Home) -> Vec<Finding> {
    let kept = Mutes::load(home);
    let found = kept.all(clock::wall_ms()).map(|muted| {
        let text = format!("announcements are muted {}", mute::told(&muted));
        let step = match &muted.project {
            Some(project) => format!("bellwether unmute --project '{}'", project.display()),
            None => "bellwether unmute".to_owned(),
        };
        Finding::note(text).advise(step)
    });
    found.collect()
}

/// A server that plays into nothing, or into an output that is muted.
fn output(seat: &Seat, settings: &Settings) -> Option<Finding> {
    let server = Pulse::connect(seat, settings).ok()?.server().ok()?;
    let name = server.output.unwrap_or_default();
    if name == NO_OUTPUT {
        let text = format!(
            "{} runs and has no output: nothing will be heard",
            server.name
        );
        return Some(
            Finding::warning(text).advise("connect loudspeakers, or see `pactl list sinks`"),
        );
    }
    server.muted.then(|| {
        let advice = "unmute it in your mixer, or with `pactl set-sink-mute @DEFAULT_SINK@ 0`";
        Finding::warning(format!("the output {name} is muted")).advise(advice)
    })
}

/// Configured files that are not there and have no namesake among the effects, or cannot be read.
fn files(config: &Config, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let tree = serde_json::to_value(&config.hooks).unwrap_or_default();
    for (name, section) in tree.as_object().into_iter().flatten() {
        let sound = &section["sound"];
        let off = [section, sound]
            .iter()
            .any(|part| part["enabled"] == Value::Bool(false));
        let file = sound["file"].as_str().filter(|_| !off).unwrap_or_default();
        let chosen = Chosen::of(file, project);
        let Err(error) = chosen.clip(&Decoder::of_program()) else {
            continue;
        };
        let text = format!("hooks.{name}.sound: {error}");
        findings.push(match chosen.instead() {
            Some(effect) => {
                Finding::warning(text).advise(format!("{} is played instead", effect.name))
            }
            None => Finding::warning(text).advise("see `bellwether sounds list` for what there is"),
        });
    }
    findings
}

/// What is wrong with the configured pack.
fn pack(name: &str) -> Vec<Finding> {
    let advice = "reinstall the pack, or take `audio.pack` out of your configuration";
    match Pack::named(name) {
        None => Vec::new(),
        Some(Err(error)) => vec![Finding::warning(error.to_string()).advise(advice)],
        Some(Ok(pack)) => {
            let faults = pack.faults(&Decoder::of_program()).into_iter();
            faults
                .map(|error| Finding::warning(error.to_string()).advise(advice))
                .collect()
        }
    }
}
