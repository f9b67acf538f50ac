//! The thread that makes announcements heard.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bellwether_announce::{Announcement, Outcome, Silence};
use bellwether_audio::voice::{Chain, EngineName, Line, pitch_of};
use bellwether_audio::{AudioError, Mouth, Seat, Speakers, Stop, Utterance, Uttered};
use bellwether_spine::{Home, clock, lock};
use tracing::{info, warn};

use super::cast::Cast;
use super::effects::Effects;
use super::waiting::Turn;
use super::{SoundQueue, Trial, TrialWish};
use crate::announce::decided;
use crate::fresh::Fresh;
use crate::shared::{Shared, locked};

/// How fast a trial is spoken, in words a minute.
const TRIAL_RATE: u32 = 200;

/// Runs until nothing will be announced any more.
pub(super) fn run(home: Home, shared: Arc<Shared>, waiting: &SoundQueue) {
    let mut voice = Voice {
        home,
        shared,
        cast: Fresh::default(),
        speakers: Speakers::default(),
        effects: Effects::new(),
        seat: Seat::default(),
    };
    loop {
        match waiting.turn(voice.speakers.rest()) {
            Turn::Speak => voice.turn(waiting),
            Turn::Rest => {}
            Turn::End => return,
        }
    }
}

struct Voice {
    home: Home,
    shared: Arc<Shared>,
    cast: Fresh<(), Cast>,
    speakers: Speakers,
    effects: Effects,
    /// Where something was last to be heard.
    seat: Seat,
}

impl Voice {
    /// Makes one announcement heard. Only whoever holds the machine's lock is heard, and what is next is
    /// chosen once it is held: meanwhile something more urgent may have come.
    fn turn(&mut self, waiting: &SoundQueue) {
        let lock = lock::take_sound(&self.home);
        if let Err(error) = &lock {
            warn!("{error}");
        }
        // To somebody who wants to hear everything nothing is late.
        let cast = self.cast.get((), |last| Cast::now(&self.home, last));
        let now_ms = if cast.hearing.audio.drop_late {
            clock::wall_ms()
        } else {
            0
        };
        let popped = waiting.next(now_ms);
        let late = popped.late.iter().map(|late| (late, Silence::TooLate));
        let merged = popped.merged.iter().map(|one| (one, Silence::Merged));
        for (announcement, silence) in late.chain(merged) {
            let silence = Outcome::Silent(silence);
            self.shared
                .announcements
                .keep(decided(announcement, silence));
        }
        let Some(announcement) = popped.next else {
            // What agents have to say comes before what the person tries out.
            if let Some(trial) = waiting.trial() {
                self.try_out(trial, waiting.stop());
            }
            return;
        };
        info!("{}: {}", announcement.handler, announcement.text);
        let outcome = Outcome::Said(Box::new(announcement.clone()));
        self.shared
            .announcements
            .keep(decided(&announcement, outcome));
        // Nobody ends a daemon for want of work while it speaks.
        self.shared.clients.fetch_add(1, Ordering::Relaxed);
        let heard = self.utter(&announcement, waiting.stop());
        self.shared.clients.fetch_sub(1, Ordering::Relaxed);
        self.shared.busy();
        self.report(heard);
    }

    fn utter(&mut self, announcement: &Announcement, stop: &Stop) -> Result<Uttered, AudioError> {
        let seat = announcement
            .seat
            .as_ref()
            .map_or_else(Seat::default, Seat::of);
        self.seat.clone_from(&seat);
        let cast = self.cast.get((), |last| Cast::now(&self.home, last));
        let mut utterance = utterance(announcement, cast, &mut self.effects);
        let mouth = Mouth {
            chain: &cast.chain,
            character: cast.character.as_ref(),
        };
        let mut player = self.speakers.at(&seat, &cast.hearing.audio);
        mouth.utter(&mut utterance, &mut player, stop)
    }

    /// Makes heard what the person wants to try, at the seat that was last used and by the settings as they
    /// are now: they may just have been changed.
    fn try_out(&mut self, trial: Trial, stop: &Stop) {
        self.cast.expire();
        let cast = self.cast.get((), |last| Cast::now(&self.home, last));
        let volume = cast.hearing.audio.loudness(1.0);
        let mut own = None;
        let mut utterance = Utterance::default();
        match trial.wish {
            TrialWish::Effect(effect) => utterance.effect = Some((effect.render(), volume)),
            TrialWish::Words { text, voice } => {
                own = chain_of(&voice, cast);
                let line = Line {
                    voice,
                    ..Line::new(text, TRIAL_RATE)
                };
                utterance.words = Some((line, volume));
            }
        }
        let mouth = Mouth {
            chain: own.as_ref().unwrap_or(&cast.chain),
            character: None,
        };
        let mut player = self.speakers.at(&self.seat, &cast.hearing.audio);
        let heard = mouth.utter(&mut utterance, &mut player, stop);
        let heard = heard.map(|uttered| uttered.unspoken).transpose();
        let failed = heard.map(|error| error.unwrap_or_else(|error| error).to_string());
        self.shared.busy();
        // Whoever has gone meanwhile does not hear of it.
        let _ = trial.answer.send(failed.map_or(Ok(()), Err));
    }

    /// Tells what could not be heard: in the log each time it changes, and to `status`.
    fn report(&self, heard: Result<Uttered, AudioError>) {
        let trouble = match heard {
            Ok(uttered) => {
                self.sounded(uttered.first_sample);
                self.shared.heard.fetch_add(1, Ordering::Relaxed);
                for trouble in &uttered.troubles {
                    warn!("{trouble}");
                }
                uttered.unspoken.map(|error| error.to_string())
            }
            Err(error) => Some(error.to_string()),
        };
        let mut last = locked(&self.shared.sound_trouble);
        if let Some(trouble) = &trouble
            && last.as_ref() != Some(trouble)
        {
            warn!("not heard: {trouble}");
        }
        *last = trouble;
    }
}

impl Voice {
    fn sounded(&self, first_sample: Option<Instant>) {
        let Some(first) = first_sample else {
            return;
        };
        let ago = u64::try_from(first.elapsed().as_micros()).unwrap_or_default();
        let at = clock::boot_us().saturating_sub(ago);
        self.shared.sounded_us.store(at, Ordering::Relaxed);
    }
}

/// A chain of one engine, if a name is an engine's.
fn chain_of(name: &str, cast: &Cast) -> Option<Chain> {
    let engine = EngineName::ALL.iter().find(|it| it.as_str() == name)?;
    let mut settings = cast.hearing.voice.clone();
    settings.chain = vec![*engine];
    Some(Chain::new(&settings, &cast.hearing.keys, None))
}

/// What is heard of an announcement.
fn utterance(announcement: &Announcement, cast: &Cast, effects: &mut Effects) -> Utterance {
    let settings = &cast.hearing.audio;
    let sound = announcement.sound.as_ref();
    let effect = effects.of(announcement, &settings.pack);
    let volume = sound.map_or(0.0, |sound| settings.loudness(sound.volume));
    let pause = sound.map_or(0, |sound| sound.delay_ms);
    Utterance {
        effect: effect.map(|clip| (clip, volume)),
        pause: Duration::from_millis(pause.into()),
        words: words(announcement, cast),
    }
}

fn words(announcement: &Announcement, cast: &Cast) -> Option<(Line, f32)> {
    let voice = announcement.voice.as_ref()?;
    let pitch = if cast.hearing.voice.per_session {
        pitch_of(&announcement.session)
    } else {
        1.0
    };
    let line = Line {
        text: announcement.text.clone(),
        voice: voice.name.clone(),
        rate: voice.rate,
        pitch,
    };
    Some((line, cast.hearing.audio.loudness(voice.volume)))
}
