//! Whether the demo can be heard, and its first words.

use bellwether_announce::{Mutes, quiet};
use bellwether_audio::player::find;
use bellwether_audio::voice::Line;
use bellwether_audio::{Effect, Mouth, Seat, Speakers, Stop, Utterance};
use bellwether_spine::{Home, clock, lock};

use crate::config::Environment;
use crate::speaking::Speaking;

/// What rings before the first words.
const EFFECT: &str = "ui_open_2";

/// What the demo is heard by.
pub(crate) struct Sound {
    speaking: Speaking,
    /// Why nothing is heard, if nothing is.
    silent: Option<String>,
}

impl Sound {
    pub(crate) fn find(home: &Home) -> anyhow::Result<Self> {
        let speaking = Speaking::gather(home, Environment::of_command())?;
        let silent = silence(home, &speaking);
        Ok(Self { speaking, silent })
    }

    /// Why nothing will be heard, if nothing will.
    pub(crate) fn silent(&self) -> Option<&str> {
        self.silent.as_deref()
    }

    /// Rings and says a line, once nobody else is heard.
    pub(super) fn say(&self, home: &Home, words: &str) -> anyhow::Result<()> {
        if self.silent.is_some() {
            return Ok(());
        }
        let config = &self.speaking.config;
        let stop = &config.hooks.stop;
        let line = Line {
            voice: stop.voice.name.clone(),
            ..Line::new(words, stop.voice.rate)
        };
        let effect = Effect::named(EFFECT).map(Effect::render);
        let mut utterance = Utterance {
            effect: effect.map(|clip| (clip, config.audio.loudness(stop.sound.volume))),
            words: Some((line, config.audio.loudness(stop.voice.volume))),
            ..Utterance::default()
        };
        let mouth = Mouth {
            chain: &self.speaking.chain(home),
            character: None,
        };
        let _lock = lock::take_sound(home)?;
        let (mut speakers, seat) = (Speakers::default(), Seat::of_process());
        let mut player = speakers.at(&seat, &config.audio);
        mouth.utter(&mut utterance, &mut player, &Stop::default())?;
        Ok(())
    }
}

fn silence(home: &Home, speaking: &Speaking) -> Option<String> {
    let now = clock::wall_ms();
    if Mutes::load(home).of(None, now).is_some() {
        return Some("bellwether is muted (`bellwether unmute` ends that)".to_owned());
    }
    let config = &speaking.config;
    if quiet::minute_of_day(now).is_some_and(|minute| config.quiet.at(minute)) {
        return Some("these are your quiet hours".to_owned());
    }
    let found = find(&Seat::of_process(), &config.audio);
    let lacks = found.player.is_none();
    lacks.then(|| format!("no sound here ({})", found.reason()))
}
