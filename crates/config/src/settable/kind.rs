//! What may stand in a setting.

use bellwether_audio::voice::EngineName;
use serde_json::{Value, json};

/// A name is no longer than this, in characters.
const NAME: usize = 200;
/// No more hours of silence than this.
const HOURS: usize = 8;

/// What may stand in a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Yes or no.
    Flag,
    /// A number from 0 to 1.
    Volume,
    /// Words a minute.
    Rate,
    /// A number of seconds, of a day at most.
    Seconds,
    /// A whole number.
    Whole {
        least: u32,
        most: u32,
    },
    Word(&'static [&'static str]),
    Name,
    /// Hours of the day, as `22:00-07:30`.
    Hours,
    /// Engines, in order.
    Engines,
}

impl Kind {
    /// Whether a value may stand there; what may, if it may not.
    pub fn check(self, value: &Value) -> Result<(), String> {
        let fits = match self {
            Self::Flag => value.is_boolean(),
            Self::Volume => value
                .as_f64()
                .is_some_and(|volume| (0.0..=1.0).contains(&volume)),
            Self::Rate => is_whole(value, 20.0, 1000.0),
            Self::Seconds => is_whole(value, 0.0, 86_400.0),
            Self::Whole { least, most } => is_whole(value, least.into(), most.into()),
            Self::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Name => value.as_str().is_some_and(is_name),
            Self::Hours => all_of(value, HOURS, is_hours),
            Self::Engines => all_of(value, EngineName::ALL.len(), is_engine) && is_once(value),
        };
        if fits { Ok(()) } else { Err(self.about()) }
    }

    /// What may stand there, in words.
    pub fn about(self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Volume => "a number from 0 to 1".to_owned(),
            Self::Rate => "a whole number from 20 to 1000".to_owned(),
            Self::Seconds => "a whole number from 0 to 86400".to_owned(),
            Self::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Name => format!("a text of at most {NAME} characters in one line"),
            Self::Hours => {
                format!("a list of at most {HOURS} times like \"22:00-07:30\"")
            }
            Self::Engines => format!("a list of {}, each once", engines().join(", ")),
        }
    }

    /// The value as it is written: in JSON `5.0` is as whole as `5`.
    pub fn settled(self, value: Value) -> Value {
        match (self, value.as_f64()) {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it was checked to be whole and small"
            )]
            (Self::Rate | Self::Seconds | Self::Whole { .. }, Some(number)) => {
                (number as i64).into()
            }
            _ => value,
        }
    }

    /// The same for the documents.
    pub(super) fn schema(self) -> Value {
        match self {
            Self::Flag => json!({"type": "boolean"}),
            Self::Volume => json!({"type": "number", "minimum": 0, "maximum": 1}),
            Self::Rate => json!({"type": "integer", "minimum": 20, "maximum": 1000}),
            Self::Seconds => json!({"type": "integer", "minimum": 0, "maximum": 86_400}),
            Self::Whole { least, most } => {
                json!({"type": "integer", "minimum": least, "maximum": most})
            }
            Self::Word(words) => json!({"type": "string", "enum": words}),
            Self::Name => {
                json!({"type": "string", "maxLength": NAME, "pattern": "^[^\\u0000-\\u001f\\u007f]*$"})
            }
            Self::Hours => json!({
                "type": "array", "maxItems": HOURS,
                "items": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"},
            }),
            Self::Engines => json!({
                "type": "array", "uniqueItems": true, "items": {"type": "string", "enum": engines()},
            }),
        }
    }

    /// A value as it is typed in a terminal.
    pub fn read(self, typed: &str) -> Value {
        let list = || {
            let parts = typed.trim_matches(['[', ']']).split(',').map(str::trim);
            let parts = parts.map(|part| part.trim_matches('"'));
            parts.filter(|part| !part.is_empty()).collect::<Value>()
        };
        match self {
            Self::Word(_) | Self::Name => typed.into(),
            Self::Hours | Self::Engines => list(),
            Self::Flag => match typed.to_ascii_lowercase().as_str() {
                "yes" | "on" | "true" => true.into(),
                "no" | "off" | "false" => false.into(),
                _ => typed.into(),
            },
            Self::Volume | Self::Rate | Self::Seconds | Self::Whole { .. } => {
                serde_json::from_str(typed).unwrap_or_else(|_| typed.into())
            }
        }
    }
}

fn engines() -> Vec<&'static str> {
    EngineName::ALL.iter().map(|name| name.as_str()).collect()
}

fn is_name(text: &str) -> bool {
    text.chars().count() <= NAME && !text.bytes().any(|byte| byte.is_ascii_control())
}

fn is_whole(value: &Value, least: f64, most: f64) -> bool {
    let fits = |number: f64| number.fract() == 0.0 && (least..=most).contains(&number);
    value.as_f64().is_some_and(fits)
}

fn all_of(value: &Value, most: usize, fits: fn(&str) -> bool) -> bool {
    let fits = |item: &Value| item.as_str().is_some_and(fits);
    value
        .as_array()
        .is_some_and(|items| items.len() <= most && items.iter().all(fits))
}

fn is_once(value: &Value) -> bool {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let before = |at: usize| &items[..at];
    (0..items.len()).all(|at| !before(at).contains(&items[at]))
}

fn is_engine(text: &str) -> bool {
    engines().contains(&text)
}

fn is_hours(text: &str) -> bool {
    let is_time = |time: &str| match time.as_bytes() {
        [ten, one, b':', minute, digit] => {
            let hour = matches!((ten, one), (b'0' | b'1', b'0'..=b'9') | (b'2', b'0'..=b'3'));
            hour && matches!((minute, digit), (b'0'..=b'5', b'0'..=b'9'))
        }
        _ => false,
    };
    text.split_once('-')
        .is_some_and(|(from, to)| is_time(from) && is_time(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_stand_there_and_what_may_not() {
        for (kind, good, bad) in [
            (
                Kind::Flag,
                vec![json!(true)],
                vec![json!("yes"), json!(1), json!(null)],
            ),
            (
                Kind::Volume,
                vec![json!(0), json!(0.5), json!(1)],
                vec![json!(1.1), json!(-0.1), json!("1")],
            ),
            (
                Kind::Rate,
                vec![json!(20)],
                vec![json!(19), json!(20.5), json!(-1)],
            ),
            (
                Kind::Name,
                vec![json!(""), json!("Yuna 유나")],
                vec![json!("a\nb"), json!("x".repeat(201))],
            ),
            (
                Kind::Hours,
                vec![json!([]), json!(["22:00-07:30"])],
                vec![
                    json!("22:00-07:30"),
                    json!(["24:00-01:00"]),
                    json!(["2:00-3:00"]),
                ],
            ),
            (
                Kind::Engines,
                vec![json!([]), json!(["embedded", "system"])],
                vec![json!(["nobody"]), json!(["system", "system"])],
            ),
            (
                Kind::Word(&["a", "b"]),
                vec![json!("a")],
                vec![json!("c"), json!(["a"])],
            ),
        ] {
            for value in good {
                assert_eq!(kind.check(&value), Ok(()), "{value}");
            }
            for value in bad {
                assert!(kind.check(&value).is_err(), "{value}");
            }
        }
    }

    #[test]
    fn what_is_typed_is_understood() {
        assert_eq!(Kind::Flag.read("off"), json!(false));
        assert_eq!(Kind::Volume.read("0.5"), json!(0.5));
        assert_eq!(Kind::Volume.read("loud"), json!("loud"));
        assert_eq!(Kind::Name.read("7"), json!("7"));
        assert_eq!(
            Kind::Hours.read("22:00-07:30, 12:00-13:00"),
            json!(["22:00-07:30", "12:00-13:00"])
        );
        assert_eq!(Kind::Engines.read("[]"), json!([]));
    }
}
