//! Voices and characters, put together from the configuration and the keys.

use bellwether_audio::character::{self, Character};
use bellwether_audio::voice::{Cache, Chain, Keys as Secrets, Settings};
use bellwether_spine::{Home, meta};

use crate::config::{self, Config, Environment, Keys};

pub(crate) struct Speaking {
    pub config: Config,
    /// The keys, with those of the environment if it is the person's.
    pub keys: Secrets,
}

impl Speaking {
    /// Gathers it. Keys that cannot be read are an error: somebody set them.
    pub(crate) fn gather(home: &Home, environment: Environment) -> anyhow::Result<Self> {
        let project = std::env::current_dir().ok();
        Ok(Self {
            config: config::load(home, project.as_deref(), &meta::variable).config,
            keys: Keys::load(home)?.secrets(environment),
        })
    }

    /// The chain as configured, in the voice of the character if there is one.
    pub(crate) fn chain(&self, home: &Home) -> Chain {
        let mut settings = self.config.voice.clone();
        if let Ok(Some(character)) = self.character(home) {
            character.profile().dress(&mut settings);
        }
        self.chain_of(home, &settings)
    }

    /// A chain of other settings.
    pub(crate) fn chain_of(&self, home: &Home, settings: &Settings) -> Chain {
        let cache = Cache::open(home.speech(), &settings.cache);
        Chain::new(settings, &self.keys, cache)
    }

    /// The character that the configuration names, if it names one.
    pub(crate) fn character(&self, home: &Home) -> anyhow::Result<Option<Character>> {
        match self.config.character.profile.as_str() {
            "" => Ok(None),
            name => self.character_named(home, name).map(Some),
        }
    }

    /// A character by name.
    pub(crate) fn character_named(&self, home: &Home, name: &str) -> anyhow::Result<Character> {
        let profile = character::find(&home.characters(), name)?;
        Ok(Character::new(profile, &self.config.character, &self.keys))
    }
}
