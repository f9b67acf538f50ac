//! Why something is no event.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is wrong with an event that somebody sent: which field, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{field}: {why}")]
pub struct Invalid {
    /// The field, with dots between its parts; empty when the whole is meant.
    pub field: String,
    /// What is wrong with it, and what is wanted.
    pub why: String,
}

impl Invalid {
    pub(crate) fn new(field: &str, why: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            why: why.into(),
        }
    }
}
