//! When nothing is said.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When nothing is said. Runs without anybody in front of them (`claude -p`, SDKs) are silent always.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Quiet {
    /// Hours of silence in your own time, for instance `["22:00-07:30"]`.
    pub hours: Vec<Hours>,
    /// Nothing at all for turns shorter than this, in seconds.
    #[schemars(range(min = 0, max = 86_400))]
    pub min_turn_seconds: u32,
    /// Nothing about subagents, but for what waits for your answer.
    pub subagents: bool,
    /// Nothing about teammates, but for what waits for your answer.
    pub teammates: bool,
}

/// A time of the day to another, over midnight if the second is the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hours {
    /// Minutes since midnight.
    from: u16,
    /// Minutes since midnight.
    to: u16,
}

impl Hours {
    /// Whether a minute of the day is in them.
    pub fn contain(self, minute: u16) -> bool {
        if self.from <= self.to {
            (self.from..self.to).contains(&minute)
        } else {
            minute >= self.from || minute < self.to
        }
    }
}

impl Quiet {
    /// Whether a minute of the day is one of silence.
    pub fn at(&self, minute: u16) -> bool {
        self.hours.iter().any(|hours| hours.contain(minute))
    }
}

/// The minute of the person's day at a time, in milliseconds since 1970.
pub fn minute_of_day(at_ms: u64) -> Option<u16> {
    let at = Timestamp::from_millisecond(i64::try_from(at_ms).ok()?).ok()?;
    let here = at.to_zoned(TimeZone::system());
    u16::try_from(here.hour())
        .ok()?
        .checked_mul(60)?
        .checked_add(u16::try_from(here.minute()).ok()?)
}

/// Reads a time of the day: `18:00`, `7:30`.
pub fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.trim().split_once(':')?;
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

impl TryFrom<String> for Hours {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let times = text
            .split_once('-')
            .and_then(|(from, to)| Some((minute(from)?, minute(to)?)));
        let (from, to) =
            times.ok_or_else(|| "not two times of the day, for instance 22:00-07:30".to_owned())?;
        Ok(Self { from, to })
    }
}

impl From<Hours> for String {
    fn from(hours: Hours) -> Self {
        hours.to_string()
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from, self.to);
        write!(
            f,
            "{:02}:{:02}-{:02}:{:02}",
            from / 60,
            from % 60,
            to / 60,
            to % 60
        )
    }
}

impl JsonSchema for Hours {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hours".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^\\d{1,2}:\\d{2}-\\d{1,2}:\\d{2}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_go_over_midnight() {
        let night = Hours::try_from("22:00-7:30".to_owned()).unwrap();
        assert!(night.contain(23 * 60) && night.contain(0) && night.contain(449));
        assert!(!night.contain(450) && !night.contain(21 * 60 + 59));
        let noon = Hours::try_from("12:00-13:00".to_owned()).unwrap();
        assert!(noon.contain(720) && !noon.contain(780) && !noon.contain(0));
        assert_eq!(night.to_string(), "22:00-07:30");
        for wrong in ["", "22", "22:00", "24:00-1:00", "1:60-2:00", "a-b"] {
            assert!(Hours::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
