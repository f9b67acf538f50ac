//! Presets: three whole sets of settings to begin with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Language;
use crate::language::Words;

/// Which set of settings counts where nothing else is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Every announcement there is.
    Full,
    /// `full` without what wears people out.
    #[default]
    Calm,
    /// A sentence for the five moments that matter most, and no effects.
    Plain,
}

/// Settings that differ by preset and speak a language. `Default` is always the calm one in English:
/// the presets are the only source of defaults.
pub trait Presets: Default + Switch + Clear {
    fn full(words: &Words) -> Self;

    /// `full` without what wears people out.
    fn calm(words: &Words) -> Self {
        Self::full(words)
    }

    /// Only the sentence, and only where it matters most.
    fn plain(words: &Words) -> Self {
        Self::full(words).off()
    }

    /// The settings of a preset.
    fn of(preset: Preset, language: Language) -> Self {
        let words = language.words();
        match preset {
            Preset::Full => Self::full(words),
            Preset::Calm => Self::calm(words).clear(),
            Preset::Plain => Self::plain(words),
        }
    }
}

/// Something that is heard.
pub trait Clear {
    /// The same, slow and loud enough to be understood at once.
    #[must_use]
    fn clear(self) -> Self;
}

/// Something that can be switched off.
pub trait Switch {
    /// The same, off.
    #[must_use]
    fn off(self) -> Self;
}
