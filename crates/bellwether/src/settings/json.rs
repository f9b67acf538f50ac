//! A strict reader of JSON that remembers where everything stands.
//!
//! The client reads its settings with `JSON.parse`: what that takes is taken here and nothing else,
//! so neither comments nor a comma before a closing bracket. Text that is not looked at is never
//! rewritten, therefore numbers and strings keep their spelling in the file.

use std::fmt;
use std::ops::Range;

/// A settings file has five levels; the stack of this reader must not depend on a hostile one.
const DEEPEST: usize = 128;
const TOO_DEEP: &str = "nested too deeply";

/// A value and the bytes it has in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

/// One name of an object with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Where the name begins, with its quote.
    pub(crate) start: usize,
    pub(crate) value: Node,
}

impl Member {
    /// From the name's quote to the end of the value.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.value.span.end
    }
}

impl Node {
    /// The members of an object; nothing when it is none.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of an array; nothing when it is none.
    pub(crate) fn items(&self) -> &[Node] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// The member that the client sees: of several with one name the last.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        let member = self.members().iter().rfind(|member| member.name == name);
        member.map(|member| &member.value)
    }

    /// The number, if it is one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, in a word for a person.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// A place as editors count it: lines and characters from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    /// The place of a byte of the text.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// Places of one text, found without reading it from its beginning each time: a hostile file has many entries in one
/// long line.
#[derive(Debug, Clone)]
pub(crate) struct Places(Vec<(usize, Place)>);

impl Places {
    /// So many bytes are read for one place.
    const STEP: usize = 256;

    pub(crate) fn of(text: &str) -> Self {
        let mut at = Place { line: 1, column: 1 };
        let mut marks = vec![(0, at)];
        for (offset, char) in text.char_indices() {
            if offset >= marks.len() * Self::STEP {
                marks.push((offset, at));
            }
            at = at.behind(char);
        }
        Self(marks)
    }

    /// The place of a byte of the same text.
    pub(crate) fn at(&self, text: &str, offset: usize) -> Place {
        let mark = self.0.partition_point(|(mark, _)| *mark <= offset);
        let (start, place) = self.0[mark.saturating_sub(1)];
        let between = text.get(start..offset).unwrap_or_default();
        between.chars().fold(place, Place::behind)
    }
}

impl Place {
    fn behind(self, char: char) -> Self {
        match char {
            '\n' => Self {
                line: self.line + 1,
                column: 1,
            },
            _ => Self {
                column: self.column + 1,
                ..self
            },
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) place: Place,
    pub(crate) what: &'static str,
}

impl SyntaxError {
    /// Whether only this reader's limit is against it, and not JSON.
    pub(crate) fn is_depth(&self) -> bool {
        self.what == TOO_DEEP
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for SyntaxError {}

/// Reads a whole text as one value.
pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let mut reader = Reader { text, at: 0 };
    let read = reader.document();
    read.map_err(|what| SyntaxError {
        place: Place::of(text, reader.at),
        what,
    })
}

type Read<T> = Result<T, &'static str>;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn document(&mut self) -> Read<Node> {
        if self.text.starts_with('\u{feff}') {
            return Err("a byte order mark stands before the JSON; save the file without it");
        }
        self.skip_space();
        let node = self.value(0)?;
        self.skip_space();
        match self.peek() {
            None => Ok(node),
            Some(_) => Err("something follows the end of the JSON"),
        }
    }

    fn value(&mut self, depth: usize) -> Read<Node> {
        if depth > DEEPEST {
            return Err(TOO_DEEP);
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'/') => return Err("comments are not allowed"),
            Some(_) => return Err("expected a value"),
            None => return Err("the text ends where a value is expected"),
        };
        Ok(Node {
            span: start..self.at,
            value,
        })
    }

    fn object(&mut self, depth: usize) -> Read<Value> {
        let mut members = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            let start = self.at;
            let name = match self.peek() {
                Some(b'"') => self.string()?,
                Some(b'}') => return Err("a comma stands before a closing brace"),
                Some(b'/') => return Err("comments are not allowed"),
                _ => return Err("expected a name in double quotes"),
            };
            self.skip_space();
            if !self.take(b':') {
                return Err("expected a colon");
            }
            self.skip_space();
            let value = self.value(depth + 1)?;
            members.push(Member { name, start, value });
            self.skip_space();
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            self.comma("expected a comma or a closing brace")?;
        }
    }

    fn array(&mut self, depth: usize) -> Read<Value> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            if self.peek() == Some(b']') {
                return Err("a comma stands before a closing bracket");
            }
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            self.comma("expected a comma or a closing bracket")?;
        }
    }

    fn comma(&mut self, otherwise: &'static str) -> Read<()> {
        if !self.take(b',') {
            return Err(otherwise);
        }
        self.skip_space();
        Ok(())
    }

    fn string(&mut self) -> Read<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(plain) = rest.find(|c| matches!(c, '"' | '\\' | '\0'..='\x1f')) else {
                self.at = start;
                return Err("a string has no closing quote");
            };
            text.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                _ => return Err("a line break or control character stands in a string"),
            }
        }
    }

    /// One escape. Half a surrogate pair is valid JSON; no name or command of ours has one.
    fn escape(&mut self) -> Read<char> {
        const WRONG: &str = "an unknown escape stands in a string";
        let plain = match self.text.as_bytes().get(self.at + 1) {
            Some(b'u') => return self.unicode_escape().ok_or(WRONG),
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(WRONG),
        };
        self.at += 2;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.code_unit()?;
        self.at += 6;
        if let (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) = (first, self.code_unit()) {
            self.at += 6;
            return char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        }
        Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// The number of the `\uXXXX` that stands here.
    fn code_unit(&self) -> Option<u32> {
        let digits = self
            .text
            .get(self.at..self.at + 6)
            .and_then(|escape| escape.strip_prefix("\\u"))
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    }

    fn number(&mut self) -> Read<Value> {
        const WRONG: &str = "a number is not written as JSON has it";
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') && self.digits() == 0 {
            return Err(WRONG);
        }
        if self.take(b'.') && self.digits() == 0 {
            return Err(WRONG);
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err(WRONG);
            }
        }
        let number = self.text[start..self.at].parse().map_err(|_| WRONG)?;
        Ok(Value::Number(number))
    }

    fn digits(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count
    }

    fn word(&mut self, word: &str, value: Value) -> Read<Value> {
        if !self.text[self.at..].starts_with(word) {
            return Err("expected a value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(space).count();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn says_where_and_what() {
        for (text, message) in [
            (
                "",
                "line 1, column 1: the text ends where a value is expected",
            ),
            (
                "{\n  \"a\": 1,\n}",
                "line 3, column 1: a comma stands before a closing brace",
            ),
            (
                "[1,]",
                "line 1, column 4: a comma stands before a closing bracket",
            ),
            (
                "{\r\n  // no\r\n}",
                "line 2, column 3: comments are not allowed",
            ),
            ("{\"ä\": x}", "line 1, column 7: expected a value"),
            (
                "{'a': 1}",
                "line 1, column 2: expected a name in double quotes",
            ),
            ("{\"a\" 1}", "line 1, column 6: expected a colon"),
            (
                "{\"a\": 1 \"b\": 2}",
                "line 1, column 9: expected a comma or a closing brace",
            ),
            (
                "[1 2]",
                "line 1, column 4: expected a comma or a closing bracket",
            ),
            (
                "{} {}",
                "line 1, column 4: something follows the end of the JSON",
            ),
            (
                "\"a\nb\"",
                "line 1, column 3: a line break or control character stands in a string",
            ),
            (
                "\"a\\x\"",
                "line 1, column 3: an unknown escape stands in a string",
            ),
            ("\"a", "line 1, column 1: a string has no closing quote"),
            (
                "01",
                "line 1, column 2: something follows the end of the JSON",
            ),
            (
                "1.",
                "line 1, column 3: a number is not written as JSON has it",
            ),
            (
                "\u{feff}{}",
                "line 1, column 1: a byte order mark stands before the JSON; save the file without it",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), message, "{text:?}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(parse(&deep).unwrap_err().what, "nested too deeply");
    }

    #[test]
    fn knows_where_everything_stands() {
        let text = " { \"a\\u0062\" : [ 1.50, \"\\ud83d\\ude00\" ] }\n";
        let root = parse(text).unwrap();
        assert_eq!(&text[root.span.clone()], text.trim());
        let member = &root.members()[0];
        assert_eq!(member.name, "ab");
        assert_eq!(
            &text[member.span()],
            "\"a\\u0062\" : [ 1.50, \"\\ud83d\\ude00\" ]"
        );
        assert_eq!(&text[member.value.items()[0].span.clone()], "1.50");
        assert_eq!(member.value.items()[1].as_str(), Some("😀"));
    }

    #[test]
    fn half_a_surrogate_pair_is_json() {
        assert_eq!(parse("\"\\ud83dx\"").unwrap().as_str(), Some("\u{fffd}x"));
    }

    proptest! {
        /// The judge is a reader that everybody trusts.
        #[test]
        fn takes_what_serde_json_takes(text in "[\\[\\]{},:\"a\\\\u0-9eE+. \n-]{0,24}|[\\[{]\"?[a-z0-9:,\"\\[{}\\] ]{0,16}") {
            let judge = serde_json::from_str::<serde_json::Value>(&text);
            // Numbers beyond the range of a double and half surrogates are JSON, but not to the judge.
            let beyond = judge.as_ref().is_err_and(|error| {
                let why = error.to_string();
                why.contains("out of range") || why.contains("surrogate") || why.contains("hex escape")
            });
            prop_assume!(!beyond);
            prop_assert_eq!(parse(&text).is_ok(), judge.is_ok());
        }
    }

    #[test]
    fn places_are_found_from_the_nearest_mark() {
        let text = "ä{\n\t\"x\": 1}\n".repeat(2_000) + &"é".repeat(9_000);
        let places = Places::of(&text);
        for (offset, _) in text.char_indices().step_by(97) {
            assert_eq!(
                places.at(&text, offset),
                Place::of(&text, offset),
                "{offset}"
            );
        }
        assert_eq!(places.at(&text, text.len()), Place::of(&text, text.len()));
    }
}
