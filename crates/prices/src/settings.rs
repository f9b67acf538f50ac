//! The person's own prices.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Rates;

/// What models cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Your own prices, by the name of the model as a transcript has it or without its date: US dollars for a million
    /// tokens. They win over the table that comes with the program, and name models that it does not know.
    pub models: BTreeMap<String, OwnRates>,
}

/// The price of a model. A cache costs what it usually does beside the price of input, unless it is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OwnRates {
    /// A million tokens that are sent.
    #[schemars(range(min = 0, max = 100_000))]
    pub input: f64,
    /// A million tokens that come back.
    #[schemars(range(min = 0, max = 100_000))]
    pub output: f64,
    /// A million tokens that are read from the cache; a tenth of `input` if not said.
    #[schemars(range(min = 0, max = 100_000))]
    pub cache_read: Option<f64>,
    /// A million tokens that are cached for five minutes; 1.25 times `input` if not said.
    #[schemars(range(min = 0, max = 100_000))]
    pub cache_write: Option<f64>,
    /// A million tokens that are cached for an hour; twice `input` if not said.
    #[schemars(range(min = 0, max = 100_000))]
    pub cache_write_hour: Option<f64>,
}

impl From<&OwnRates> for Rates {
    fn from(own: &OwnRates) -> Self {
        Self {
            input: own.input,
            output: own.output,
            cache_read: own.cache_read.unwrap_or(own.input * 0.1),
            cache_write: own.cache_write.unwrap_or(own.input * 1.25),
            cache_write_hour: own.cache_write_hour.unwrap_or(own.input * 2.0),
        }
    }
}
