//! The voice inside this program, for machines that have no other.

use std::time::Duration;

use crate::error::Lasting;
use crate::voice::feed::{Maker, Unheard, VoiceFeed};
use crate::voice::pace::Pace;
use crate::voice::pico::{Lingware, RATE, Speaker, Step};
use crate::voice::{Engine, Keys, Known, Lack, Line, Settings, Tongue};
use crate::{AudioError, Format, Source, Stop};

pub(super) const ABOUT: &str = "the voice inside this program, in six languages";
const NAME: &str = "embedded";
/// It needs no network and tens of milliseconds; only a machine on its knees takes longer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Measured over sentences of announcements, in words of six letters with their space; above the limit a
/// speech recogniser mistakes every second word.
const PACE: Pace = Pace {
    own: 195.0,
    slowest: 80.0,
    fastest: 240.0,
};
/// At its own volume it cuts off its peaks; at this percentage of it none reaches full strength.
const VOLUME: u8 = 45;
/// Measured at that volume.
const USUAL_LOUDNESS: f64 = -16.5;
/// Samples that are sent on at once: a tenth of a second.
const CHUNK: usize = 1_600;

struct Embedded {
    latin: Tongue,
}

pub(super) fn build(settings: &Settings, _: &Keys) -> Box<dyn Engine> {
    Box::new(Embedded {
        latin: settings.latin(),
    })
}

impl Embedded {
    /// The voice of that name if it can read the line, else the nearest to the line's language.
    fn lingware(&self, line: &Line) -> Option<&'static Lingware> {
        let language = Tongue::of(&line.text, &self.latin);
        if !language.is_latin() {
            return None;
        }
        let named = Lingware::ALL.iter().find(|it| it.language == line.voice);
        named
            .or_else(|| Lingware::nearest(language.as_str()))
            .or(Lingware::ALL.first())
    }
}

impl Engine for Embedded {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ready(&self) -> Result<(), Lack> {
        Ok(())
    }

    fn speaks(&self, language: &Tongue) -> bool {
        language.is_latin()
    }

    fn voices(&self) -> Result<Vec<Known>, AudioError> {
        let known = |it: &Lingware| Known {
            name: it.language.to_owned(),
            languages: vec![it.language.to_owned()],
            about: String::new(),
        };
        Ok(Lingware::ALL.iter().map(known).collect())
    }

    fn fingerprint(&self) -> String {
        format!("{} {VOLUME}", self.latin)
    }

    fn loudness(&self) -> f64 {
        USUAL_LOUDNESS
    }

    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError> {
        let lingware = self.lingware(line).ok_or_else(|| {
            AudioError::voice(NAME, Lasting::Line, "it has no voice for this language")
        })?;
        let text = marked(line, &Tongue::named(lingware.language));
        VoiceFeed::start(NAME, PATIENCE, stop, move |maker| {
            make(lingware, &text, maker)
                .map_err(|reason| AudioError::voice(NAME, Lasting::Line, reason))
        })
    }
}

/// The text with how fast and how high it is to be said, as Pico reads it.
fn marked(line: &Line, language: &Tongue) -> String {
    let percent = |times: f32| (times * 100.0).round();
    let (speed, pitch) = (percent(PACE.speed(line.rate)), percent(line.held_pitch()));
    let text = line.words(language);
    format!(
        "<volume level=\"{VOLUME}\"><speed level=\"{speed}\"><pitch level=\"{pitch}\">{text}</pitch></speed></volume>\0"
    )
}

fn make(lingware: &Lingware, text: &str, maker: &mut Maker) -> Result<(), String> {
    let mut speaker = Speaker::new(lingware)?;
    let _ = maker.begin(Format::mono(RATE));
    let (mut rest, mut samples) = (text.as_bytes(), Vec::with_capacity(CHUNK * 2));
    while !rest.is_empty() && maker.is_heard() {
        let taken = speaker.put(rest)?;
        rest = &rest[taken..];
        let spoken = drain(&mut speaker, &mut samples, maker)?;
        if taken == 0 && spoken == 0 {
            return Err("it takes no more text".to_owned());
        }
    }
    let _ = maker.send(samples);
    Ok(())
}

/// Sends on what the engine has to say until it wants more text; says how many samples that were.
fn drain(
    speaker: &mut Speaker,
    samples: &mut Vec<i16>,
    maker: &mut Maker,
) -> Result<usize, String> {
    let mut spoken = 0;
    loop {
        let step = speaker.step(samples)?;
        if samples.len() >= CHUNK
            && let Err(Unheard) = maker.send(std::mem::take(samples))
        {
            return Ok(spoken);
        }
        match step {
            Step::Busy(count) => spoken += count,
            Step::Idle(count) => return Ok(spoken + count),
        }
    }
}
