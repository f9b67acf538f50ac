//! What the guard said about a tool call, as it is shown.

use bellwether_spine::meta::Ruling;
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule's identifier is no longer than this.
const RULE: usize = 60;

/// What became of a tool call that the guard had something against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopHow {
    /// It was refused.
    Refused,
    /// The person was asked first.
    Asked,
}

/// What the guard said about a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardStop {
    /// What became of it.
    pub how: StopHow,
    /// The rules that were against it.
    pub rules: Vec<String>,
}

impl GuardStop {
    /// What a record says; `None` when it is a word of another version.
    pub fn of(ruling: &Ruling<'_>) -> Option<Self> {
        let how = match (ruling.is_refusal(), ruling.is_question()) {
            (true, _) => StopHow::Refused,
            (_, true) => StopHow::Asked,
            _ => return None,
        };
        let rules = ruling.rules.iter().map(|rule| text::shown(rule, RULE));
        Some(Self {
            how,
            rules: rules.collect(),
        })
    }
}
