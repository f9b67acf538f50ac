//! The section `voice` of the configuration.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Tongue;
use super::engines::{EngineName, elevenlabs, openai, piper, system};

/// Who speaks. Each announcement has its own voice, rate and volume beside this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Who is asked to speak, in this order, until one does.
    pub chain: Vec<EngineName>,
    /// The language that Latin letters are read in, as `en-US`. Other scripts name theirs.
    pub language: String,
    /// Give each session a pitch of its own.
    pub per_session: bool,
    /// How long to wait for a service's next sound, in milliseconds, before the next engine speaks.
    #[schemars(range(min = 0, max = 60_000))]
    pub patience_ms: u32,
    /// Speech that is kept, so that it need not be made again.
    pub cache: CacheSettings,
    /// ElevenLabs. Needs `ELEVENLABS_API_KEY`.
    pub elevenlabs: elevenlabs::Config,
    /// OpenAI, or anything that speaks its protocol.
    pub openai: openai::Config,
    /// The Piper that you have installed.
    pub piper: piper::Config,
    /// What the system brings: `say`, Windows' own voice under WSL, or `espeak-ng`.
    pub system: system::Config,
}

/// How much speech is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CacheSettings {
    /// At most so much; 0 keeps none.
    #[schemars(range(min = 0, max = 102_400))]
    pub megabytes: u32,
    /// What nobody asked for in so many days is deleted.
    #[schemars(range(min = 0, max = 3_650))]
    pub days: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            chain: EngineName::ALL.to_vec(),
            language: "en-US".into(),
            per_session: false,
            patience_ms: 800,
            cache: CacheSettings::default(),
            elevenlabs: elevenlabs::Config::default(),
            openai: openai::Config::default(),
            piper: piper::Config::default(),
            system: system::Config::default(),
        }
    }
}

impl Default for CacheSettings {
    fn default() -> Self {
        Self {
            megabytes: 32,
            days: 7,
        }
    }
}

impl Settings {
    /// How long a service is waited for; never so short that none could answer, nor so long that a
    /// line would be late.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(u64::from(self.patience_ms.clamp(100, 10_000)))
    }

    /// What Latin letters are read as.
    pub(super) fn latin(&self) -> Tongue {
        Tongue::named(&self.language)
    }
}
