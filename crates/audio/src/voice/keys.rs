//! The keys that voices and characters may use.

use crate::Secret;

/// What was found of the person's keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    pub elevenlabs: Option<Secret>,
    /// For OpenAI and what speaks its protocol.
    pub openai: Option<Secret>,
    pub anthropic: Option<Secret>,
}
