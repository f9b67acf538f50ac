//! What an agent's work has cost, as far as its transcript says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tokens, and money where it is told.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Usage {
    /// Answers of the model.
    pub messages: u64,
    /// Tokens that were sent and not in the cache.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
    /// Tokens that were read from the cache.
    pub cache_read_tokens: u64,
    /// Tokens that were written to the cache.
    pub cache_creation_tokens: u64,
    /// US dollars, where the transcript says so.
    pub cost_usd: Option<f64>,
}

/// What was read of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub agent_id: String,
    /// From where on it was read: where the reading before it ended.
    pub from: u64,
    /// What was used since then.
    pub usage: Usage,
    /// Up to where it was read.
    pub read_to: u64,
    /// The last message that was counted: more of it may follow.
    pub last_message: Option<String>,
    /// What was counted of that message.
    pub last_used: Usage,
}

impl Usage {
    pub fn add(&mut self, more: &Self) {
        self.messages += more.messages;
        self.input_tokens += more.input_tokens;
        self.output_tokens += more.output_tokens;
        self.cache_read_tokens += more.cache_read_tokens;
        self.cache_creation_tokens += more.cache_creation_tokens;
        if let Some(cost) = more.cost_usd {
            *self.cost_usd.get_or_insert(0.0) += cost;
        }
    }

    /// What this tells more than something that was told of the same before.
    #[must_use]
    pub fn beyond(&self, before: &Self) -> Self {
        let cost = self.cost_usd.unwrap_or_default() - before.cost_usd.unwrap_or_default();
        Self {
            messages: self.messages.saturating_sub(before.messages),
            input_tokens: self.input_tokens.saturating_sub(before.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(before.output_tokens),
            cache_read_tokens: self
                .cache_read_tokens
                .saturating_sub(before.cache_read_tokens),
            cache_creation_tokens: self
                .cache_creation_tokens
                .saturating_sub(before.cache_creation_tokens),
            cost_usd: (cost > 0.0).then_some(cost),
        }
    }

    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
