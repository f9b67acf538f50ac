//! What counts for what is heard, and what is made of it.

use bellwether_audio::character::{self, Character};
use bellwether_audio::voice::{self, Cache, Chain, Keys};
use bellwether_spine::Home;
use tracing::warn;

/// Says what counts for what is heard.
pub type SoundSettings = fn(&Home) -> Hearing;

/// What counts for what is heard.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hearing {
    /// How sound reaches the person.
    pub audio: bellwether_audio::Settings,
    pub voice: voice::Settings,
    pub character: character::Settings,
    pub keys: Keys,
}

/// Voices and character, made of the settings.
pub(super) struct Cast {
    /// What they were made of.
    pub hearing: Hearing,
    pub chain: Chain,
    pub character: Option<Character>,
}

impl Cast {
    pub(super) fn new(home: &Home, hearing: Hearing) -> Self {
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
