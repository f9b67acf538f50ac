//! ElevenLabs, over its streaming interface, as bare samples.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::{self, Failure, Request};
use crate::voice::cloud::{SpeechRequest, hundredths};
use crate::voice::pace::Pace;
use crate::voice::stream::SampleKind;
use crate::voice::{Engine, Keys, Known, Lack, Line, Settings, Tongue};
use crate::{AudioError, Format, Secret, Source, Stop};

pub(super) const ABOUT: &str = "ElevenLabs, a service; needs a key and a voice";
const NAME: &str = "elevenlabs";
const RATE: u32 = 22_050;
/// It takes 0.7 to 1.2 times its own speed.
const PACE: Pace = Pace {
    own: 165.0,
    slowest: 115.5,
    fastest: 198.0,
};

/// Settings of ElevenLabs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The service's address.
    pub base_url: String,
    /// The id of the voice that speaks; `bellwether voices list` shows those of your account.
    pub voice: String,
    /// Names for other voices, to be used in `voice.name` of an announcement: name to id.
    pub voices: BTreeMap<String, String>,
    /// The model; empty leaves the choice to the service.
    pub model: String,
    /// The languages that the model speaks, as `en`; empty means all.
    pub languages: Vec<String>,
    /// How even it sounds, from 0 to 1; empty leaves the voice's own.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub stability: Option<f64>,
    /// How near to the original voice, from 0 to 1; empty leaves the voice's own.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity_boost: Option<f64>,
    /// How much style, from 0 to 1; empty leaves the voice's own.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub style: Option<f64>,
    /// Sharpen the likeness; empty leaves the voice's own.
    pub use_speaker_boost: Option<bool>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            base_url: "https://api.elevenlabs.io".into(),
            voice: String::new(),
            voices: BTreeMap::new(),
            model: String::new(),
            languages: Vec::new(),
            stability: None,
            similarity_boost: None,
            style: None,
            use_speaker_boost: None,
        }
    }
}

struct ElevenLabs {
    config: Config,
    key: Option<Secret>,
    patience: Duration,
}

pub(super) fn build(settings: &Settings, keys: &Keys) -> Box<dyn Engine> {
    Box::new(ElevenLabs {
        config: settings.elevenlabs.clone(),
        key: keys.elevenlabs.clone(),
        patience: settings.patience(),
    })
}

impl ElevenLabs {
    /// The id for a voice's name.
    fn voice(&self, name: &str) -> &str {
        let named = self
            .config
            .voices
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name));
        named.map_or(self.config.voice.as_str(), |(_, id)| id.as_str())
    }

    fn body(&self, line: &Line) -> Value {
        let config = &self.config;
        let mut body = json!({"text": line.all_words()});
        if !config.model.is_empty() {
            body["model_id"] = json!(config.model);
        }
        // What is played faster later is spoken slower now, as far as the service goes.
        let speed = (PACE.speed(line.rate) / line.held_pitch()).clamp(0.7, 1.2);
        let mut settings = json!({"speed": hundredths(speed)});
        let numbers = [
            ("stability", config.stability),
            ("similarity_boost", config.similarity_boost),
            ("style", config.style),
        ];
        for (name, number) in numbers {
            if let Some(number) = number {
                settings[name] = json!(number.clamp(0.0, 1.0));
            }
        }
        if let Some(boost) = config.use_speaker_boost {
            settings["use_speaker_boost"] = json!(boost);
        }
        body["voice_settings"] = settings;
        body
    }

    fn request(&self, path: &str) -> Request {
        Request::to(&self.config.base_url, path).key("xi-api-key", self.key.as_ref())
    }
}

impl Engine for ElevenLabs {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ready(&self) -> Result<(), Lack> {
        if self.key.is_none() {
            return Err(Lack::of(
                "there is no key",
                "bellwether config key set ELEVENLABS_API_KEY",
            ));
        }
        if self.config.voice.is_empty() {
            let advice = "set `voice.elevenlabs.voice`; `bellwether voices list` shows yours";
            return Err(Lack::of("no voice is named", advice));
        }
        Ok(())
    }

    fn speaks(&self, language: &Tongue) -> bool {
        let languages = &self.config.languages;
        languages.is_empty() || languages.iter().any(|it| language.is_read_by(it))
    }

    fn voices(&self) -> Result<Vec<Known>, AudioError> {
        let failed = |failure: Failure| AudioError::voice(NAME, failure.lasting, failure.reason);
        if self.key.is_none() {
            return Ok(Vec::new());
        }
        let answer = self.request("/v1/voices").get().map_err(failed)?;
        let listed = http::json(answer).map_err(failed)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let voices = listed["voices"].as_array().into_iter().flatten();
        let known = |it: &Value| Known {
            name: text(&it["voice_id"]),
            languages: self.config.languages.clone(),
            about: text(&it["name"]),
        };
        Ok(voices.map(known).collect())
    }

    fn fingerprint(&self) -> String {
        format!("{:?}", self.config)
    }

    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError> {
        let voice = path_part(self.voice(&line.voice));
        let path = format!("/v1/text-to-speech/{voice}/stream?output_format=pcm_{RATE}");
        let asked = SpeechRequest {
            engine: NAME,
            request: self.request(&path),
            body: self.body(line),
            kind: SampleKind::Raw(Format::mono(RATE)),
            pitch: line.held_pitch(),
            patience: self.patience,
        };
        asked.speak(stop)
    }
}

/// A text as one part of a path.
fn path_part(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut part, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            part.push(char::from(byte));
        } else {
            let _ = write!(part, "%{byte:02X}");
        }
        part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(config: Config) -> ElevenLabs {
        let patience = Duration::from_millis(100);
        ElevenLabs {
            config,
            key: Secret::new("k"),
            patience,
        }
    }

    #[test]
    fn only_what_was_set_is_asked_for() {
        let plain = engine(Config::default()).body(&Line::new("Hi", 165));
        assert_eq!(
            plain,
            json!({"text": "Hi", "voice_settings": {"speed": 1.0}})
        );
        let config = Config {
            model: "m".into(),
            stability: Some(7.0),
            use_speaker_boost: Some(true),
            ..Config::default()
        };
        let body = engine(config).body(&Line::new("Hi", 350));
        assert_eq!(body["model_id"], "m");
        let settings = json!({"speed": 1.2, "stability": 1.0, "use_speaker_boost": true});
        assert_eq!(body["voice_settings"], settings);
    }

    #[test]
    fn names_become_ids_and_unknown_ones_the_voice_of_the_settings() {
        let config = Config {
            voice: "default-id".into(),
            voices: [("Ada".to_owned(), "ada-id".to_owned())].into(),
            ..Config::default()
        };
        let engine = engine(config);
        assert_eq!(engine.voice("ada"), "ada-id");
        assert_eq!(engine.voice("Victoria"), "default-id");
        assert_eq!(path_part("../x?y"), "%2E%2E%2Fx%3Fy");
    }

    #[test]
    fn it_says_what_it_lacks() {
        let mut engine = engine(Config::default());
        assert!(
            engine
                .ready()
                .unwrap_err()
                .advice
                .contains("voice.elevenlabs.voice")
        );
        engine.key = None;
        assert!(
            engine
                .ready()
                .unwrap_err()
                .advice
                .contains("config key set")
        );
    }
}
