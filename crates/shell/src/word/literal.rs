//! Quote removal. A literal may begin or end inside double quotes that go over an expansion, so the
//! state of the quotes is kept from one to the next.

use crate::text::{Piece, Text};

/// Whether a literal means exactly what it says.
pub(super) fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| {
        matches!(
            byte,
            b'\'' | b'"' | b'\\' | b'*' | b'?' | b'[' | b'~' | b'(' | b'$' | b'`'
        )
    })
}

/// Whether a text may hold an expansion that was not taken out of it.
pub(super) fn has_expansion(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.contains(&b'`')
        || bytes.windows(2).any(|pair| {
            pair[0] == b'$'
                && (pair[1].is_ascii_alphanumeric() || b"({_@*#?!-$'\"[".contains(&pair[1]))
        })
}

/// What is read from a literal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// A piece of text.
    Piece(Piece),
    /// Quotes with nothing in them, which make an empty word.
    Empty,
    /// `~` or `~user` where it may stand for a home.
    Tilde(String),
}

/// Whether we are in double quotes.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    pub double: bool,
}

impl Quotes {
    pub(super) fn read(&mut self, source: &str) -> Vec<Read> {
        let mut out = Out::default();
        let mut rest = source;
        let mut at_start = true;
        while let Some(character) = rest.chars().next() {
            let after = &rest[character.len_utf8()..];
            rest = if self.double {
                self.in_double(character, after, &mut out)
            } else {
                self.outside(character, after, at_start, &mut out)
            };
            // A tilde also counts behind the first `=` or a `:` of an assignment.
            at_start = !self.double && matches!(character, '=' | ':');
        }
        out.finish()
    }

    fn in_double<'a>(&mut self, character: char, after: &'a str, out: &mut Out) -> &'a str {
        match character {
            '"' => self.double = false,
            '\\' => {
                let next = after.chars().next();
                match next {
                    Some('\n') => return &after[1..],
                    Some(next @ ('$' | '`' | '"' | '\\')) => {
                        out.plain(next);
                        return &after[1..];
                    }
                    _ => out.plain('\\'),
                }
            }
            other => out.plain(other),
        }
        after
    }

    fn outside<'a>(
        &mut self,
        character: char,
        after: &'a str,
        at_start: bool,
        out: &mut Out,
    ) -> &'a str {
        match character {
            '"' => {
                self.double = true;
                out.quote();
            }
            '\'' => {
                out.quote();
                let end = after.find('\'').unwrap_or(after.len());
                out.text(&after[..end]);
                return after.get(end + 1..).unwrap_or_default();
            }
            '\\' => match after.chars().next() {
                Some('\n') => return &after[1..],
                Some(next) => {
                    out.plain(next);
                    return &after[next.len_utf8()..];
                }
                None => out.plain('\\'),
            },
            // An extended pattern matches some names: which is not worked out.
            '!' | '@' | '+' | '*' | '?' if after.starts_with('(') && after.contains(')') => {
                let end = after.find(')').unwrap_or(0);
                out.pattern("*");
                return &after[end + 1..];
            }
            '*' | '?' => out.pattern(&character.to_string()),
            '[' => match after.find(']').filter(|end| *end > 0) {
                Some(end) => {
                    out.pattern(&format!("[{}]", &after[..end]));
                    return &after[end + 1..];
                }
                None => out.plain('['),
            },
            '~' if at_start => {
                let end = after
                    .find(|next: char| {
                        !(next.is_alphanumeric() || matches!(next, '_' | '-' | '.' | '+'))
                    })
                    .unwrap_or(after.len());
                if !after[end..].is_empty() && !after[end..].starts_with(['/', ':']) {
                    out.plain('~');
                    return after;
                }
                out.tilde(&after[..end]);
                return &after[end..];
            }
            other => out.plain(other),
        }
        after
    }
}

/// The pattern characters of a text that is not quoted.
pub(super) fn patterns(text: &str, into: &mut Text) {
    let mut rest = text;
    while let Some(at) = rest.find(['*', '?', '[']) {
        into.push_plain(&rest[..at]);
        let pattern = &rest[at..];
        let end = match pattern.find(']') {
            Some(close) if pattern.starts_with('[') && close > 1 => close + 1,
            _ => 1,
        };
        if pattern.starts_with('[') && end == 1 {
            into.push_plain("[");
        } else {
            into.push(Piece::Pattern(pattern[..end].to_owned()));
        }
        rest = &pattern[end..];
    }
    into.push_plain(rest);
}

#[derive(Default)]
struct Out {
    read: Vec<Read>,
    plain: String,
}

impl Out {
    fn plain(&mut self, character: char) {
        self.plain.push(character);
    }

    fn text(&mut self, text: &str) {
        self.plain.push_str(text);
    }

    fn quote(&mut self) {
        self.flush();
        self.read.push(Read::Empty);
    }

    fn pattern(&mut self, pattern: &str) {
        self.flush();
        self.read
            .push(Read::Piece(Piece::Pattern(pattern.to_owned())));
    }

    fn tilde(&mut self, user: &str) {
        self.flush();
        self.read.push(Read::Tilde(user.to_owned()));
    }

    fn flush(&mut self) {
        if !self.plain.is_empty() {
            let plain = std::mem::take(&mut self.plain);
            self.read.push(Read::Piece(Piece::Plain(plain)));
        }
    }

    fn finish(mut self) -> Vec<Read> {
        self.flush();
        self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        let read = Quotes::default().read(source);
        read.iter()
            .map(|read| match read {
                Read::Piece(Piece::Plain(text)) => text.clone(),
                Read::Piece(Piece::Pattern(text)) => format!("<{text}>"),
                Read::Piece(Piece::Hole(_)) | Read::Empty => String::new(),
                Read::Tilde(user) => format!("<~{user}>"),
            })
            .collect()
    }

    #[test]
    fn quotes_are_removed() {
        for (source, expected) in [
            (r#"r"m""#, "rm"),
            (r"r\m", "rm"),
            ("'a b'c", "a bc"),
            (r#""a\"b\$c\d""#, r#"a"b$c\d"#),
            ("a*b?[cd]e", "a<*>b<?><[cd]>e"),
            (r#""*"'?'\*"#, "*?*"),
            ("[", "["),
            ("~/x", "<~>/x"),
            ("~ann", "<~ann>"),
            ("a~", "a~"),
            ("x=~/y:~", "x=<~>/y:<~>"),
            ("'~/x'", "~/x"),
            ("r\\\nm", "rm"),
        ] {
            assert_eq!(shown(source), expected, "{source}");
        }
    }
}
