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
    /// US dollars, estimated; none where no model of it has a price.
    pub cost_usd: Option<f64>,
    /// Answers of models without a price: `cost_usd` does not hold them.
    pub unpriced: u64,
}

/// What one model has used.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ModelUsage {
    /// The model, as the transcript calls it.
    pub model: String,
    /// What it has used.
    pub usage: Usage,
}

/// What one model has used in an hour.
#[derive(Debug, Clone, PartialEq)]
pub struct Spent {
    /// The hour, counted from 1970.
    pub hour: u64,
    pub model: String,
    pub usage: Usage,
}

/// What a session is called, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionName {
    /// By the person.
    Given(String),
    /// By the client.
    Found(String),
}

impl SessionName {
    pub fn text(&self) -> &str {
        match self {
            Self::Given(name) | Self::Found(name) => name,
        }
    }

    /// Whether it takes the place of another: what the person said counts more.
    pub(super) fn replaces(&self, other: Option<&Self>) -> bool {
        matches!(self, Self::Given(_)) || !matches!(other, Some(Self::Given(_)))
    }
}

/// What was read of a transcript.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    pub agent_id: String,
    /// From where on it was read: where the reading before it ended.
    pub from: u64,
    /// What was used since then, by hour and model.
    pub spent: Vec<Spent>,
    /// The model of the newest request.
    pub model: Option<String>,
    /// How many tokens the newest request gave the model.
    pub context_tokens: Option<u64>,
    /// The branch that was checked out then.
    pub branch: Option<String>,
    /// What the session is called.
    pub name: Option<SessionName>,
    /// Up to where it was read.
    pub read_to: u64,
    /// The last message that was counted: more of it may follow.
    pub last_message: Option<String>,
    /// What was counted of that message.
    pub last_used: Usage,
}

impl Measured {
    /// Notes what was used, with what the same model used in the same hour.
    pub fn spend(&mut self, hour: u64, model: &str, usage: &Usage) {
        let same = |spent: &&mut Spent| spent.hour == hour && spent.model == model;
        if let Some(spent) = self.spent.iter_mut().find(same) {
            spent.usage.add(usage);
        } else {
            self.spent.push(Spent {
                hour,
                model: model.to_owned(),
                usage: *usage,
            });
        }
    }

    /// What was used in all.
    pub fn usage(&self) -> Usage {
        let mut all = Usage::default();
        self.spent.iter().for_each(|spent| all.add(&spent.usage));
        all
    }
}

impl Usage {
    pub fn add(&mut self, more: &Self) {
        self.messages += more.messages;
        self.input_tokens += more.input_tokens;
        self.output_tokens += more.output_tokens;
        self.cache_read_tokens += more.cache_read_tokens;
        self.cache_creation_tokens += more.cache_creation_tokens;
        self.unpriced += more.unpriced;
        if let Some(cost) = more.cost_usd {
            *self.cost_usd.get_or_insert(0.0) += cost;
        }
    }

    pub fn tokens(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.output_tokens)
            .saturating_add(self.cache_read_tokens)
            .saturating_add(self.cache_creation_tokens)
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
            unpriced: self.unpriced.saturating_sub(before.unpriced),
        }
    }

    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
