//! Texts that are put together from others: encoded, reversed, formatted, joined.

use super::value::Value;
use crate::base64;
use crate::text::{Fill, Piece, Text};

/// The longest text that is taken apart.
const LONGEST: usize = 64 * 1024;

/// The characters of numbers: `chr(114)`, `bytes([114, 109])`.
pub(super) fn characters(values: &[Value]) -> Option<Value> {
    let mut text = String::new();
    for value in values {
        let numbers = match value {
            Value::List(numbers) => numbers.as_slice(),
            one => std::slice::from_ref(one),
        };
        for number in numbers {
            let Value::Number(code) = number else {
                return None;
            };
            text.push(char::from_u32(u32::try_from(*code).ok()?)?);
        }
    }
    Some(Value::plain(text))
}

pub(super) fn base64(value: &Value) -> Option<Value> {
    let bytes = base64::decode(&value.known()?)?;
    Some(Value::plain(String::from_utf8_lossy(&bytes)))
}

/// What hexadecimal digits stand for.
pub(super) fn hex(value: &Value) -> Option<Value> {
    let known = value.known()?;
    let digits: Option<Vec<u8>> = known
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let bytes: Vec<u8> = digits?
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit))
        .collect();
    Some(Value::plain(String::from_utf8_lossy(&bytes)))
}

/// What a text or a list of numbers stands for in a named encoding.
pub(super) fn decode(value: &Value, encoding: Option<&Value>) -> Option<Value> {
    if matches!(value, Value::List(_)) {
        return characters(std::slice::from_ref(value));
    }
    match encoding.and_then(Value::known).as_deref() {
        Some("base64" | "base64url" | "m" | "m0") => base64(value),
        Some("hex" | "hex_codec" | "H*") => hex(value),
        Some("rot13" | "rot_13") => Some(Value::plain(rot13(&value.known()?))),
        _ => Some(value.clone()),
    }
}

fn rot13(text: &str) -> String {
    let turn = |c: char, base: u8| {
        let place = u8::try_from(c).map_or(0, |byte| byte - base);
        char::from((place + 13) % 26 + base)
    };
    let turned = text.chars().map(|c| match c {
        'a'..='z' => turn(c, b'a'),
        'A'..='Z' => turn(c, b'A'),
        other => other,
    });
    turned.collect()
}

pub(super) fn reversed(value: &Value) -> Option<Value> {
    match value {
        Value::List(items) => Some(Value::List(items.iter().rev().cloned().collect())),
        other => Some(Value::plain(
            other.known()?.chars().rev().collect::<String>(),
        )),
    }
}

/// With one known text for another.
pub(super) fn replaced(value: &Value, old: &Value, new: &Value) -> Option<Value> {
    let (text, old, new) = (value.known()?, old.known()?, new.known()?);
    let most = text.len().saturating_mul(new.len().max(1));
    (most <= LONGEST).then(|| Value::plain(text.replace(&old, &new)))
}

/// A list as one text.
pub(super) fn joined(list: &[Value], between: &Value) -> Option<Value> {
    let [Value::List(items)] = list else {
        return None;
    };
    let between = between.known()?;
    let (mut whole, mut size) = (Text::default(), 0);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            whole.push_plain(&between);
        }
        let text = item.texts().into_iter().next()?;
        size += between.len() + item.weight();
        if size > LONGEST {
            return None;
        }
        whole.append(text);
    }
    Some(Value::Text(whole))
}

/// A text as a list: between marks, between blanks, or its characters.
pub(super) fn split(value: &Value, mark: Option<&Value>) -> Option<Value> {
    let Value::Text(text) = value else {
        return None;
    };
    let parts: Vec<Value> = match mark.and_then(Value::known).as_deref() {
        None => text.split_blanks().into_iter().map(Value::Text).collect(),
        Some("") => text.known()?.chars().take(4096).map(Value::plain).collect(),
        Some(mark) => text
            .known()?
            .split(mark)
            .take(4096)
            .map(Value::plain)
            .collect(),
    };
    Some(Value::List(parts))
}

/// A text with values for `{}`, `{0}`, `{name}`, `%s` and `%d` in it.
pub(super) fn format(value: &Value, values: &[Value]) -> Value {
    let values: Vec<Value> = match values {
        [Value::List(items)] => items.clone(),
        other => other.to_vec(),
    };
    let Some(Piece::Plain(_)) = value
        .texts()
        .first()
        .and_then(|text| text.pieces().first().cloned())
    else {
        return value.clone();
    };
    let made = value.map_texts(|text| {
        let mut filled = Filled {
            made: Text::default(),
            values: &values,
            next: 0,
            size: 0,
        };
        for piece in text.pieces() {
            match piece {
                Piece::Plain(plain) => filled.fill(plain),
                other => filled.made.push(other.clone()),
            }
        }
        Some(filled.made)
    });
    made.unwrap_or_else(Value::nothing)
}

struct Filled<'v> {
    made: Text,
    values: &'v [Value],
    next: usize,
    size: usize,
}

impl Filled<'_> {
    fn fill(&mut self, plain: &str) {
        let mut rest = plain;
        while let Some(at) = rest.find(['{', '%']) {
            self.made.push_plain(&rest[..at]);
            rest = &rest[at..];
            let length = self.mark(rest);
            rest = &rest[length..];
        }
        self.made.push_plain(rest);
    }

    /// Fills in one mark, and says how long it is.
    fn mark(&mut self, rest: &str) -> usize {
        let length = if rest.starts_with('{') {
            rest.find('}').filter(|at| *at < 32).map_or(0, |at| at + 1)
        } else {
            rest.find(['s', 'd', 'r', 'q', 'i'])
                .filter(|at| *at < 8)
                .map_or(0, |at| at + 1)
        };
        let inside = rest.get(1..length.saturating_sub(1)).unwrap_or("");
        if length == 0 || inside.contains([' ', '/', '{']) {
            self.made.push_plain(&rest[..1]);
            return 1;
        }
        let place = inside.parse().ok().filter(|_| rest.starts_with('{'));
        let value = self.values.get(place.unwrap_or(self.next));
        self.next += 1;
        self.size += value.map_or(0, Value::weight);
        let value = value.filter(|_| self.size <= LONGEST);
        let text = value.and_then(|value| value.texts().into_iter().next());
        let text = text.unwrap_or_else(|| Text::hole(&rest[..length], Fill::Anything));
        self.made.append(text);
        length
    }
}
