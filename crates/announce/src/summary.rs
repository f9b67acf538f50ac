//! How much of a message is said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a message is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Summary {
    /// Which limit counts.
    pub mode: Mode,
    /// How many sentences at the most, in the mode `sentences`.
    #[schemars(range(min = 0, max = 1_000))]
    pub max_sentences: u32,
    /// How many characters at the most, in the modes `characters` and `full`.
    #[schemars(range(min = 0, max = 100_000))]
    pub max_characters: u32,
    /// Where to begin.
    pub start: Start,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            mode: Mode::Sentences,
            max_sentences: 1,
            max_characters: 80,
            start: Start::Action,
        }
    }
}

/// Which limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// So many sentences.
    Sentences,
    /// Whole sentences, up to so many characters.
    Characters,
    /// All of it, up to so many characters.
    Full,
}

/// Where a summary begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// At the first sentence that tells what was done.
    Action,
    /// At the beginning.
    Beginning,
}
