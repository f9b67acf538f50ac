//! Splits a source into tokens. Comments are left out, so that nothing in them counts.
//!
//! Architecture Invariant: every byte is passed a bounded number of times. What is not closed goes on to
//! the end of its line or of the source, and is never tried again.

use super::Language;
use super::heredoc::Heredocs;
use super::token::{Kind, Token, pair};

/// How deeply strings in code in strings are read.
const DEEPEST_TEXT: usize = 3;

/// Marks of more than one character; the longest that fits is taken.
const MARKS: &[&str] = &[
    "===", "!==", "...", "**=", "//=", "<=>", "||=", "??=", "=>", "->", "::", "..", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "+=", "-=", ".=", ":=", "=~", "!~", "<<", ">>", "//", "**",
];

/// Words after which a slash begins a regular expression.
const BEFORE_REGEX: &[&str] = &[
    "return", "and", "or", "not", "if", "unless", "while", "in", "case", "split", "grep", "when",
];

/// The tokens of a whole source.
pub(super) fn tokens(language: Language, source: &str) -> Vec<Token> {
    let mut lexer = Lexer::new(language, source, 0, source.len(), 0);
    if language == Language::Php {
        lexer.at = source.find("<?php").map_or(0, |at| at + 5);
    }
    lexer.run()
}

/// A way through a part of a source.
pub(super) struct Lexer<'s> {
    pub(super) language: Language,
    pub(super) source: &'s str,
    pub(super) at: usize,
    pub(super) end: usize,
    depth: usize,
    tokens: Vec<Token>,
    brackets: Vec<u8>,
    pub(super) heredocs: Heredocs,
}

impl<'s> Lexer<'s> {
    fn new(language: Language, source: &'s str, at: usize, end: usize, depth: usize) -> Self {
        Self {
            language,
            source,
            at,
            end,
            depth,
            tokens: Vec::new(),
            brackets: Vec::new(),
            heredocs: Heredocs::default(),
        }
    }

    /// The tokens of code inside a string; none when that is too deep.
    pub(super) fn inner(&self, from: usize, to: usize) -> Vec<Token> {
        if self.depth >= DEEPEST_TEXT || from >= to {
            return Vec::new();
        }
        Self::new(self.language, self.source, from, to, self.depth + 1).run()
    }

    fn run(mut self) -> Vec<Token> {
        while self.at < self.end {
            let start = self.at;
            self.step();
            if self.at <= start {
                self.at = start + self.char_len(start);
            }
        }
        pair(&mut self.tokens);
        self.tokens
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        if at < self.end {
            self.source.as_bytes().get(at).copied().unwrap_or(0)
        } else {
            0
        }
    }

    pub(super) fn char_len(&self, at: usize) -> usize {
        match self.byte(at) {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xff => 4,
            _ => 1,
        }
    }

    pub(super) fn starts(&self, text: &str) -> bool {
        self.at + text.len() <= self.end
            && self.source.as_bytes()[self.at..].starts_with(text.as_bytes())
    }

    pub(super) fn push(&mut self, kind: Kind, start: usize) {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.tokens.push(Token {
            kind,
            start: narrow(start),
            end: narrow(self.at.min(self.end)),
        });
    }

    fn step(&mut self) {
        let byte = self.byte(self.at);
        match byte {
            b'\n' => self.newline(),
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'\\' if matches!(self.byte(self.at + 1), b'\n') => self.at += 2,
            _ if self.comment() || self.string() => {}
            b'0'..=b'9' => self.number(),
            _ if is_word(byte) => self.word(),
            b'$' | b'@' | b'%' | b'&' if self.sigil() => {}
            b'/' if self.regex() => {}
            _ => self.mark(byte),
        }
    }

    fn newline(&mut self) {
        let start = self.at;
        self.at = self.heredocs.after_line(self.at).unwrap_or(self.at + 1);
        let ends = !matches!(self.brackets.last(), Some(b'(' | b'['));
        let again = matches!(
            self.tokens.last().map(|last| &last.kind),
            Some(Kind::Newline)
        );
        if self.language.has_lines() && ends && !again {
            self.push(Kind::Newline, start);
        }
    }

    fn comment(&mut self) -> bool {
        let (hash, slashes) = match self.language {
            Language::JavaScript => (self.at == 0 && self.starts("#!"), true),
            Language::Php => (!self.starts("#["), true),
            Language::Lua => (self.at == 0, false),
            _ => (true, false),
        };
        if self.language == Language::Lua && self.starts("--") {
            self.at += 2;
            if !self.lua_long() {
                self.skip_line();
            }
        } else if (hash && self.starts("#")) || (slashes && self.starts("//")) {
            self.skip_line();
        } else if slashes && self.starts("/*") {
            self.skip_past("*/");
        } else if self.line_start() && self.starts("=") && self.document() {
        } else {
            return false;
        }
        true
    }

    /// Perl's and Ruby's documents between the lines of code.
    fn document(&mut self) -> bool {
        if !self.byte(self.at + 1).is_ascii_alphabetic() {
            return false;
        }
        match self.language {
            Language::Perl => self.skip_past("\n=cut"),
            Language::Ruby => self.skip_past("\n=end"),
            _ => return false,
        }
        true
    }

    fn line_start(&self) -> bool {
        self.at == 0 || self.source.as_bytes().get(self.at - 1) == Some(&b'\n')
    }

    fn skip_line(&mut self) {
        while self.at < self.end && self.byte(self.at) != b'\n' {
            self.at += 1;
        }
    }

    pub(super) fn skip_past(&mut self, text: &str) {
        let rest = self.source.get(self.at..self.end).unwrap_or("");
        self.at = rest
            .find(text)
            .map_or(self.end, |at| self.at + at + text.len());
    }

    fn number(&mut self) {
        let start = self.at;
        while self.byte(self.at).is_ascii_alphanumeric() || self.byte(self.at) == b'_' {
            self.at += 1;
        }
        self.push(Kind::Number, start);
    }

    fn word(&mut self) {
        let start = self.at;
        self.pass_word();
        let text = &self.source[start..self.at];
        if self.language == Language::Perl && self.perl_quote(start) {
            return;
        }
        if matches!(text, "__END__" | "__DATA__") && self.language != Language::Python {
            self.at = self.end;
            return;
        }
        // Ruby's `empty?` and `save!` are names.
        if self.language == Language::Ruby
            && matches!(self.byte(self.at), b'?' | b'!')
            && !matches!(self.byte(self.at + 1), b'=' | b' ')
        {
            self.at += 1;
        }
        self.push(Kind::Word, start);
    }

    pub(super) fn pass_word(&mut self) {
        while self.at < self.end && is_word_or_digit(self.byte(self.at)) {
            self.at += 1;
        }
    }

    /// A variable with its sigil.
    fn sigil(&mut self) -> bool {
        let (byte, next) = (self.byte(self.at), self.byte(self.at + 1));
        let fits = match self.language {
            Language::Perl => {
                (byte == b'$' && next.is_ascii_digit())
                    || (is_word(next) && (matches!(byte, b'$' | b'@') || !self.value_before()))
                    || (byte == b'$' && matches!(next, b'$' | b'0' | b'@' | b'!'))
            }
            Language::Php => byte == b'$' && is_word(next),
            Language::Ruby => matches!(byte, b'$' | b'@') && (is_word(next) || next == b'@'),
            Language::JavaScript => byte == b'$',
            Language::Awk => byte == b'$' && is_word_or_digit(next),
            _ => false,
        };
        if fits {
            let start = self.at;
            self.at += 1;
            if self.language == Language::Ruby && next == b'@' || !is_word_or_digit(next) {
                self.at += usize::from(self.language != Language::JavaScript);
            }
            self.pass_word();
            self.push(Kind::Word, start);
        }
        fits
    }

    /// Whether a value stands before this, so that a slash divides and `%` is an operator.
    pub(super) fn value_before(&self) -> bool {
        let Some(last) = self.tokens.last() else {
            return false;
        };
        match last.kind {
            Kind::Word => {
                let word = self.source.get(last.start as usize..last.end as usize);
                word.is_some_and(|word| !BEFORE_REGEX.contains(&word))
            }
            Kind::Open(_) | Kind::Newline => false,
            Kind::Mark => self.source.as_bytes().get(last.start as usize) == Some(&b'}'),
            _ => true,
        }
    }

    /// Whether a name without a sigil stands before this: a function.
    pub(super) fn word_before(&self) -> bool {
        self.tokens.last().is_some_and(|last| {
            let first = self.source.as_bytes().get(last.start as usize);
            matches!(last.kind, Kind::Word) && first.is_some_and(u8::is_ascii_lowercase)
        })
    }

    fn regex(&mut self) -> bool {
        let known = matches!(
            self.language,
            Language::JavaScript | Language::Perl | Language::Ruby | Language::Awk
        );
        if !known || self.value_before() {
            return false;
        }
        let (start, mut class) = (self.at, false);
        self.at += 1;
        while self.at < self.end && self.byte(self.at) != b'\n' {
            match self.byte(self.at) {
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at = (self.at + 1).min(self.end);
        self.pass_word();
        self.push(Kind::Regex, start);
        true
    }

    fn mark(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            b'(' | b'[' | b'{' => {
                self.brackets.push(byte);
                self.at += 1;
                self.push(Kind::Open(0), start);
            }
            b')' | b']' | b'}' => {
                self.brackets.pop();
                self.at += 1;
                self.push(Kind::Close, start);
            }
            _ => {
                let long = self.byte(start + 1).is_ascii_punctuation();
                let mark = MARKS.iter().find(|mark| long && self.starts(mark));
                self.at += mark.map_or_else(|| self.char_len(start), |mark| mark.len());
                self.push(Kind::Mark, start);
            }
        }
    }
}

/// Whether a byte may begin a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// Whether a byte may stand in a name.
pub(super) fn is_word_or_digit(byte: u8) -> bool {
    is_word(byte) || byte.is_ascii_digit()
}
