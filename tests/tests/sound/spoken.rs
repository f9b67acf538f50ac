//! A line as a chain of voices says it, and services that stand in for those of others.

use std::time::{Duration, Instant};

use anyhow::Result;
use bellwether_audio::voice::engines::{elevenlabs, openai};
use bellwether_audio::voice::{Chain, EngineName, Keys, Line, Settings};
use bellwether_audio::{Clip, Secret, Stop};

/// A key that is looked for everywhere.
pub(super) const PLANTED: &str = "planted-key-4711-0815-planted";
/// Ten times as long as anything here takes.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
pub(super) const LINE: &str = "The build is green, and nobody is waiting for you.";

pub(super) fn keys() -> Keys {
    Keys {
        elevenlabs: Secret::new(PLANTED),
        openai: Secret::new(PLANTED),
        anthropic: None,
    }
}

/// A service at an address, and the embedded voice behind it.
pub(super) fn settings(engine: EngineName, url: &str) -> Settings {
    let mut settings = Settings {
        chain: vec![engine, EngineName::Embedded],
        ..Settings::default()
    };
    settings.elevenlabs = elevenlabs::Config {
        base_url: url.to_owned(),
        voice: "voice/../1".to_owned(),
        ..elevenlabs::Config::default()
    };
    settings.openai = openai::Config {
        base_url: url.to_owned(),
        model: "some-model".to_owned(),
        ..openai::Config::default()
    };
    settings
}

/// What was heard of a line.
pub(super) struct Heard {
    pub(super) engine: &'static str,
    pub(super) clip: Clip,
    /// From the last that was heard of whoever failed, to the first sound of whoever did not.
    pub(super) waited: Duration,
    pub(super) troubles: Vec<String>,
}

/// Hears a line to its end, whoever says it.
pub(super) fn hear(chain: &Chain, line: &Line) -> Result<Heard> {
    let mut last = Instant::now();
    let mut spoken = chain.speak(line, &Stop::default())?;
    let mut troubles = Vec::new();
    loop {
        let waited = last.elapsed();
        troubles.append(&mut spoken.troubles);
        let mut samples = Vec::new();
        let broken = loop {
            match spoken.source.next() {
                Ok(Some(more)) => samples.extend(more),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
            last = Instant::now();
        };
        let Some(error) = broken else {
            let format = spoken.source.format();
            return Ok(Heard {
                engine: spoken.engine,
                clip: Clip { format, samples },
                waited,
                troubles,
            });
        };
        troubles.push(error.to_string());
        spoken = chain.after(spoken.engine, line, &Stop::default())?;
    }
}
