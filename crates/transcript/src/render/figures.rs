//! Numbers, money and moments as people read them.

use bellwether_prices::{Cost, Tokens};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How figures are written: in whose time.
#[derive(Debug, Clone)]
pub struct Figures {
    zone: TimeZone,
}

impl Default for Figures {
    fn default() -> Self {
        Self::in_zone(TimeZone::system())
    }
}

impl Figures {
    pub fn in_zone(zone: TimeZone) -> Self {
        Self { zone }
    }

    /// `19:31:42`.
    pub(crate) fn clock(&self, at_ms: u64) -> String {
        self.written(at_ms, "%H:%M:%S")
    }

    /// `2026-11-15 19:31`.
    pub(crate) fn day_time(&self, at_ms: u64) -> String {
        self.written(at_ms, "%Y-%m-%d %H:%M")
    }

    /// `Sunday, 15 November 2026, 19:31`.
    pub(crate) fn long(&self, at_ms: u64) -> String {
        self.written(at_ms, "%A, %-d %B %Y, %H:%M")
    }

    /// `2026-11-15-1931`, fit for the name of a file.
    pub(crate) fn file_name(&self, at_ms: u64) -> String {
        self.written(at_ms, "%Y-%m-%d-%H%M")
    }

    fn written(&self, at_ms: u64, form: &str) -> String {
        let at = i64::try_from(at_ms).ok();
        let at = at.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let zoned = at.map(|at| at.to_zoned(self.zone.clone()));
        zoned.map_or_else(String::new, |zoned| zoned.strftime(form).to_string())
    }
}

/// A number of things, in the right number.
pub(crate) fn many(count: usize, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", whole(count as u64))
}

/// `12,345`.
pub(crate) fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `42`, `1.2k`, `3.4M`.
pub(crate) fn short(number: u64) -> String {
    const STEPS: [(u64, &str); 3] = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    let Some((size, unit)) = STEPS.iter().find(|(size, _)| number >= *size) else {
        return number.to_string();
    };
    let (units, tenth) = (number / size, number % size * 10 / size);
    if units >= 100 || tenth == 0 {
        return format!("{units}{unit}");
    }
    format!("{units}.{tenth}{unit}")
}

/// What a request, a turn or a session used: `1.2k in · 42 out`.
pub(crate) fn tokens(tokens: &Tokens) -> String {
    format!(
        "{} in · {} out",
        short(tokens.prompt()),
        short(tokens.output)
    )
}

/// `$0.04`; small amounts have as many digits as say something.
pub(crate) fn usd(amount: f64) -> String {
    match amount {
        0.0 => "$0".to_owned(),
        small if small < 0.0001 => "<$0.0001".to_owned(),
        small if small < 0.1 => format!("${small:.4}").trim_end_matches('0').to_owned(),
        large => format!("${large:.2}"),
    }
}

/// An estimate; `None` when nothing of it has a price.
pub(crate) fn cost(cost: &Cost) -> Option<String> {
    match (cost.usd > 0.0, cost.incomplete) {
        (true, true) => Some(format!("more than {}", usd(cost.usd))),
        (true, false) => Some(usd(cost.usd)),
        (false, _) => None,
    }
}

/// `0.3 s`, `42 s`, `3 min 12 s`, `2 h 5 min`.
pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0..10) => format!("{}.{} s", seconds, ms % 1000 / 100),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// `34 kB`.
pub(crate) fn bytes(count: usize) -> String {
    let short = short(count as u64);
    let digits = short.trim_end_matches(['k', 'M', 'G']);
    format!("{digits} {}B", &short[digits.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_plain() {
        assert_eq!(
            [0, 42, 999, 1000, 1250, 123_456, 3_400_000].map(short),
            ["0", "42", "999", "1k", "1.2k", "123k", "3.4M"]
        );
        assert_eq!([1, 1000, 1_234_567].map(whole), ["1", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 0.00001, 0.0395, 0.08, 0.5, 12.345].map(usd),
            ["$0", "<$0.0001", "$0.0395", "$0.08", "$0.50", "$12.35"]
        );
        assert_eq!(
            [0, 320, 9_999, 42_000, 180_000, 192_000, 7_500_000].map(duration),
            [
                "0.0 s",
                "0.3 s",
                "9.9 s",
                "42 s",
                "3 min",
                "3 min 12 s",
                "2 h 5 min"
            ]
        );
        assert_eq!(
            [12, 3_400, 2_000_000].map(bytes),
            ["12 B", "3.4 kB", "2 MB"]
        );
        assert_eq!(many(1, "turn") + &many(2000, "turn"), "1 turn2,000 turns");
    }

    #[test]
    fn a_cost_without_all_prices_says_so() {
        let of = |usd, incomplete| cost(&Cost { usd, incomplete });
        assert_eq!(of(0.5, false).as_deref(), Some("$0.50"));
        assert_eq!(of(0.5, true).as_deref(), Some("more than $0.50"));
        assert_eq!(of(0.0, true), None);
    }

    #[test]
    fn moments_are_in_the_person_s_time() {
        let figures = Figures::in_zone(TimeZone::UTC);
        assert_eq!(
            figures.long(1_794_771_101_692),
            "Sunday, 15 November 2026, 19:31"
        );
        assert_eq!(figures.file_name(1_794_771_101_692), "2026-11-15-1931");
        assert_eq!(figures.clock(u64::MAX), "");
    }
}
