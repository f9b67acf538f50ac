//! Reads a tree into a struct, with the place in every complaint.

use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::problem::nearest;
use super::{Key, Node, Place, Problem, Value};

/// Reads a tree into anything that deserialises.
pub fn read<'de, T: de::Deserialize<'de>>(node: &'de Node) -> Result<T, Problem> {
    T::deserialize(Reader(node)).map_err(|complaint| complaint.into_problem(&node.place))
}

struct Reader<'a>(&'a Node);

/// A complaint on its way up: it learns its place first and its path last.
#[derive(Debug)]
struct Complaint {
    place: Option<Place>,
    path: Vec<String>,
    message: String,
    suggestion: Option<String>,
}

impl Complaint {
    fn new(message: String) -> Self {
        Self {
            place: None,
            path: Vec::new(),
            message,
            suggestion: None,
        }
    }

    fn at(mut self, place: &Place) -> Self {
        self.place.get_or_insert_with(|| place.clone());
        self
    }

    fn below(mut self, key: &str) -> Self {
        self.path.push(key.to_owned());
        self
    }

    fn into_problem(mut self, place: &Place) -> Problem {
        self.path.reverse();
        Problem {
            place: self.place.unwrap_or_else(|| place.clone()),
            path: self.path.join("."),
            message: self.message,
            suggestion: self.suggestion,
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Complaint {}

impl de::Error for Complaint {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(format!(
            "expected {}, found {}",
            in_words(&expected.to_string()),
            shown(&found)
        ))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(format!(
            "{} is not {}",
            shown(&found),
            in_words(&expected.to_string())
        ))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let mut complaint = Self::new(format!("unknown key `{field}`"));
        complaint.suggestion = nearest(field, expected);
        if complaint.suggestion.is_none() && !expected.is_empty() {
            let known = expected.join(", ");
            complaint.message = format!("{}; known are {known}", complaint.message);
        }
        complaint
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let mut complaint = Self::new(format!("`{variant}` is none of {}", expected.join(", ")));
        complaint.suggestion = nearest(variant, expected);
        complaint
    }
}

/// What a type is called by people.
fn in_words(expected: &str) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not negative",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "string" => "text",
        "a sequence" => "a list",
        other => other
            .strip_prefix("struct ")
            .map_or(other, |_| "a map of keys"),
    }
}

fn shown(found: &de::Unexpected<'_>) -> String {
    match found {
        de::Unexpected::Str(text) => format!("the text \"{text}\""),
        de::Unexpected::Signed(number) => number.to_string(),
        de::Unexpected::Unsigned(number) => number.to_string(),
        de::Unexpected::Float(number) => number.to_string(),
        de::Unexpected::Bool(flag) => flag.to_string(),
        de::Unexpected::Unit => "nothing".to_owned(),
        de::Unexpected::Seq => "a list".to_owned(),
        de::Unexpected::Map => "a map of keys".to_owned(),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Complaint;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => visitor.visit_seq(Items(items.iter())),
            Value::Map(entries) => visitor.visit_map(Entries {
                rest: entries.iter(),
                current: None,
            }),
        }
        .map_err(|complaint| complaint.at(&self.0.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        let place = &self.0.place;
        match &self.0.value {
            Value::Text(text) => visitor.visit_enum(Word(text)),
            _ => Err(Complaint::new(format!(
                "expected one of {}",
                variants.join(", ")
            ))),
        }
        .map_err(|complaint| complaint.at(place))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        match self.0.value {
            // A list would otherwise be taken for the fields in their order.
            Value::List(_) => {
                let complaint: Complaint =
                    de::Error::invalid_type(de::Unexpected::Seq, &"a map of keys");
                Err(complaint.at(&self.0.place))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'a>(std::slice::Iter<'a, Node>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Complaint> {
        self.0
            .next()
            .map(|node| seed.deserialize(Reader(node)))
            .transpose()
    }
}

struct Entries<'a> {
    rest: std::slice::Iter<'a, (Key, Node)>,
    current: Option<&'a (Key, Node)>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Complaint;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Complaint> {
        self.current = self.rest.next();
        let Some((key, _)) = self.current else {
            return Ok(None);
        };
        let read = seed.deserialize(de::value::BorrowedStrDeserializer::new(&key.text));
        read.map(Some)
            .map_err(|complaint: Complaint| complaint.at(&key.place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Complaint> {
        let Some((key, node)) = self.current else {
            return Err(Complaint::new("a value without a key".to_owned()));
        };
        seed.deserialize(Reader(node))
            .map_err(|complaint| complaint.at(&node.place).below(&key.text))
    }
}

struct Word<'a>(&'a str);

impl<'de> EnumAccess<'de> for Word<'de> {
    type Error = Complaint;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Complaint> {
        Ok((
            seed.deserialize(de::value::BorrowedStrDeserializer::new(self.0))?,
            self,
        ))
    }
}

impl<'de> VariantAccess<'de> for Word<'de> {
    type Error = Complaint;

    fn unit_variant(self) -> Result<(), Complaint> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Complaint> {
        Err(Complaint::new("expected a word".to_owned()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Complaint> {
        Err(Complaint::new("expected a word".to_owned()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Complaint> {
        Err(Complaint::new("expected a word".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::super::Origin;
    use super::*;

    #[derive(Debug, Deserialize, PartialEq, Default)]
    #[serde(default, deny_unknown_fields)]
    struct ReadSection {
        enabled: bool,
        rate: u32,
        volume: f64,
        name: String,
        mode: Mode,
        types: Vec<String>,
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize, PartialEq, Default)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        #[default]
        Sentences,
        Characters,
    }

    #[derive(Debug, Deserialize, PartialEq, Default)]
    #[serde(default, deny_unknown_fields)]
    struct Inner {
        max_sentences: u32,
    }

    fn problem(value: &serde_json::Value) -> String {
        let place = Place {
            origin: Origin::BuiltIn("f.yaml"),
            line: 2,
            column: 5,
        };
        read::<ReadSection>(&Node::from_json(value, &place))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_tree_becomes_a_struct() {
        let value = json!({"rate": 5, "volume": 1, "mode": "characters", "types": ["a"], "inner": {"max_sentences": 2}});
        let node = Node::from_json(&value, &Place::in_whole(Origin::BuiltIn("x")));
        let section: ReadSection = read(&node).unwrap();
        let expected = ReadSection {
            rate: 5,
            volume: 1.0,
            mode: Mode::Characters,
            types: vec!["a".into()],
            inner: Some(Inner { max_sentences: 2 }),
            ..ReadSection::default()
        };
        assert_eq!(section, expected);
    }

    #[test]
    fn every_mistake_has_a_good_message() {
        for (value, message) in [
            (
                json!({"volme": 1}),
                "unknown key `volme` (did you mean `volume`?)",
            ),
            (
                json!({"zzz": 1}),
                "unknown key `zzz`; known are enabled, rate, volume, name, mode, types, inner",
            ),
            (
                json!({"rate": "fast"}),
                "rate: expected a whole number, not negative, found the text \"fast\"",
            ),
            (
                json!({"rate": -1}),
                "rate: -1 is not a whole number, not negative",
            ),
            (
                json!({"rate": 1.5}),
                "rate: expected a whole number, not negative, found 1.5",
            ),
            (
                json!({"enabled": "yes"}),
                "enabled: expected true or false, found the text \"yes\"",
            ),
            (json!({"name": 5}), "name: expected text, found 5"),
            (
                json!({"mode": "charcters"}),
                "mode: `charcters` is none of sentences, characters (did you mean `characters`?)",
            ),
            (
                json!({"mode": 3}),
                "mode: expected one of sentences, characters",
            ),
            (
                json!({"types": "a"}),
                "types: expected a list, found the text \"a\"",
            ),
            (json!({"types": [1]}), "types: expected text, found 1"),
            (
                json!({"inner": {"max_sentence": 1}}),
                "inner: unknown key `max_sentence` (did you mean `max_sentences`?)",
            ),
            (
                json!({"inner": 4}),
                "inner: expected a map of keys, found 4",
            ),
            (json!([1]), "expected a map of keys, found a list"),
        ] {
            assert_eq!(problem(&value), format!("f.yaml:2:5: {message}"), "{value}");
        }
    }
}
