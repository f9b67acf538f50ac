//! A profile: who somebody is, as a JSON file.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::AudioError;
use crate::voice::Settings as Voice;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name: letters, digits and hyphens.
    pub name: String,
    pub display_name: String,
    /// Who that is, in a sentence.
    #[serde(default)]
    pub description: String,
    /// The id of its voice at `ElevenLabs`; empty means the one in the configuration.
    #[serde(default)]
    pub voice_id: String,
    /// How that voice is to sound.
    #[serde(default)]
    pub voice_settings: VoiceSettings,
    /// Who the model is told to be.
    pub system_prompt: String,
    /// What it says often. One that ends in a comma, a colon or dots leads to the line; others follow it.
    pub characteristic_phrases: Vec<String>,
    /// What a rewrite may do.
    #[serde(default)]
    pub transformation_rules: Rules,
}

/// How a voice of `ElevenLabs` sounds; what is missing is left to the voice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VoiceSettings {
    /// How even, from 0 to 1.
    pub stability: Option<f64>,
    /// How near to the original, from 0 to 1.
    pub similarity_boost: Option<f64>,
    /// How much style, from 0 to 1.
    pub style: Option<f64>,
    /// Whether to sharpen the likeness: true or false, or a number from 0 to 1.
    pub use_speaker_boost: Option<serde_json::Value>,
}

/// What a rewrite may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    pub add_greeting: bool,
    pub use_characteristic_phrases: bool,
    /// Leave code, paths, names and numbers as they are.
    pub preserve_technical_content: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            add_greeting: false,
            use_characteristic_phrases: true,
            preserve_technical_content: true,
        }
    }
}

impl Profile {
    /// Reads a profile and checks it. `called` is what it is known by until it says its name.
    pub fn parse(called: &str, text: &str) -> Result<Self, AudioError> {
        let wrong = |reason: String| AudioError::Profile {
            name: called.to_owned(),
            reason,
        };
        let profile: Self = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        profile.check().map_err(wrong)?;
        Ok(profile)
    }

    /// Says what is wrong, if anything.
    fn check(&self) -> Result<(), String> {
        let settings = &self.voice_settings;
        named(&self.name)?;
        filled("display_name", &self.display_name)?;
        counted(
            "system_prompt",
            self.system_prompt.trim().chars().count(),
            1,
            500,
            "characters",
        )?;
        let phrases = &self.characteristic_phrases;
        counted("characteristic_phrases", phrases.len(), 3, 10, "phrases")?;
        for phrase in phrases {
            filled("a phrase of characteristic_phrases", phrase)?;
        }
        share("stability", settings.stability)?;
        share("similarity_boost", settings.similarity_boost)?;
        share("style", settings.style)?;
        settings.boost().map(drop)
    }

    /// Gives the voice of the configuration this character's own, where it has one.
    pub fn dress(&self, voice: &mut Voice) {
        let (own, settings) = (&mut voice.elevenlabs, &self.voice_settings);
        if !self.voice_id.is_empty() {
            own.voice.clone_from(&self.voice_id);
        }
        own.stability = settings.stability.or(own.stability);
        own.similarity_boost = settings.similarity_boost.or(own.similarity_boost);
        own.style = settings.style.or(own.style);
        own.use_speaker_boost = settings.boost().ok().flatten().or(own.use_speaker_boost);
    }
}

impl VoiceSettings {
    fn boost(&self) -> Result<Option<bool>, String> {
        use serde_json::Value;
        match &self.use_speaker_boost {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(boost)) => Ok(Some(*boost)),
            Some(Value::Number(number)) => {
                share("use_speaker_boost", number.as_f64())?;
                Ok(number.as_f64().map(|number| number >= 0.5))
            }
            Some(_) => Err("use_speaker_boost must be true, false or a number from 0 to 1".into()),
        }
    }
}

/// Whether a name is one: it is also the name of a file.
pub(super) fn named(name: &str) -> Result<(), String> {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
        return Err("name must be 1 to 64 letters, digits and hyphens".to_owned());
    }
    Ok(())
}

fn filled(key: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err(format!("{key} must not be empty"));
    }
    Ok(())
}

fn counted(key: &str, count: usize, least: usize, most: usize, of: &str) -> Result<(), String> {
    if (least..=most).contains(&count) {
        return Ok(());
    }
    Err(format!(
        "{key} must have {least} to {most} {of}, and has {count}"
    ))
}

fn share(key: &str, number: Option<f64>) -> Result<(), String> {
    match number {
        Some(number) if !(0.0..=1.0).contains(&number) => {
            Err(format!("{key} must be from 0 to 1, and is {number}"))
        }
        _ => Ok(()),
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.display_name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn base() -> Value {
        json!({
            "name": "owl", "display_name": "The Owl", "description": "Sees at night.",
            "voice_id": "id", "voice_settings": {"stability": 0.5, "use_speaker_boost": true},
            "system_prompt": "You are an owl.", "characteristic_phrases": ["Hoo,", "Well.", "So."],
            "transformation_rules": {"add_greeting": true}
        })
    }

    /// A change of the base, and a part of the complaint; none when it is taken.
    const TABLE: &[(&str, &str, Option<&str>)] = &[
        ("/name", r#""grumpy-toad-2""#, None),
        ("/name", r#""""#, Some("1 to 64 letters")),
        ("/name", r#""../etc""#, Some("letters, digits and hyphens")),
        (
            "/name",
            r#""two words""#,
            Some("letters, digits and hyphens"),
        ),
        ("/name", r#""kröte""#, Some("letters, digits and hyphens")),
        (
            "/display_name",
            r#"" ""#,
            Some("display_name must not be empty"),
        ),
        ("/description", r#""""#, None),
        ("/voice_id", r#""""#, None),
        (
            "/system_prompt",
            r#""""#,
            Some("1 to 500 characters, and has 0"),
        ),
        (
            "/characteristic_phrases",
            r#"["a","b"]"#,
            Some("3 to 10 phrases, and has 2"),
        ),
        (
            "/characteristic_phrases",
            r#"["a","b","c","d","e","f","g","h","i","j"]"#,
            None,
        ),
        (
            "/characteristic_phrases",
            r#"["a","b","c","d","e","f","g","h","i","j","k"]"#,
            Some("has 11"),
        ),
        (
            "/characteristic_phrases",
            r#"["a","b"," "]"#,
            Some("must not be empty"),
        ),
        ("/voice_settings", r#"{"stability":1.0,"style":0}"#, None),
        (
            "/voice_settings",
            r#"{"stability":1.1}"#,
            Some("stability must be from 0 to 1, and is 1.1"),
        ),
        (
            "/voice_settings",
            r#"{"similarity_boost":-0.1}"#,
            Some("similarity_boost must be"),
        ),
        ("/voice_settings", r#"{"style":2}"#, Some("style must be")),
        ("/voice_settings", r#"{"use_speaker_boost":0.7}"#, None),
        (
            "/voice_settings",
            r#"{"use_speaker_boost":"yes"}"#,
            Some("use_speaker_boost must be"),
        ),
        (
            "/voice_settings",
            r#"{"volume":1}"#,
            Some("unknown field `volume`"),
        ),
        ("/transformation_rules", r#"{"add_greeting":false}"#, None),
        (
            "/transformation_rules",
            r#"{"add_greeting":"no"}"#,
            Some("invalid type"),
        ),
    ];

    #[test]
    fn profiles_are_checked() {
        for (path, value, complaint) in TABLE {
            let mut profile = base();
            *profile.pointer_mut(path).unwrap() = serde_json::from_str(value).unwrap();
            let parsed = Profile::parse("owl", &profile.to_string());
            match (parsed, complaint) {
                (Ok(_), None) => {}
                (Err(error), Some(part)) => {
                    assert!(error.to_string().contains(part), "{path} {value}: {error}");
                }
                (parsed, _) => panic!("{path} {value}: {parsed:?}"),
            }
        }
        for (count, fits) in [(500, true), (501, false)] {
            let mut profile = base();
            profile["system_prompt"] = json!("é".repeat(count));
            assert_eq!(Profile::parse("owl", &profile.to_string()).is_ok(), fits);
        }
        assert!(Profile::parse("owl", "{").is_err());
    }

    #[test]
    fn a_character_dresses_the_voice() {
        let profile = Profile::parse("owl", &base().to_string()).unwrap();
        let mut voice = Voice::default();
        voice.elevenlabs.style = Some(0.25);
        profile.dress(&mut voice);
        let own = &voice.elevenlabs;
        assert_eq!(
            (own.voice.as_str(), own.stability, own.style),
            ("id", Some(0.5), Some(0.25))
        );
        assert_eq!(own.use_speaker_boost, Some(true));
    }
}
