//! Voices and character, made of the settings.

use bellwether_audio::character::{self, Character};
use bellwether_audio::voice::{Cache, Chain};
use bellwether_config::Hearing;
use bellwether_spine::Home;
use tracing::warn;

pub(super) struct Cast {
    /// What they were made of.
    pub hearing: Hearing,
    pub chain: Chain,
    pub character: Option<Character>,
}

impl Cast {
    /// The voices as the settings have them now; they stay the same as long as those do, and with them what
    /// they know of services that fail.
    pub(super) fn now(home: &Home, last: Option<Self>) -> Self {
        let hearing = Hearing::load(home);
        match last {
            Some(last) if last.hearing == hearing => last,
            _ => Self::new(home, hearing),
        }
    }

    fn new(home: &Home, hearing: Hearing) -> Self {
        let character = character(home, &hearing);
        let mut voice = hearing.voice.clone();
        if let Some(character) = &character {
            character.profile().dress(&mut voice);
        }
        let cache = Cache::open(home.speech(), &voice.cache);
        Self {
            chain: Chain::new(&voice, &hearing.keys, cache),
            character,
            hearing,
        }
    }
}

/// The character that the settings name. One that cannot be used costs nothing but its words.
fn character(home: &Home, hearing: &Hearing) -> Option<Character> {
    let name = hearing.character.profile.as_str();
    if name.is_empty() {
        return None;
    }
    match character::find(&home.characters(), name) {
        Ok(profile) => Some(Character::new(profile, &hearing.character, &hearing.keys)),
        Err(error) => {
            warn!("{error}");
            None
        }
    }
}
