//! The settings of what is heard.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::player::gain::clamped;

/// The longest silence before a sound.
const LONGEST_LEAD_IN: Duration = Duration::from_secs(2);

/// How sound reaches you.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Make any sound at all.
    pub enabled: bool,
    /// How loud everything is together, from 0.0 to 1.0; the volume of each effect and voice counts on top.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub volume: f64,
    /// What plays: `auto` takes the first that works.
    pub player: Choice,
    /// A sound server by hand, as `PULSE_SERVER` names one (`unix:/path`, `tcp:host:port`). Without it the
    /// one of the session counts.
    pub server: String,
    /// Play on this machine also for a session over SSH that names no sound server.
    pub over_ssh: bool,
    /// Leave out what has waited for so long that it is no news any more.
    pub drop_late: bool,
    /// Silence before each sound in milliseconds, for loudspeakers that swallow the beginning.
    #[schemars(range(min = 0, max = 5_000))]
    pub lead_in_ms: u32,
    /// The sound pack that replaces effects: the name of a folder in `~/.openpeon/packs`, or its path.
    pub pack: String,
}

/// What plays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// The first of those below that works.
    #[default]
    Auto,
    /// The protocol of PulseAudio and PipeWire, spoken by bellwether itself.
    Pulse,
    /// PipeWire's program.
    PwPlay,
    /// PulseAudio's program.
    Paplay,
    /// ALSA's program.
    Aplay,
    /// Windows, from WSL.
    Powershell,
    /// The program of macOS.
    Afplay,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            volume: 1.0,
            player: Choice::Auto,
            server: String::new(),
            over_ssh: false,
            drop_late: true,
            lead_in_ms: 0,
            pack: String::new(),
        }
    }
}

impl Settings {
    /// How loud something with a volume of its own is.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a volume needs no more digits"
    )]
    pub fn loudness(&self, volume: f64) -> f32 {
        clamped(self.volume as f32) * clamped(volume as f32)
    }

    /// The silence before a sound.
    pub(crate) fn lead_in(&self) -> Duration {
        Duration::from_millis(self.lead_in_ms.into()).min(LONGEST_LEAD_IN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_are_multiplied_and_held_within_bounds() {
        let at = |all: f64, one: f64| {
            let settings = Settings {
                volume: all,
                ..Settings::default()
            };
            format!("{:.2}", settings.loudness(one))
        };
        assert_eq!(at(1.0, 0.5), "0.50");
        assert_eq!(at(0.5, 0.5), "0.25");
        assert_eq!(at(9.0, 0.2), "0.20");
        assert_eq!(at(-1.0, 0.2), "0.00");
        assert_eq!(at(1.0, f64::NAN), "0.00");
    }
}
