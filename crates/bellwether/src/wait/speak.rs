//! From stdin to the end of what is heard.

use std::os::fd::AsFd as _;
use std::path::PathBuf;

use bellwether_announce::{Mutes, silenced};
use bellwether_audio::voice::Line;
use bellwether_audio::{AudioError, Mouth, Seat, Speakers, Stop, Utterance};
use bellwether_protocol::client::Product;
use bellwether_spine::{Home, clock, lock, meta, text};

use super::ending::{Ending, info, warn};
use super::input::{self, Input};
use super::message;
use super::progress::Progress;
use crate::config::{self, Environment};
use crate::exit;
use crate::speaking::Speaking;

/// Speaks the last message and comes back once it has been heard.
pub(super) fn last_message(home: &Home, progress: &Progress) -> Ending {
    let spoken = || -> Result<(), Ending> {
        let bytes =
            bellwether_hook::read_event(std::io::stdin().as_fd()).ok_or(Ending::BadInput(None))?;
        progress.of_session(input::session(&bytes));
        progress.begin("reading the transcript");
        let input = Input::read(&bytes)?;
        info(&format!(
            "Reading transcript: {}",
            text::shown(&input.path.to_string_lossy(), 400)
        ));
        let words = message::of(&input)?;
        speak(home, &input, words, progress)
    };
    spoken().err().unwrap_or(Ending::Heard)
}

fn speak(home: &Home, input: &Input, words: String, progress: &Progress) -> Result<(), Ending> {
    let project = Product::default().wire().variables.project(&meta::variable);
    let project = project.map(PathBuf::from).or_else(|| input.folder.clone());
    let settings = config::announce_settings(home, project.as_deref());
    let mutes = Mutes::load(home);
    if let Some(silence) = silenced(
        &settings.quiet,
        &mutes,
        project.as_deref(),
        clock::wall_ms(),
    ) {
        return Err(Ending::Silenced(silence));
    }
    let unheard = |error: &dyn std::fmt::Display| Ending::Unheard(error.to_string());
    home.create().map_err(|error| unheard(&error))?;
    let speaking = Speaking::gather(home, Environment::of_command()).map_err(|error| {
        warn(&exit::told(&error));
        Ending::NoVoice
    })?;
    let character = speaking.character(home).unwrap_or_else(|error| {
        warn(&exit::told(&error));
        None
    });
    if character.is_some() {
        info("Transforming text through character...");
    }
    let chain = speaking.chain(home);
    if !chain.is_configured() {
        return Err(Ending::NoVoice);
    }
    info("Synthesizing speech...");
    let voice = settings.hooks.stop.voice;
    let audio = &speaking.config.audio;
    let line = Line {
        voice: voice.name,
        ..Line::new(words, voice.rate)
    };
    let mut utterance = Utterance {
        words: Some((line, audio.loudness(voice.volume))),
        ..Utterance::default()
    };
    let mouth = Mouth {
        chain: &chain,
        character: character.as_ref(),
    };
    progress.begin("waiting for others to finish speaking");
    let _lock = lock::take_sound(home).map_err(|error| unheard(&error))?;
    progress.begin("speaking");
    let (mut speakers, seat) = (Speakers::default(), Seat::of_process());
    let uttered = mouth
        .utter(
            &mut utterance,
            &mut speakers.at(&seat, audio),
            &Stop::default(),
        )
        .map_err(|error| failed(&error))?;
    for trouble in uttered.troubles {
        warn(&trouble);
    }
    Ok(())
}

fn failed(error: &AudioError) -> Ending {
    if error.is_of_voice() {
        Ending::Unspoken(error.to_string())
    } else {
        Ending::Unheard(error.to_string())
    }
}
