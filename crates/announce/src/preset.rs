//! Presets: three whole sets of settings to begin with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Settings that differ by preset. `Default` is always the calm one: the presets are the only source
/// of defaults.
pub trait Presets: Default {
    /// Every announcement there is.
    fn full() -> Self;

    /// `full` without what wears people out.
    fn calm() -> Self;

    /// Only the sentence, and only where it matters most.
    fn plain() -> Self;

    /// The settings of a preset.
    fn of(preset: Preset) -> Self {
        match preset {
            Preset::Full => Self::full(),
            Preset::Calm => Self::calm(),
            Preset::Plain => Self::plain(),
        }
    }
}
