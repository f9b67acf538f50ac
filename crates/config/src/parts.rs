//! The settings as single parts of the program want them.

use std::path::{Path, PathBuf};

use bellwether_announce::Settings;
use bellwether_audio::{character, voice};
use bellwether_spine::{Home, meta, text};

use crate::{Config, Environment, Keys, load};

/// The settings outside of any project, fit to be shown.
pub fn shown_settings(home: &Home) -> serde_json::Value {
    let loaded = load(home, None, &meta::variable);
    let text = serde_json::to_string(&loaded.config).unwrap_or_default();
    serde_json::from_str(&text::mask_json(&text)).unwrap_or_default()
}

/// What the announcer is to obey in a project.
pub fn announce_settings(home: &Home, project: Option<&Path>) -> Settings {
    load(home, project, &meta::variable).config.announcements()
}

impl Config {
    /// What the announcer needs of it.
    pub fn announcements(self) -> Settings {
        Settings {
            language: self.language,
            quiet: self.quiet,
            hooks: self.hooks,
        }
    }
}

/// Where the debug files of a project go, if its configuration asks for them.
pub fn debug_folder(home: &Home, project: Option<&Path>) -> Option<PathBuf> {
    let global = load(home, project, &meta::variable).config.global;
    global.debug.then_some(())?;
    let base = match global.project_dir.as_str() {
        "" => project?.to_owned(),
        folder => PathBuf::from(folder),
    };
    Some(base.join(global.debug_dir)).filter(|folder| folder.is_absolute())
}

/// The settings of everything that is heard, with the keys of services.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hearing {
    /// How sound reaches the person.
    pub audio: bellwether_audio::Settings,
    pub voice: voice::Settings,
    pub character: character::Settings,
    pub keys: voice::Keys,
}

impl Hearing {
    /// Those outside of any project. Keys that cannot be read are none; doctor says so.
    pub fn load(home: &Home) -> Self {
        let config = load(home, None, &meta::variable).config;
        let keys = Keys::load(home).map(|keys| keys.secrets(Environment::of_command()));
        Self {
            audio: config.audio,
            voice: config.voice,
            character: config.character,
            keys: keys.unwrap_or_default(),
        }
    }
}
