//! The table of prices.

use std::collections::BTreeMap;

use crate::model::plain;
use crate::{Rates, Settings, Speed, Tokens};

const TABLE: &str = include_str!("../tables/prices.tsv");

/// What every known model costs.
#[derive(Debug, Clone)]
pub struct Prices {
    date: &'static str,
    rows: Vec<Row>,
    own: BTreeMap<String, Rates>,
}

#[derive(Debug, Clone, PartialEq)]
struct Row {
    model: &'static str,
    when: When,
    rates: Rates,
}

/// Which requests a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Fast,
    /// The prompt has more tokens than this.
    Over(u64),
}

impl Default for Prices {
    fn default() -> Self {
        Self::new(&Settings::default())
    }
}

impl Prices {
    /// The table, with the person's own prices over it.
    pub fn new(settings: &Settings) -> Self {
        let own = settings.models.iter();
        Self {
            date: date(TABLE),
            rows: TABLE.lines().filter_map(row).collect(),
            own: own.map(|(name, own)| (name.clone(), own.into())).collect(),
        }
    }

    /// The day on which the table was true.
    pub fn date(&self) -> &'static str {
        self.date
    }

    /// What a request costs, in US dollars; `None` when its model has no price. Prices may depend on how long the prompt
    /// of one request is, so a sum of many cannot be asked about.
    pub fn cost(&self, model: &str, speed: Speed, request: &Tokens) -> Option<f64> {
        Some(self.rates(model, speed, request)?.cost(request))
    }

    /// Whether the person has said what a model costs.
    pub fn has_own(&self, model: &str) -> bool {
        self.own.contains_key(model) || self.own.contains_key(plain(model))
    }

    fn rates(&self, model: &str, speed: Speed, request: &Tokens) -> Option<Rates> {
        let name = plain(model);
        if let Some(own) = self.own.get(model).or_else(|| self.own.get(name)) {
            return Some(*own);
        }
        let of_model = |row: &&Row| row.model == name && row.when.holds(speed, request);
        // What holds only sometimes counts more than what always does.
        let rows = self.rows.iter().filter(of_model);
        rows.max_by_key(|row| row.when != When::Always)
            .map(|row| row.rates)
    }
}

impl When {
    fn holds(self, speed: Speed, request: &Tokens) -> bool {
        match self {
            Self::Always => true,
            Self::Fast => speed == Speed::Fast,
            Self::Over(tokens) => request.prompt() > tokens,
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "" => Some(Self::Always),
            "fast" => Some(Self::Fast),
            other => other.strip_prefix('>')?.parse().ok().map(Self::Over),
        }
    }
}

fn date(table: &'static str) -> &'static str {
    let mut lines = table.lines();
    let date = lines.find_map(|line| line.strip_prefix("date\t"));
    date.unwrap_or_default()
}

fn row(line: &'static str) -> Option<Row> {
    let mut columns = line.split('\t');
    let (model, when) = (columns.next()?, When::read(columns.next()?)?);
    let mut rate = || columns.next()?.parse().ok();
    let (input, output) = (rate()?, rate()?);
    let (cache_write, cache_write_hour, cache_read) = (rate()?, rate()?, rate()?);
    Some(Row {
        model,
        when,
        rates: Rates {
            input,
            output,
            cache_read,
            cache_write,
            cache_write_hour,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OwnRates;

    fn sent(input: u64, output: u64) -> Tokens {
        Tokens {
            input,
            output,
            ..Tokens::default()
        }
    }

    fn cents(usd: Option<f64>) -> Option<f64> {
        usd.map(|usd| (usd * 100_000.0).round() / 1000.0)
    }

    #[test]
    fn every_line_is_a_row_a_date_or_a_comment_and_no_row_stands_twice() {
        let prices = Prices::default();
        let lines = TABLE.lines();
        let other = lines.filter(|line| line.starts_with('#') || line.starts_with("date\t"));
        assert_eq!(prices.rows.len() + other.count(), TABLE.lines().count());
        assert!(prices.rows.len() > 30);
        for (place, row) in prices.rows.iter().enumerate() {
            let same = |other: &&Row| (other.model, other.when) == (row.model, row.when);
            assert_eq!(
                prices.rows[place..].iter().filter(same).count(),
                1,
                "{row:?}"
            );
            assert_eq!(plain(row.model), row.model, "nobody would find it");
        }
        let parts: Vec<u32> = prices
            .date()
            .split('-')
            .map(|part| part.parse().unwrap())
            .collect();
        assert!(
            matches!(parts[..], [2026..=2099, 1..=12, 1..=31]),
            "{parts:?}"
        );
    }

    /// The client's own sum for a recorded session: `cost-state` in the fixture `basic`.
    #[test]
    fn a_recorded_session_costs_what_the_client_says() {
        let prices = Prices::default();
        let cost = prices.cost("claude-opus-5-5", Speed::Usual, &sent(8400, 294));
        assert_eq!(cents(cost), Some(3.948));
    }

    #[test]
    fn a_request_may_cost_more() {
        let prices = Prices::default();
        let cost = |model, speed, tokens| cents(prices.cost(model, speed, &tokens));
        assert_eq!(
            cost("claude-haiku-5-5", Speed::Usual, sent(100_000, 0)),
            Some(1.0)
        );
        assert_eq!(
            cost("claude-haiku-5-5", Speed::Usual, sent(100_001, 0)),
            Some(5.0)
        );
        assert_eq!(
            cost("claude-opus-5-5", Speed::Fast, sent(1_000_000, 0)),
            Some(800.0)
        );
        let cached = Tokens {
            cache_read: 1_000_000,
            cache_write: 1_000_000,
            cache_write_hour: 1_000_000,
            ..Tokens::default()
        };
        assert_eq!(cost("claude-opus-5-5", Speed::Usual, cached), Some(1320.0));
    }

    #[test]
    fn a_model_without_a_price_has_none_until_the_person_names_one() {
        let unknown = "some-model-9";
        assert_eq!(
            Prices::default().cost(unknown, Speed::Usual, &sent(1, 1)),
            None
        );
        assert_eq!(
            Prices::default().cost("claude-opus-4-9", Speed::Usual, &sent(1, 1)),
            None
        );
        let own = OwnRates {
            input: 1.0,
            output: 2.0,
            ..OwnRates::default()
        };
        let settings = Settings {
            models: [unknown, "claude-opus-5-5"]
                .map(|name| (name.to_owned(), own))
                .into(),
        };
        let prices = Prices::new(&settings);
        for model in [unknown, "claude-opus-5-5", "claude-opus-5-5[1m]"] {
            let cost = prices.cost(model, Speed::Fast, &sent(1_000_000, 1_000_000));
            assert_eq!(cost, Some(3.0), "{model}");
            assert!(prices.has_own(model) && !Prices::default().has_own(model));
        }
    }
}
