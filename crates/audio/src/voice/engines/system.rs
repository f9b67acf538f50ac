//! The system's own voice: the first of `say`, Windows' under WSL, and `espeak-ng` that is there.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Lasting;
use crate::loudness::LOUDNESS;
use crate::voice::feed::VoiceFeed;
use crate::voice::program::{PATIENCE, Trouble};
use crate::voice::system::{self, Voice};
use crate::voice::{Engine, Keys, Known, Lack, Line, Settings, Tongue};
use crate::{AudioError, Source, Stop};

pub(super) const ABOUT: &str = "the system's own: say, Windows' under WSL, or espeak-ng";
const NAME: &str = "system";

/// Settings of the system's voice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Take this one only: `say`, `sapi` or `espeak-ng`; empty means whichever is there.
    pub program: String,
}

struct System {
    voice: Option<Arc<dyn Voice>>,
    wanted: String,
    latin: Tongue,
}

pub(super) fn build(settings: &Settings, _: &Keys) -> Box<dyn Engine> {
    let wanted = &settings.system.program;
    let fits = |name: &str| wanted.is_empty() || wanted == name;
    let mut candidates = system::ALL.iter().filter(|(name, _)| fits(name));
    let voice = candidates.find_map(|(_, find)| find());
    Box::new(System {
        voice: voice.map(Arc::from),
        wanted: wanted.clone(),
        latin: settings.latin(),
    })
}

impl Engine for System {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ready(&self) -> Result<(), Lack> {
        if self.voice.is_some() {
            return Ok(());
        }
        let missing = match self.wanted.as_str() {
            "" => "no program of the system speaks",
            _ => "the program that `voice.system.program` names is not there",
        };
        Err(Lack::of(missing, "install espeak-ng"))
    }

    fn speaks(&self, language: &Tongue) -> bool {
        let voices = self.voice.as_ref().map(|voice| voice.voices());
        let mut languages = voices.iter().flatten().flat_map(|it| &it.languages);
        let read = |it: &String| language.is_read_by(it);
        languages.any(read) || self.voice.is_some() && language.is_latin()
    }

    fn voices(&self) -> Result<Vec<Known>, AudioError> {
        Ok(self
            .voice
            .as_ref()
            .map(|voice| voice.voices())
            .unwrap_or_default())
    }

    fn loudness(&self) -> f64 {
        self.voice
            .as_ref()
            .map_or(LOUDNESS, |voice| voice.loudness())
    }

    fn fingerprint(&self) -> String {
        let program = self.voice.as_ref().map_or("", |voice| voice.name());
        format!("{program} {}", self.latin)
    }

    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError> {
        let Some(voice) = self.voice.clone() else {
            return Err(AudioError::voice(
                NAME,
                Lasting::UntilMended,
                "no program is there",
            ));
        };
        let (line, language) = (line.clone(), Tongue::of(&line.text, &self.latin));
        VoiceFeed::start(NAME, PATIENCE, stop, move |maker| {
            voice
                .speak(&line, &language, maker)
                .map_err(|trouble| match trouble {
                    Trouble::Start(error) => {
                        let reason = format!("{} does not start: {error}", voice.name());
                        AudioError::voice(NAME, Lasting::UntilMended, reason)
                    }
                    Trouble::Broke(reason) => AudioError::voice(
                        NAME,
                        Lasting::Line,
                        format!("{}: {reason}", voice.name()),
                    ),
                })
        })
    }
}
