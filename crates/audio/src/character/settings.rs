//! The section `character` of the configuration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In whose words lines are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whose: `shepherd`, `toad`, or one of your own; empty means plain words.
    pub profile: String,
    /// Where the words come from.
    pub rewrite: Way,
    /// How long to wait for a service, in milliseconds, before the plain line is spoken.
    #[schemars(range(min = 0, max = 60_000))]
    pub deadline_ms: u32,
    /// Anthropic's service. Needs `ANTHROPIC_API_KEY`.
    pub anthropic: Service,
    /// OpenAI's service, or anything that speaks its protocol.
    pub openai: Service,
}

/// Where a character's words come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// From the phrases of its profile; nothing leaves this machine.
    #[default]
    Offline,
    /// From Anthropic's service.
    Anthropic,
    /// From OpenAI's, or what speaks its protocol.
    Openai,
}

impl Way {
    /// As the configuration has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Anthropic => "anthropic",
            Self::Openai => "openai",
        }
    }
}

/// A service that rewrites.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Service {
    /// Its address, with or without `/v1`; empty means the usual one.
    pub base_url: String,
    /// The model; there is none by default.
    pub model: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: String::new(),
            rewrite: Way::Offline,
            deadline_ms: 800,
            anthropic: Service::default(),
            openai: Service::default(),
        }
    }
}
