//! One JSON object, read one level deep.
//!
//! Foreign JSON is read leniently: a key given twice counts as its last value, as in the client's
//! own `JSON.parse`; `null` counts as missing; a value of the wrong type is missing for its reader
//! only. Nothing below the first level is looked at, so nesting costs no stack however deep it is.
//! Strings are borrowed unless they hold escapes, and a lone surrogate in one becomes U+FFFD: the
//! client cuts texts in the middle of an emoji, and a guard must not lose a command over that.

use std::{borrow::Cow, fmt};

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::ParseError;

/// Room for every key of the largest recorded payload, so that one allocation holds them all.
const USUAL_KEYS: usize = 24;

/// The keys and values of one JSON object, in the order they were written.
#[derive(Debug, Clone, Default)]
pub struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Splits the text of a JSON object into its fields.
    pub fn parse(json: &'a str) -> Result<Self, ParseError> {
        serde_json::from_str(json).map_err(ParseError::new)
    }

    /// The field `name`, when it is there and is a `T`.
    pub fn get<T: FromRaw<'a>>(&self, name: &str) -> Option<T> {
        let (_, value) = self.0.iter().rfind(|(key, _)| is_same(key, name))?;
        T::from_raw(value)
    }

    /// Every field, in the order they were written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value))
    }

    /// The first of several names for one field under which there is a `T`.
    pub fn first<T: FromRaw<'a>>(&self, names: &[&str]) -> Option<T> {
        names.iter().find_map(|name| self.get(name))
    }
}

/// Whether two names are the same. Most are not, and their last letters tell most of those that are as
/// long.
fn is_same(key: &str, name: &str) -> bool {
    key.len() == name.len() && key.as_bytes().last() == name.as_bytes().last() && key == name
}

/// A value that can be read from raw JSON, or is missing when the JSON is something else.
pub trait FromRaw<'a>: Sized {
    /// Reads the value; `None` when `raw` is of another type.
    fn from_raw(raw: &'a RawValue) -> Option<Self>;
}

impl<'a> FromRaw<'a> for Fields<'a> {
    fn from_raw(raw: &'a RawValue) -> Option<Self> {
        Self::parse(raw.get()).ok()
    }
}

impl<'a> FromRaw<'a> for Cow<'a, str> {
    fn from_raw(raw: &'a RawValue) -> Option<Self> {
        if let Some(plain) = plain(raw) {
            return Some(Cow::Borrowed(plain));
        }
        raw.get().starts_with('"').then_some(())?;
        serde_json::from_str::<Text>(raw.get())
            .ok()
            .map(|Text(text)| text)
    }
}

/// An id, which some write as a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdText<'a>(pub Cow<'a, str>);

impl<'a> FromRaw<'a> for IdText<'a> {
    fn from_raw(raw: &'a RawValue) -> Option<Self> {
        let digits = || raw.get().bytes().all(|byte| byte.is_ascii_digit());
        let number = || digits().then_some(Cow::Borrowed(raw.get()));
        Cow::from_raw(raw).or_else(number).map(Self)
    }
}

impl serde::Serialize for IdText<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'a> FromRaw<'a> for &'a RawValue {
    fn from_raw(raw: &'a RawValue) -> Option<Self> {
        (raw.get() != "null").then_some(raw)
    }
}

impl FromRaw<'_> for bool {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }
}

impl FromRaw<'_> for f64 {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }
}

impl FromRaw<'_> for i64 {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }
}

impl FromRaw<'_> for u64 {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        serde_json::from_str(raw.get())
            .ok()
            .or_else(|| whole_part(f64::from_raw(raw)?))
    }
}

impl<'a, T: FromRaw<'a>> FromRaw<'a> for Vec<T> {
    fn from_raw(raw: &'a RawValue) -> Option<Self> {
        let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
        Some(items.into_iter().filter_map(T::from_raw).collect())
    }
}

/// The client's numbers are doubles, so a duration may come as `11.5`.
fn whole_part(number: f64) -> Option<u64> {
    const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked first, and dropping the fraction is the purpose"
    )]
    (0.0..=LARGEST_EXACT)
        .contains(&number)
        .then_some(number as u64)
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::with_capacity(USUAL_KEYS);
        // A key is read twice: as raw text, which must be valid JSON, and then as the lenient string
        // that lets a lone surrogate pass but would let control characters pass as well.
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let key = if let Some(plain) = plain(key) {
                Cow::Borrowed(plain)
            } else {
                let Text(key) = serde_json::from_str(key.get()).map_err(de::Error::custom)?;
                key
            };
            fields.push((key, value));
        }
        Ok(Fields(fields))
    }
}

/// The words of a string without escapes: what stands between its quotes, which was checked when it
/// became a raw value.
fn plain(raw: &RawValue) -> Option<&str> {
    let words = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    (!words.as_bytes().contains(&b'\\')).then_some(words)
}

/// A JSON string. It is asked for as bytes, the one way in which `serde_json` lets a lone surrogate
/// through.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor).map(Self)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(String::from_utf8_lossy(bytes))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(String::from_utf8_lossy(bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(json: &'a str, name: &str) -> Option<Cow<'a, str>> {
        Fields::parse(json).unwrap().get(name)
    }

    #[test]
    fn borrows_plain_strings_and_decodes_escapes() {
        assert!(matches!(
            text(r#"{"a":"plain"}"#, "a"),
            Some(Cow::Borrowed("plain"))
        ));
        assert_eq!(
            text(r#"{"a":"tab\t\"q\" \u00e9 \ud83d\ude00"}"#, "a").unwrap(),
            "tab\t\"q\" é 😀"
        );
        assert_eq!(text(r#"{"\u0061":"key"}"#, "a").unwrap(), "key");
    }

    #[test]
    fn keeps_a_string_that_holds_half_an_emoji() {
        let cut = text(r#"{"a":"rm -rf x \ud83d"}"#, "a").unwrap();
        assert!(cut.starts_with("rm -rf x \u{fffd}"), "{cut}");
        assert_eq!(text(r#"{"\udc00":1,"a":"b"}"#, "a").unwrap(), "b");
    }

    #[test]
    fn takes_the_last_of_two_equal_keys() {
        assert_eq!(text(r#"{"a":"first","a":"last"}"#, "a").unwrap(), "last");
    }

    #[test]
    fn takes_the_next_name_when_the_first_is_null_or_of_another_type() {
        let fields = Fields::parse(r#"{"new":null,"odd":7,"old":"value"}"#).unwrap();
        let value: Option<Cow<str>> = fields.first(&["new", "odd", "old"]);
        assert_eq!(value.unwrap(), "value");
    }

    #[test]
    fn reads_numbers_that_fit_and_skips_those_that_do_not() {
        let fields =
            Fields::parse(r#"{"a":11.9,"b":1e999,"c":-1,"d":18446744073709551616}"#).unwrap();
        assert_eq!(fields.get::<u64>("a"), Some(11));
        for name in ["b", "c", "d"] {
            assert_eq!(fields.get::<u64>(name), None, "{name}");
        }
        assert_eq!(fields.get::<i64>("c"), Some(-1));
    }

    #[test]
    fn says_where_the_text_stops_being_an_object() {
        for (json, said) in [
            (
                "",
                "not a JSON object: EOF while parsing a value at line 1 column 0",
            ),
            (
                "[1]",
                "not a JSON object: invalid type: sequence, expected an object at line 1 column 0",
            ),
            (
                "{\"a\":\n tru}",
                "not a JSON object: expected ident at line 2 column 5",
            ),
            (
                "{} {}",
                "not a JSON object: trailing characters at line 1 column 4",
            ),
        ] {
            assert_eq!(Fields::parse(json).unwrap_err().to_string(), said);
        }
    }
}
