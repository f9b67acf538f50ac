//! Texts that begin on the line after the one that names them: `<<EOT`, `<<~EOT`, `<<<EOT`.

use super::Language;
use super::lex::{Lexer, is_word, is_word_or_digit};
use super::quote::{Holes, Quote};
use super::token::Kind;

/// What is known of the heredocs of the current line.
#[derive(Default)]
pub(super) struct Heredocs {
    /// The end of the current line, once it was looked for.
    line_end: Option<usize>,
    /// Where the next body begins, which is where the code goes on after the line.
    next: usize,
}

impl Heredocs {
    /// Where the code goes on after the end of a line that named heredocs.
    pub(super) fn after_line(&mut self, at: usize) -> Option<usize> {
        let known = self.line_end.take()?;
        (known <= at).then_some(self.next.max(at + 1))
    }
}

impl Lexer<'_> {
    /// A heredoc's mark; its text becomes a token.
    pub(super) fn heredoc(&mut self) -> bool {
        let (opener, known) = match self.language {
            Language::Php => ("<<<", true),
            Language::Perl | Language::Ruby => ("<<", !self.value_before()),
            _ => ("", false),
        };
        if !known || !self.starts(opener) {
            return false;
        }
        let start = self.at;
        let Some((name, plain)) = self.heredoc_name(start + opener.len()) else {
            self.at = start;
            return false;
        };
        let (from, to) = self.heredoc_body(&name);
        let holes = match self.language {
            _ if plain => Holes::None,
            Language::Ruby => Holes::Hash,
            _ => Holes::Sigil,
        };
        let after = std::mem::replace(&mut self.at, from);
        let outer = std::mem::replace(&mut self.end, to);
        let parts = self.quoted(&Quote::to_the_end(!plain, holes));
        (self.at, self.end) = (after, outer);
        self.push(Kind::Text(parts), start);
        true
    }

    /// The name after the mark, and whether its text is taken as it is.
    fn heredoc_name(&mut self, at: usize) -> Option<(String, bool)> {
        self.at = at;
        if matches!(self.byte(self.at), b'~' | b'-') {
            self.at += 1;
        }
        let quote = self.byte(self.at);
        let quoted = matches!(quote, b'\'' | b'"');
        self.at += usize::from(quoted);
        let start = self.at;
        if !is_word(self.byte(start)) {
            return None;
        }
        while is_word_or_digit(self.byte(self.at)) {
            self.at += 1;
        }
        let name = self.source.get(start..self.at)?.to_owned();
        self.at += usize::from(quoted);
        Some((name, quote == b'\''))
    }

    /// Where the body begins and ends.
    fn heredoc_body(&mut self, name: &str) -> (usize, usize) {
        if self.heredocs.line_end.is_none() {
            let rest = self.source.as_bytes().get(self.at..self.end);
            let end = rest.and_then(|rest| rest.iter().position(|byte| *byte == b'\n'));
            let end = end.map_or(self.end, |end| self.at + end);
            self.heredocs.line_end = Some(end);
            self.heredocs.next = (end + 1).min(self.end);
        }
        let from = self.heredocs.next;
        let mut line = from;
        for text in self
            .source
            .get(from..self.end)
            .unwrap_or("")
            .split_inclusive('\n')
        {
            let bare = text.trim().trim_end_matches([';', ')', ',']);
            if bare == name {
                self.heredocs.next = line + text.len();
                return (from, line);
            }
            line += text.len();
        }
        self.heredocs.next = self.end;
        (from, self.end)
    }
}
