//! The words of an announcement, spoken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sound::AUDIBLE;

/// The notification kit's own rate. Engines hold it to what can still be followed.
const FAST: u32 = 350;
/// Words a minute that are understood.
const CLEAR: u32 = 200;

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
            rate: FAST,
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
            rate: CLEAR,
            ..Self::default()
        }
    }

    /// The same, slow and loud enough to be understood at once.
    pub(crate) fn clear(self) -> Self {
        Self {
            rate: self.rate.min(CLEAR),
            volume: self.volume.max(AUDIBLE),
            ..self
        }
    }

    pub(crate) fn off(self) -> Self {
        Self {
            enabled: false,
            ..self
        }
    }
}
