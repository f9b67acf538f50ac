//! What tokens cost. The table of prices is data with a date (`tables/prices.tsv`); the person's own prices win over it.
//!
//! Architecture Invariant: a cost is an estimate, and a model that nobody has a price for costs nothing that could be
//! told: it has tokens only.

mod model;
mod settings;
mod table;
mod tokens;

pub use settings::{OwnRates, Settings};
pub use table::Prices;
pub use tokens::{Cost, Rates, Speed, Tokens};
