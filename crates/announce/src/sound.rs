//! The effect of an announcement.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The least volume that is heard across a room, beside music or a talk.
pub(crate) const AUDIBLE: f64 = 0.5;

/// The effect before the words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sound {
    /// Play it.
    pub enabled: bool,
    /// A sound file; one that is missing stands for the built-in effect of the same name.
    pub file: String,
    /// How loud, from 0.0 to 1.0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub volume: f64,
    /// The pause between effect and words, in milliseconds.
    #[schemars(range(min = 0, max = 10_000))]
    pub delay_ms: u32,
}

impl Default for Sound {
    fn default() -> Self {
        Self {
            enabled: true,
            file: String::new(),
            volume: 0.5,
            delay_ms: 200,
        }
    }
}

impl Sound {
    /// The name of the built-in effect that its file stands for.
    pub fn effect_name(&self) -> &str {
        let name = self.file.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// A built-in effect at a volume.
    pub(crate) fn effect(name: &str, volume: f64) -> Self {
        Self {
            file: format!(".claude/sounds/{name}.mp3"),
            volume,
            ..Self::default()
        }
    }

    /// The same, loud enough to be noticed.
    pub(crate) fn clear(self) -> Self {
        Self {
            volume: self.volume.max(AUDIBLE),
            ..self
        }
    }

    pub(crate) fn off() -> Self {
        Self {
            enabled: false,
            ..Self::default()
        }
    }
}
