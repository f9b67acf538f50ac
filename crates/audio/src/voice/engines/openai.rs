//! OpenAI's speech, and every server that speaks its protocol, on this machine or elsewhere.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::Request;
use crate::voice::cloud::{SpeechRequest, hundredths};
use crate::voice::pace::Pace;
use crate::voice::stream::SampleKind;
use crate::voice::{Engine, Keys, Known, Lack, Line, Settings, Tongue};
use crate::{AudioError, Format, Secret, Source, Stop};

pub(super) const ABOUT: &str = "OpenAI's speech, or any server that speaks its protocol";
const NAME: &str = "openai";
const OPENAI: &str = "https://api.openai.com";
const PACE: Pace = Pace {
    own: 170.0,
    slowest: 80.0,
    fastest: 320.0,
};
/// It takes no longer text.
const LONGEST: usize = 4_096;
/// Bare samples come at this rate.
const RATE: u32 = 24_000;

/// Settings of OpenAI's speech.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The server's address, with or without `/v1`. A server of your own needs no key.
    pub base_url: String,
    /// The model. Without one this engine is skipped.
    pub model: String,
    /// The voice that speaks.
    pub voice: String,
    /// Other voices that the server has, to be used in `voice.name` of an announcement.
    pub voices: Vec<String>,
    /// The languages that the model speaks, as `en`; empty means all.
    pub languages: Vec<String>,
    /// What the server is asked for: `wav`, or `pcm` where it has no `wav`.
    pub format: Asking,
}

/// A form that sound comes in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asking {
    /// With a head that says how it is to be read.
    #[default]
    Wav,
    /// Bare samples, 24,000 a second.
    Pcm,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            base_url: OPENAI.into(),
            model: String::new(),
            voice: "alloy".into(),
            voices: Vec::new(),
            languages: Vec::new(),
            format: Asking::default(),
        }
    }
}

struct OpenAi {
    config: Config,
    key: Option<Secret>,
    patience: Duration,
}

pub(super) fn build(settings: &Settings, keys: &Keys) -> Box<dyn Engine> {
    Box::new(OpenAi {
        config: settings.openai.clone(),
        key: keys.openai.clone(),
        patience: settings.patience(),
    })
}

impl OpenAi {
    fn body(&self, line: &Line) -> Value {
        let config = &self.config;
        let named = config
            .voices
            .iter()
            .find(|it| it.eq_ignore_ascii_case(&line.voice));
        // What is played faster later is spoken slower now.
        let speed = (PACE.speed(line.rate) / line.held_pitch()).clamp(0.25, 4.0);
        json!({
            "model": config.model,
            "input": line.all_words().chars().take(LONGEST).collect::<String>(),
            "voice": named.unwrap_or(&config.voice),
            "response_format": config.format,
            "speed": hundredths(speed),
        })
    }
}

impl Engine for OpenAi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ready(&self) -> Result<(), Lack> {
        if self.config.model.is_empty() {
            return Err(Lack::of("no model is named", "set `voice.openai.model`"));
        }
        if self.key.is_none() && self.config.base_url.trim_end_matches('/') == OPENAI {
            return Err(Lack::of(
                "there is no key",
                "bellwether config key set OPENAI_API_KEY",
            ));
        }
        Ok(())
    }

    fn speaks(&self, language: &Tongue) -> bool {
        let languages = &self.config.languages;
        languages.is_empty() || languages.iter().any(|it| language.is_read_by(it))
    }

    fn voices(&self) -> Result<Vec<Known>, AudioError> {
        let names = [&self.config.voice].into_iter().chain(&self.config.voices);
        let known = |name: &String| Known {
            name: name.clone(),
            languages: self.config.languages.clone(),
            about: self.config.model.clone(),
        };
        Ok(names.map(known).collect())
    }

    fn fingerprint(&self) -> String {
        format!("{:?}", self.config)
    }

    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError> {
        let request = Request::to(&self.config.base_url, "/v1/audio/speech");
        let asked = SpeechRequest {
            engine: NAME,
            request: request.key("authorization", self.key.as_ref()),
            body: self.body(line),
            kind: match self.config.format {
                Asking::Wav => SampleKind::Wav,
                Asking::Pcm => SampleKind::Raw(Format::mono(RATE)),
            },
            pitch: line.held_pitch(),
            patience: self.patience,
        };
        asked.speak(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(config: Config, key: Option<&str>) -> OpenAi {
        let key = key.and_then(Secret::new);
        OpenAi {
            config,
            key,
            patience: Duration::from_millis(100),
        }
    }

    #[test]
    fn a_model_is_never_guessed_and_a_server_of_one_s_own_needs_no_key() {
        let named = Config {
            model: "m".into(),
            ..Config::default()
        };
        let own = Config {
            base_url: "http://127.0.0.1:8880".into(),
            ..named.clone()
        };
        assert!(engine(Config::default(), Some("k")).ready().is_err());
        assert!(engine(named.clone(), None).ready().is_err());
        assert!(engine(named, Some("k")).ready().is_ok());
        assert!(engine(own, None).ready().is_ok());
    }

    #[test]
    fn the_text_and_the_speed_stay_within_what_it_takes() {
        let config = Config {
            model: "m".into(),
            voices: vec!["Nova".into()],
            ..Config::default()
        };
        let line = Line {
            voice: "nova".into(),
            ..Line::new("é".repeat(5_000), 170)
        };
        let body = engine(config, None).body(&line);
        assert_eq!(body["input"].as_str().unwrap().chars().count(), LONGEST);
        assert_eq!(
            (&body["voice"], &body["speed"]),
            (&json!("Nova"), &json!(1.0))
        );
        assert_eq!(body["response_format"], "wav");
    }
}
