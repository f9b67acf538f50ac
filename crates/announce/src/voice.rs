//! The words of an announcement, spoken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who speaks, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Voice {
    /// Speak.
    pub enabled: bool,
    /// Whose voice; an unknown name means the engine's own.
    pub name: String,
    /// How loud, from 0.0 to 1.0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub volume: f64,
    /// Words a minute.
    #[schemars(range(min = 20, max = 1_000))]
    pub rate: u32,
}

impl Default for Voice {
    fn default() -> Self {
        Self {
            enabled: true,
            name: "Victoria".into(),
            volume: 0.6,
            rate: 350,
        }
    }
}

impl Voice {
    /// The usual voice at a volume.
    pub(crate) fn at(volume: f64) -> Self {
        Self {
            volume,
            ..Self::default()
        }
    }

    /// The voice of the plain preset.
    pub(crate) fn plain() -> Self {
        Self {
            name: "Samantha".into(),
            rate: 200,
            ..Self::default()
        }
    }

    pub(crate) fn off(self) -> Self {
        Self {
            enabled: false,
            ..self
        }
    }
}
