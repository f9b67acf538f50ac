//! The source of each part of a word. The parser gives trees; what it does not take apart (nested
//! backticks, arithmetic) is read again from here.

use rable::{Node, NodeKind};

/// Walks along a word's source with its parts.
pub(super) struct Raw<'a> {
    /// What is left; `None` once the parts and the source could not be brought together.
    rest: Option<&'a str>,
}

impl<'a> Raw<'a> {
    pub(super) fn new(value: &'a str) -> Self {
        Self { rest: Some(value) }
    }

    /// The source of the next part.
    pub(super) fn next(&mut self, part: &Node) -> Option<&'a str> {
        let rest = self.rest?;
        let length = match &part.kind {
            NodeKind::WordLiteral { value } => {
                rest.starts_with(value.as_str()).then_some(value.len())
            }
            NodeKind::BraceExpansion { content } => {
                rest.starts_with(content.as_str()).then_some(content.len())
            }
            _ => expansion(rest),
        };
        let (source, rest) = length
            .and_then(|length| rest.split_at_checked(length))
            .unzip();
        self.rest = rest;
        source
    }
}

/// The length of the expansion that a text begins with.
pub(crate) fn expansion(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match (bytes.first()?, bytes.get(1)) {
        (b'`', _) => closing_backtick(bytes),
        (b'$', Some(b'\'')) => {
            let end = text[2..].replace("\\'", "xx").find('\'')?;
            Some(end + 3)
        }
        (b'$', Some(b'"')) => Some(double_quoted(bytes, 1)),
        (b'$', Some(b'(' | b'{' | b'[')) | (b'<' | b'>', Some(b'(')) => Some(bracketed(bytes, 1)),
        (b'$', Some(byte)) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            let name = text[1..]
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                .count();
            Some(1 + name)
        }
        (b'$', Some(_)) => Some(1 + text[1..].chars().next()?.len_utf8()),
        _ => None,
    }
}

fn closing_backtick(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'`' => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The end of what the bracket at `open` begins. Quotes are followed; what does not end goes to the
/// end of the text.
fn bracketed(bytes: &[u8], open: usize) -> usize {
    let mut stack = Vec::new();
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => at = skip_to(bytes, at + 1, b'\''),
            b'"' => at = double_quoted(bytes, at) - 1,
            b'(' => stack.push(b')'),
            b'{' => stack.push(b'}'),
            b'[' if at == open => stack.push(b']'),
            byte if stack.last() == Some(&byte) => {
                stack.pop();
                if stack.is_empty() {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The end of the double quotes at `open`.
fn double_quoted(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    let mut depth = 0_usize;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'(' if bytes[at - 1] == b'$' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'"' if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn skip_to(bytes: &[u8], from: usize, mark: u8) -> usize {
    bytes[from.min(bytes.len())..]
        .iter()
        .position(|byte| *byte == mark)
        .map_or(bytes.len(), |at| from + at)
}

/// The command in backticks, with one level of escapes removed.
pub(super) fn inside_backticks(source: &str) -> Option<String> {
    let inside = source.strip_prefix('`')?.strip_suffix('`')?;
    if !inside.contains('\\') {
        return None;
    }
    let mut command = String::with_capacity(inside.len());
    let mut characters = inside.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(next @ ('`' | '\\' | '$' | '"'))) => {
                command.push(*next);
                characters.next();
            }
            _ => command.push(character),
        }
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_expansion_is_found() {
        for (text, end) in [
            ("$(echo \")\")b", "$(echo \")\")"),
            ("$((1+(2)))x", "$((1+(2)))"),
            ("${x:-\"}\"}y", "${x:-\"}\"}"),
            ("`a \\` b`c", "`a \\` b`"),
            ("$HOME/x", "$HOME"),
            ("$1x", "$1"),
            ("<(ls)z", "<(ls)"),
            ("$'a\\'b'c", "$'a\\'b'"),
            ("$(unclosed", "$(unclosed"),
        ] {
            assert_eq!(expansion(text).map(|length| &text[..length]), Some(end));
        }
        assert_eq!(
            inside_backticks("`echo \\`ls\\``").as_deref(),
            Some("echo `ls`")
        );
    }
}
