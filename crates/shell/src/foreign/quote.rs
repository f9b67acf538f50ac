//! Strings: which quotes a language has, and what stands between them.

use super::Language;
use super::lex::{Lexer, is_word, is_word_or_digit};
use super::token::{Kind, Part};

/// What code in a string looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holes {
    None,
    /// `{x}`
    Braces,
    /// `${x}`
    Dollar,
    /// `#{x}`
    Hash,
    /// `$x`, `${x}`, `{$x}`, `@x`
    Sigil,
}

/// How a string is written.
pub(super) struct Quote {
    /// An opening bracket that nests.
    open: Option<u8>,
    /// What ends it; nothing: the end.
    close: &'static str,
    /// A single closing byte that is only known when it is read.
    delimiter: u8,
    /// Whether escapes mean something else than the character after the backslash.
    cooked: bool,
    /// Whether a backslash is nothing special at all.
    raw: bool,
    holes: Holes,
    /// Whether it may go on over the end of the line.
    lines: bool,
}

impl Quote {
    fn new(close: &'static str, cooked: bool, holes: Holes, lines: bool) -> Self {
        Self {
            open: None,
            close,
            delimiter: 0,
            cooked,
            raw: false,
            holes,
            lines,
        }
    }

    /// A text without a closing quote.
    pub(super) fn to_the_end(cooked: bool, holes: Holes) -> Self {
        let quote = Self::new("", cooked, holes, true);
        Self {
            raw: !cooked,
            ..quote
        }
    }

    fn delimited(open: u8, cooked: bool, holes: Holes) -> Self {
        let (close, nests) = match open {
            b'(' => (b')', true),
            b'[' => (b']', true),
            b'{' => (b'}', true),
            b'<' => (b'>', true),
            other => (other, false),
        };
        Self {
            open: nests.then_some(open),
            delimiter: close,
            ..Self::new("", cooked, holes, true)
        }
    }
}

impl Lexer<'_> {
    /// A string of any kind.
    pub(super) fn string(&mut self) -> bool {
        match self.language {
            Language::Python => self.python_string(),
            Language::JavaScript => self.plain_string(b"'\"", b'`', Holes::Dollar),
            Language::Lua => self.lua_long_text() || self.plain_string(b"'\"", 0, Holes::None),
            Language::Awk => self.plain_string(b"\"", 0, Holes::None),
            Language::Perl => self.heredoc() || self.perl_glob() || self.shell_quotes(Holes::Sigil),
            Language::Php => self.heredoc() || self.shell_quotes(Holes::Sigil),
            Language::Ruby => {
                self.heredoc() || self.ruby_percent() || self.shell_quotes(Holes::Hash)
            }
        }
    }

    /// Strings with escapes, and templates with code in them.
    fn plain_string(&mut self, quotes: &[u8], template: u8, holes: Holes) -> bool {
        let (byte, start) = (self.byte(self.at), self.at);
        let quote = match byte {
            b'"' if quotes.contains(&byte) => Quote::new("\"", true, Holes::None, false),
            b'\'' if quotes.contains(&byte) => Quote::new("'", true, Holes::None, false),
            _ if byte != 0 && byte == template => Quote::new("`", true, holes, true),
            _ => return false,
        };
        self.at += 1;
        let parts = self.quoted(&quote);
        self.push(Kind::Text(parts), start);
        true
    }

    /// Strings of languages whose double quotes hold code and whose backticks run a shell.
    fn shell_quotes(&mut self, holes: Holes) -> bool {
        let start = self.at;
        let quote = match self.byte(start) {
            b'\'' => Quote::new("'", false, Holes::None, true),
            b'"' => Quote::new("\"", true, holes, true),
            b'`' => Quote::new("`", true, holes, true),
            _ => return false,
        };
        self.at += 1;
        let parts = self.quoted(&quote);
        let kind = match quote.close {
            "`" => Kind::Shell(parts),
            _ => Kind::Text(parts),
        };
        self.push(kind, start);
        true
    }

    /// A Python string with its prefix.
    fn python_string(&mut self) -> bool {
        let (start, mut at) = (self.at, self.at);
        while at < start + 2 && b"rRbBfFuUtT".contains(&self.byte(at)) {
            at += 1;
        }
        let prefix = self
            .source
            .get(start..at)
            .unwrap_or("")
            .to_ascii_lowercase();
        self.at = at;
        let (close, length) = match self.byte(at) {
            b'\'' if self.starts("'''") => ("'''", 3),
            b'"' if self.starts("\"\"\"") => ("\"\"\"", 3),
            b'\'' => ("'", 1),
            b'"' => ("\"", 1),
            _ => {
                self.at = start;
                return false;
            }
        };
        self.at += length;
        let raw = prefix.contains('r');
        let holes = if prefix.contains(['f', 't']) {
            Holes::Braces
        } else {
            Holes::None
        };
        let parts = self.quoted(&Quote {
            raw,
            ..Quote::new(close, !raw, holes, length == 3)
        });
        self.push(Kind::Text(parts), start);
        true
    }

    /// Perl's `q`, `qq`, `qw`, `qx`, `m`, `qr`, `s`, `tr`, `y`: the word was passed already.
    pub(super) fn perl_quote(&mut self, start: usize) -> bool {
        let word = self.source.get(start..self.at).unwrap_or("");
        if !matches!(
            word,
            "q" | "qq" | "qw" | "qx" | "m" | "qr" | "s" | "tr" | "y"
        ) {
            return false;
        }
        let mut at = self.at;
        while self.byte(at) == b' ' {
            at += 1;
        }
        let open = self.byte(at);
        let fits = open.is_ascii_punctuation() && !b",;)=-".contains(&open);
        if !fits || (open == b'#' && at > self.at) {
            return false;
        }
        self.at = at + 1;
        let cooked = matches!(word, "qq" | "qx");
        let holes = if cooked { Holes::Sigil } else { Holes::None };
        let parts = self.quoted(&Quote::delimited(open, cooked, holes));
        let kind = match word {
            "q" | "qq" => Kind::Text(parts),
            "qx" => Kind::Shell(parts),
            "qw" => words(&parts),
            _ => {
                self.replacement(word, open);
                Kind::Regex
            }
        };
        self.push(kind, start);
        true
    }

    /// The second half of `s///`, and the flags.
    fn replacement(&mut self, word: &str, open: u8) {
        if matches!(word, "s" | "tr" | "y") {
            let mut next = open;
            if b"([{<".contains(&open) {
                while self.byte(self.at).is_ascii_whitespace() {
                    self.at += 1;
                }
                next = self.byte(self.at);
                self.at += 1;
            }
            self.quoted(&Quote::delimited(next, false, Holes::None));
        }
        self.pass_word();
    }

    /// Perl's `<*.c>`.
    fn perl_glob(&mut self) -> bool {
        const LONGEST: usize = 256;
        if self.byte(self.at) != b'<' || (self.value_before() && !self.word_before()) {
            return false;
        }
        let (start, mut at) = (self.at, self.at + 1);
        while at < start + LONGEST && !matches!(self.byte(at), b'>' | b'<' | b' ' | b'\n' | 0) {
            at += 1;
        }
        let inside = self.source.get(start + 1..at).unwrap_or("");
        if self.byte(at) != b'>' || !inside.contains(['*', '?', '/']) {
            return false;
        }
        self.at = start + 1;
        let parts = self.quoted(&Quote::delimited(b'<', false, Holes::Sigil));
        self.push(Kind::Glob(parts), start);
        true
    }

    /// Ruby's `%w[]`, `%q()`, `%x()`, `%()`.
    fn ruby_percent(&mut self) -> bool {
        if self.byte(self.at) != b'%' || self.value_before() && self.byte(self.at + 1) != b'x' {
            return false;
        }
        let (start, letter) = (self.at, self.byte(self.at + 1));
        let named = b"wWiIqQxr".contains(&letter);
        let open = self.byte(start + 1 + usize::from(named));
        if !b"([{<|!/".contains(&open) {
            return false;
        }
        self.at = start + 2 + usize::from(named);
        let cooked = !matches!(letter, b'q' | b'w' | b'i');
        let holes = if cooked { Holes::Hash } else { Holes::None };
        let parts = self.quoted(&Quote::delimited(open, cooked, holes));
        let kind = match letter {
            b'w' | b'W' | b'i' | b'I' => words(&parts),
            b'x' => Kind::Shell(parts),
            b'r' => Kind::Regex,
            _ => Kind::Text(parts),
        };
        self.push(kind, start);
        true
    }

    fn lua_long_text(&mut self) -> bool {
        let start = self.at;
        let Some(from) = self.lua_open() else {
            return false;
        };
        self.lua_long();
        let level = from - start;
        let text = self
            .source
            .get(from..(self.at.saturating_sub(level)).max(from));
        let part = Part::Plain(text.unwrap_or("").to_owned());
        self.push(Kind::Text(vec![part]), start);
        true
    }

    /// Where the text of a Lua `[[` or `[==[` begins.
    fn lua_open(&self) -> Option<usize> {
        if self.byte(self.at) != b'[' {
            return None;
        }
        let mut at = self.at + 1;
        while self.byte(at) == b'=' {
            at += 1;
        }
        (self.byte(at) == b'[').then_some(at + 1)
    }

    /// Passes a Lua `[[…]]`.
    pub(super) fn lua_long(&mut self) -> bool {
        let Some(from) = self.lua_open() else {
            return false;
        };
        let close = format!("]{}]", "=".repeat(from - self.at - 2));
        self.at = from;
        self.skip_past(&close);
        true
    }

    /// The parts of a string whose opening was passed already.
    pub(super) fn quoted(&mut self, quote: &Quote) -> Vec<Part> {
        let (mut parts, mut plain, mut nested) = (Vec::new(), String::new(), 0usize);
        while self.at < self.end {
            let byte = self.byte(self.at);
            if !quote.close.is_empty() && self.starts(quote.close) {
                self.at += quote.close.len();
                break;
            }
            if quote.delimiter != 0 && byte == quote.delimiter {
                self.at += 1;
                if nested == 0 {
                    break;
                }
                nested -= 1;
                plain.push(char::from(byte));
                continue;
            }
            if byte == b'\n' && !quote.lines {
                break;
            }
            if byte == b'\\' && self.escape(quote, &mut plain) {
                continue;
            }
            if quote.holes == Holes::Braces && (self.starts("{{") || self.starts("}}")) {
                plain.push(char::from(byte));
                self.at += 2;
                continue;
            }
            if let Some((from, to, next)) = self.hole(quote.holes) {
                if !plain.is_empty() {
                    parts.push(Part::Plain(std::mem::take(&mut plain)));
                }
                parts.push(Part::Code(self.inner(from, to)));
                self.at = next;
                continue;
            }
            nested += usize::from(quote.open == Some(byte));
            let length = self.char_len(self.at);
            plain.push_str(self.source.get(self.at..self.at + length).unwrap_or(""));
            self.at += length;
        }
        self.at = self.at.min(self.end);
        if !plain.is_empty() {
            parts.push(Part::Plain(plain));
        }
        parts
    }

    /// Code at this place of a string: where it begins and ends, and where the string goes on.
    fn hole(&self, holes: Holes) -> Option<(usize, usize, usize)> {
        let (at, byte, next) = (self.at, self.byte(self.at), self.byte(self.at + 1));
        match holes {
            Holes::Braces if byte == b'{' => Some(self.braces(at)),
            Holes::Dollar if byte == b'$' && next == b'{' => Some(self.braces(at + 1)),
            Holes::Hash if byte == b'#' && next == b'{' => Some(self.braces(at + 1)),
            Holes::Sigil if byte == b'{' && next == b'$' && self.language == Language::Php => {
                Some(self.braces(at))
            }
            Holes::Sigil if matches!(byte, b'$' | b'@') && next == b'{' => {
                Some(self.braces(at + 1))
            }
            Holes::Sigil
                if is_word(next) && (byte == b'$' || byte == b'@')
                    || byte == b'$' && next.is_ascii_digit() =>
            {
                (byte == b'$' || self.language == Language::Perl).then(|| self.variable(at))
            }
            _ => None,
        }
    }

    /// What stands between a brace and its partner; strings in it are passed.
    fn braces(&self, open: usize) -> (usize, usize, usize) {
        let (mut at, mut depth, mut quote) = (open, 0usize, 0u8);
        while at < self.end {
            let byte = self.byte(at);
            match byte {
                b'\\' => at += 1,
                _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
                b'\'' | b'"' | b'`' => quote = byte,
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return (open + 1, at - 1, at);
            }
        }
        (open + 1, self.end, self.end)
    }

    /// A variable in a string, with what is taken from it: `$x`, `$x[0]`, `$x->{a}`.
    fn variable(&self, start: usize) -> (usize, usize, usize) {
        const LONGEST: usize = 64;
        let mut at = start + 1;
        while is_word_or_digit(self.byte(at)) {
            at += 1;
        }
        let arrow = 2 * usize::from(self.byte(at) == b'-' && self.byte(at + 1) == b'>');
        let closes = match self.byte(at + arrow) {
            b'[' => b']',
            b'{' if self.language == Language::Perl => b'}',
            _ => return (start, at, at),
        };
        for end in at + arrow..(at + LONGEST).min(self.end) {
            if self.byte(end) == closes {
                return (start, end + 1, end + 1);
            }
        }
        (start, at, at)
    }

    /// A backslash and what it stands for.
    fn escape(&mut self, quote: &Quote, plain: &mut String) -> bool {
        let next = self.at + 1;
        let length = self.char_len(next).min(self.end.saturating_sub(next));
        let Some(text) = self
            .source
            .get(next..next + length)
            .filter(|text| !text.is_empty())
        else {
            return false;
        };
        self.at = next + length;
        let byte = text.as_bytes()[0];
        if quote.cooked {
            self.cooked(byte, text, plain);
        } else {
            let meant = !quote.raw
                && (byte == b'\\' || byte == quote.delimiter || quote.close.as_bytes() == [byte]);
            if !meant {
                plain.push('\\');
            }
            plain.push_str(text);
        }
        true
    }

    fn cooked(&mut self, byte: u8, text: &str, plain: &mut String) {
        match byte {
            b'n' => plain.push('\n'),
            b't' => plain.push('\t'),
            b'r' => plain.push('\r'),
            b'e' => plain.push('\u{1b}'),
            b'\n' => {}
            b'x' | b'u' | b'U' => self.code_point(byte, plain),
            b'0'..=b'7' => {
                let from = self.at - 1;
                while self.at < from + 3 && matches!(self.byte(self.at), b'0'..=b'7') {
                    self.at += 1;
                }
                push_code(self.source.get(from..self.at), 8, plain);
            }
            _ => plain.push_str(text),
        }
    }

    fn code_point(&mut self, kind: u8, plain: &mut String) {
        let braced = usize::from(self.byte(self.at) == b'{');
        let most = match (kind, braced) {
            (_, 1) | (b'U', _) => 8,
            (b'u', _) => 4,
            _ => 2,
        };
        let from = self.at + braced;
        self.at = from;
        while self.at < from + most && self.byte(self.at).is_ascii_hexdigit() {
            self.at += 1;
        }
        push_code(self.source.get(from..self.at), 16, plain);
        self.at += usize::from(braced == 1 && self.byte(self.at) == b'}');
    }
}

fn push_code(digits: Option<&str>, radix: u32, plain: &mut String) {
    let code = digits.and_then(|digits| u32::from_str_radix(digits, radix).ok());
    plain.extend(code.and_then(char::from_u32));
}

fn words(parts: &[Part]) -> Kind {
    let words = parts.iter().flat_map(|part| match part {
        Part::Plain(text) => text.split_whitespace().map(str::to_owned).collect(),
        Part::Code(_) => Vec::new(),
    });
    Kind::Words(words.collect())
}
