//! The parameters of a route, and their values in a request: checked in one place, from the table that
//! the documents are made of.

use std::borrow::Cow;

use super::answer::Fault;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub name: &'static str,
    pub about: &'static str,
    /// What may stand in it.
    pub kind: Kind,
}

/// What may stand in a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A part of the path: any text.
    Path,
    /// A text of at most so many characters.
    Text(usize),
    /// What a list gave as `next`, of at most so many characters.
    Next(usize),
    /// A whole number.
    Number {
        least: i64,
        most: i64,
        usual: Option<i64>,
    },
    /// A number, with decimals if need be.
    Decimal {
        least: f64,
        most: f64,
        usual: f64,
    },
    Word(&'static [&'static str]),
    /// Some words, with commas between them.
    Words(&'static [&'static str]),
}

/// The values that a request gives.
#[derive(Debug, Default)]
pub(crate) struct Values(Vec<(&'static str, Value)>);

#[derive(Debug)]
enum Value {
    Text(String),
    Number(i64),
    Decimal(f64),
}

impl Values {
    /// Takes the values out of path and query.
    pub(crate) fn read(
        known: &'static [Parameter],
        path: &[(&'static str, &str)],
        query: Option<&str>,
    ) -> Result<Self, Fault> {
        let mut values = Self::default();
        for (name, raw) in path {
            let text = decoded(raw).ok_or_else(|| unreadable(name))?;
            values.0.push((*name, Value::Text(text.into_owned())));
        }
        for pair in query
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty())
        {
            let (name, raw) = pair.split_once('=').unwrap_or((pair, ""));
            values.take(known, name, raw)?;
        }
        Ok(values)
    }

    fn take(&mut self, known: &'static [Parameter], name: &str, raw: &str) -> Result<(), Fault> {
        let name = decoded(name).ok_or_else(|| unreadable(name))?;
        let in_query = |parameter: &&Parameter| !matches!(parameter.kind, Kind::Path);
        let found = known
            .iter()
            .filter(in_query)
            .find(|parameter| parameter.name == name);
        let Some(parameter) = found else {
            let names: Vec<&str> = known
                .iter()
                .filter(in_query)
                .map(|known| known.name)
                .collect();
            let there = match names.as_slice() {
                [] => "this takes none".to_owned(),
                names => format!("this takes {}", names.join(", ")),
            };
            let name = bellwether_spine::text::shown(&name, 60);
            return Err(Fault::bad(format!("there is no parameter `{name}`; {there}")).field(name));
        };
        if self.0.iter().any(|(known, _)| *known == parameter.name) {
            let text = format!("`{name}` is given twice");
            return Err(Fault::bad(text).field(parameter.name));
        }
        let text = decoded(raw).ok_or_else(|| unreadable(parameter.name))?;
        self.0.push((parameter.name, parameter.check(&text)?));
        Ok(())
    }

    /// A text, if it was given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find_map(|(known, value)| match value {
            Value::Text(text) if *known == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// A number, if it was given.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.0.iter().find_map(|(known, value)| match value {
            Value::Number(number) if *known == name => Some(*number),
            _ => None,
        })
    }

    /// A number with decimals, if it was given.
    pub(crate) fn decimal(&self, name: &str) -> Option<f64> {
        self.0.iter().find_map(|(known, value)| match value {
            Value::Decimal(number) if *known == name => Some(*number),
            _ => None,
        })
    }
}

impl Parameter {
    fn check(&self, text: &str) -> Result<Value, Fault> {
        let wrong = |how: String| {
            Err(Fault::bad(format!("`{}` must be {how}", self.name)).field(self.name))
        };
        match self.kind {
            Kind::Text(most) | Kind::Next(most) if text.chars().count() > most => {
                wrong(format!("at most {most} characters long"))
            }
            Kind::Text(_) if text.is_empty() => wrong("something, or left out".to_owned()),
            Kind::Path | Kind::Text(_) | Kind::Next(_) => Ok(Value::Text(text.to_owned())),
            Kind::Number { least, most, .. } => match text.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(Value::Number(number)),
                _ => wrong(format!("a whole number from {least} to {most}")),
            },
            Kind::Decimal { least, most, .. } => match text.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(Value::Decimal(number)),
                _ => wrong(format!("a number from {least} to {most}")),
            },
            Kind::Word(words) if words.contains(&text) => Ok(Value::Text(text.to_owned())),
            Kind::Word(words) => wrong(format!("one of {}", words.join(", "))),
            Kind::Words(words) if text.split(',').all(|word| words.contains(&word)) => {
                Ok(Value::Text(text.to_owned()))
            }
            Kind::Words(words) => wrong(format!(
                "some of {}, with commas between them",
                words.join(", ")
            )),
        }
    }
}

/// A text as a part of an address.
pub fn encoded(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

fn unreadable(name: &str) -> Fault {
    let name = bellwether_spine::text::shown(name, 60);
    Fault::bad(format!("`{name}` is no percent-encoded UTF-8")).field(name)
}

/// What was meant by a text in an address.
fn decoded(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains(['%', '+']) {
        return Some(Cow::Borrowed(raw));
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => digit(rest.next()?)? * 16 + digit(rest.next()?)?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn digit(byte: u8) -> Option<u8> {
    u8::try_from(char::from(byte).to_digit(16)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[
        Parameter {
            name: "id",
            about: "",
            kind: Kind::Path,
        },
        Parameter {
            name: "search",
            about: "",
            kind: Kind::Text(8),
        },
        Parameter {
            name: "limit",
            about: "",
            kind: Kind::Number {
                least: 1,
                most: 9,
                usual: None,
            },
        },
        Parameter {
            name: "order",
            about: "",
            kind: Kind::Word(&["up", "down"]),
        },
        Parameter {
            name: "only",
            about: "",
            kind: Kind::Words(&["one", "two"]),
        },
        Parameter {
            name: "hue",
            about: "",
            kind: Kind::Decimal {
                least: 0.0,
                most: 360.0,
                usual: 0.0,
            },
        },
    ];

    fn read(query: &str) -> Result<Values, String> {
        Values::read(KNOWN, &[("id", "team%2Fa+b")], Some(query))
            .map_err(|fault| format!("{:?}", fault.into_answer().status().as_u16()))
    }

    #[test]
    fn values_are_decoded_and_checked() {
        let values = read("search=a%20b+%C3%A9&limit=9&&order=up").unwrap();
        assert_eq!(values.text("id"), Some("team/a b"));
        assert_eq!(values.text("search"), Some("a b é"));
        assert_eq!(
            (values.number("limit"), values.text("order")),
            (Some(9), Some("up"))
        );
        assert_eq!(read("").unwrap().number("limit"), None);
        let some = read("only=two,one").unwrap();
        assert_eq!(some.text("only"), Some("two,one"));
        assert_eq!(
            read("only=one%2Ctwo").unwrap().text("only"),
            Some("one,two")
        );
        assert_eq!(read("hue=148.25").unwrap().decimal("hue"), Some(148.25));
        assert_eq!(read("").unwrap().decimal("hue"), None);
    }

    #[test]
    fn a_text_with_odd_letters_stays_one_part_of_the_address() {
        assert_eq!(encoded("a/b c%é"), "a%2Fb%20c%25%C3%A9");
        assert_eq!(
            encoded(&format!("/sessions/{}", encoded("a/b"))),
            "%2Fsessions%2Fa%252Fb"
        );
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for query in [
            "limit=0",
            "limit=10",
            "limit=",
            "limit=x",
            "limit=1&limit=2",
            "order=left",
            "only=",
            "only=one,",
            "only=three",
            "only=one,%20two",
            "hue=-0.1",
            "hue=361",
            "hue=NaN",
            "hue=inf",
            "hue=",
            "hue=red",
            "search=",
            "search=123456789",
            "search=%zz",
            "search=%f",
            "search=%ff",
            "colour=1",
            "id=5",
            "%ff=1",
        ] {
            assert_eq!(read(query).err().as_deref(), Some("400"), "{query}");
        }
    }
}
