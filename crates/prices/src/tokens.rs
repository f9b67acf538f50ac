//! Tokens, and what they cost at a rate.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

const MILLION: f64 = 1_000_000.0;

/// The tokens of one request, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// What was sent and not cached.
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    /// What was put into the cache for five minutes.
    pub cache_write: u64,
    /// What was put into it for an hour.
    pub cache_write_hour: u64,
}

impl Tokens {
    /// What the model was given, from wherever it came.
    pub fn prompt(&self) -> u64 {
        let parts = [self.cache_read, self.cache_write, self.cache_write_hour];
        parts.into_iter().fold(self.input, u64::saturating_add)
    }

    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        let sums = [
            (&mut self.input, other.input),
            (&mut self.output, other.output),
            (&mut self.cache_read, other.cache_read),
            (&mut self.cache_write, other.cache_write),
            (&mut self.cache_write_hour, other.cache_write_hour),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
    }
}

/// How fast a request was to be answered; fast costs more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Speed {
    #[default]
    Usual,
    Fast,
}

/// US dollars for a million tokens of each kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    pub input: f64,
    pub output: f64,
    pub cache_read: f64,
    pub cache_write: f64,
    pub cache_write_hour: f64,
}

impl Rates {
    /// What these tokens cost, in US dollars.
    pub fn cost(&self, tokens: &Tokens) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "an estimate; nobody uses more tokens than a double counts exactly"
        )]
        let of = |count: u64, rate: f64| count as f64 / MILLION * rate;
        of(tokens.input, self.input)
            + of(tokens.output, self.output)
            + of(tokens.cache_read, self.cache_read)
            + of(tokens.cache_write, self.cache_write)
            + of(tokens.cache_write_hour, self.cache_write_hour)
    }
}

/// What something costs, as far as prices are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// US dollars, estimated.
    pub usd: f64,
    /// Whether there were tokens of a model without a price: they are not in the sum.
    pub incomplete: bool,
}

impl Cost {
    /// Adds the cost of a request; `None` when its model has no price.
    pub fn add(&mut self, usd: Option<f64>) {
        match usd {
            Some(usd) => self.usd += usd,
            None => self.incomplete = true,
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.usd += other.usd;
        self.incomplete |= other.incomplete;
    }
}
