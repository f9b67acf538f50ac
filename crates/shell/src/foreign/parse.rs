//! Reads expressions. Every token is passed once; calls are told as deeds when they are met.

use std::collections::HashMap;

use super::Language;
use super::deed::{Deed, Told};
use super::token::{Kind, Part, Token, snippet};
use super::value::{Value, join};
use crate::text::Text;

/// How deeply brackets may nest.
const DEEPEST: usize = 64;
/// How many bytes of values may be copied.
const FUEL: usize = 1024 * 1024;

/// How many expressions are read between two looks at the clock.
const LOOK_EVERY: usize = 64;

/// Words before an operand that do not change what it is.
const PREFIXES: &[&str] = &[
    "await",
    "new",
    "not",
    "return",
    "yield",
    "typeof",
    "void",
    "const",
    "let",
    "var",
    "my",
    "our",
    "local",
    "async",
    "export",
    "default",
    "static",
    "then",
    "begin",
    "else",
    "elsif",
    "elif",
    "try",
    "if",
    "unless",
    "while",
    "until",
    "raise",
    "throw",
    "assert",
    "echo",
    "print",
    "puts",
    "finally",
    "except",
    "and",
    "or",
    "public",
    "private",
    "protected",
    "BEGIN",
    "END",
    "case",
];
/// Words that end an expression.
const STOPS: &[&str] = &[
    "if", "unless", "while", "until", "for", "foreach", "do", "then", "as", "of", "async", "else",
    "end", "return", "use", "from",
];

/// Nobody writes longer lines; a machine does, and puts functions into them.
const LONGEST_LINE: usize = 300;
/// Words at the beginning of a line that may not be run.
const CONDITIONAL: &[&str] = &[
    "if", "elif", "elsif", "else", "unless", "while", "until", "for", "foreach", "def", "sub",
    "fn", "async", "class", "try", "except", "catch", "rescue", "finally", "case", "when",
    "switch", "with", "do",
];

/// Names that hold the arguments of a program.
const ARGUMENTS: &[&str] = &[
    "sys.argv",
    "process.argv",
    "Bun.argv",
    "@ARGV",
    "$ARGV",
    "ARGV",
    "$argv",
    "arg",
];

/// What a first look at a source found out.
#[derive(Default)]
pub(super) struct Known {
    pub(super) names: HashMap<String, Value>,
    pub(super) calls: HashMap<String, Vec<Vec<Value>>>,
}

/// A way through the tokens of a source.
pub(super) struct Reader<'t> {
    pub(super) language: Language,
    pub(super) source: &'t str,
    pub(super) tokens: &'t [Token],
    /// What the program is given as arguments, as its language counts them.
    pub(super) given: &'t [Text],
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) code_depth: usize,
    depth: usize,
    fuel: usize,
    pub(super) names: HashMap<String, Value>,
    pub(super) calls: HashMap<String, Vec<Vec<Value>>>,
    pub(super) before: Known,
    /// What a function that is given to a call is called with: an item of a list.
    pub(super) item: Option<Value>,
    /// Whether `>` and `|` end an expression, as in awk's `print`.
    pub(super) printing: bool,
    /// Whether a loop is read before what it repeats.
    pub(super) ahead: bool,
    /// How many tokens may still be read ahead.
    pub(super) sight: usize,
    /// Up to where loops after statements were looked for.
    pub(super) looked_to: usize,
    /// Where the code went with `chdir`.
    pub(super) folder: Option<Text>,
    pub(super) deeds: Vec<Told>,
    /// Whether the time is up.
    pub(super) is_late: &'t dyn Fn() -> bool,
    /// How many expressions were read.
    steps: usize,
    /// Whether the rest is not read.
    is_over: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(
        language: Language,
        source: &'t str,
        tokens: &'t [Token],
        given: &'t [Text],
        code_depth: usize,
        is_late: &'t dyn Fn() -> bool,
    ) -> Self {
        Self {
            language,
            source,
            tokens,
            given,
            at: 0,
            end: tokens.len(),
            code_depth,
            depth: 0,
            fuel: FUEL,
            names: HashMap::new(),
            calls: HashMap::new(),
            before: Known::default(),
            item: None,
            printing: false,
            ahead: false,
            looked_to: 0,
            sight: tokens.len().saturating_mul(2),
            folder: None,
            deeds: Vec::new(),
            is_late,
            steps: 0,
            is_over: false,
        }
    }

    /// What names stand for at the end, and what functions are called with.
    pub(super) fn look(mut self) -> Known {
        // What is in code that is itself a text does not matter to this look.
        self.code_depth = super::DEEPEST_CODE;
        self.statements();
        Known {
            names: self.names,
            calls: self.calls,
        }
    }

    pub(super) fn knowing(mut self, before: Known) -> Self {
        self.before = before;
        self
    }

    pub(super) fn deeds(mut self) -> Vec<Told> {
        self.statements();
        self.deeds
    }

    pub(super) fn text_at(&self, at: usize) -> &'t str {
        let token = self.tokens.get(at).filter(|_| at < self.end);
        token.map_or("", |token| self.text_of(token))
    }

    fn text_of(&self, token: &Token) -> &'t str {
        let range = token.start as usize..token.end as usize;
        self.source.get(range).unwrap_or("")
    }

    pub(super) fn kind(&self, at: usize) -> Option<&'t Kind> {
        let token = self.tokens.get(at).filter(|_| at < self.end);
        token.map(|token| &token.kind)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Word))
    }

    /// Whether a mark, a bracket or a word stands here.
    pub(super) fn sees(&self, text: &str) -> bool {
        self.seen_at(self.at, text)
    }

    pub(super) fn seen_at(&self, at: usize, text: &str) -> bool {
        self.text_at(at) == text
            && !matches!(
                self.kind(at),
                Some(Kind::Text(_) | Kind::Regex | Kind::Shell(_))
            )
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let seen = self.sees(text);
        self.at += usize::from(seen);
        seen
    }

    pub(super) fn skip_lines(&mut self) {
        while matches!(self.kind(self.at), Some(Kind::Newline)) {
            self.at += 1;
        }
    }

    /// The source from a token up to here.
    pub(super) fn shown(&self, from: usize) -> String {
        let start = self
            .tokens
            .get(from)
            .map_or(0, |token| token.start as usize);
        let last = self
            .at
            .max(from + 1)
            .min(self.tokens.len())
            .saturating_sub(1);
        let end = self.tokens.get(last).map_or(0, |token| token.end as usize);
        snippet(self.source.get(start..end.max(start)).unwrap_or(""))
    }

    /// Whether what was read last is run whenever the source is: its line stands at the margin, and begins neither a
    /// function nor a condition. People and formatters indent the rest.
    pub(super) fn is_plain(&self) -> bool {
        let last = self.at.min(self.tokens.len()).checked_sub(1);
        let here = last.map_or(0, |last| self.tokens[last].start as usize);
        let from = here.saturating_sub(LONGEST_LINE);
        let near = self.source.as_bytes().get(from..here).unwrap_or_default();
        let start = match near.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => from + at + 1,
            None if from == 0 => 0,
            None => return false,
        };
        let line = self.source.get(start..).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let word = line.split(|c: char| !c.is_alphanumeric()).next();
        !line.starts_with(char::is_whitespace)
            && line.len() <= LONGEST_LINE
            && !word.is_some_and(|word| CONDITIONAL.contains(&word))
            && !["=>", "function", "lambda", "->"]
                .iter()
                .any(|mark| line.contains(mark))
    }

    pub(super) fn unknown(&self, from: usize) -> Value {
        Value::Unknown(self.shown(from))
    }

    /// Copies a value while that is affordable.
    pub(super) fn copy(&mut self, value: &Value) -> Value {
        if self.fuel == 0 {
            return Value::nothing();
        }
        self.fuel = self.fuel.saturating_sub(value.weight());
        value.clone()
    }

    /// Pays for work on values of that many bytes; false when it is not affordable.
    pub(super) fn pay(&mut self, weight: usize) -> bool {
        self.fuel = self.fuel.saturating_sub(weight);
        self.fuel > 0
    }

    pub(super) fn add(&mut self, left: Value, right: Value) -> Value {
        if self.fuel == 0 {
            return Value::nothing();
        }
        let (alone, right_weight) = (matches!(left, Value::Text(_)), right.weight());
        let sum = left.add(right);
        // What is only appended to was paid for before.
        let weight = if alone { right_weight } else { sum.weight() };
        self.fuel = self.fuel.saturating_sub(weight);
        sum
    }

    /// Whether the rest cannot be read in time, which is told once.
    fn runs_out(&mut self) -> bool {
        self.steps += 1;
        if !self.is_over && self.steps.is_multiple_of(LOOK_EVERY) && (self.is_late)() {
            self.is_over = true;
            let rest = self.shown(self.at);
            self.tell(Deed::unread(&rest));
        }
        self.is_over
    }

    /// Whether a call or a bracket may be entered; if not, the code in it is told as not read.
    pub(super) fn descend(&mut self, partner: usize) -> bool {
        if self.depth < DEEPEST {
            self.depth += 1;
            return true;
        }
        let from = self.at;
        self.at = partner;
        let shown = self.shown(from);
        self.tell(Deed::unread(&shown));
        self.at = partner + 1;
        false
    }

    /// Reads inside a bracket that begins here, and goes on after its partner.
    pub(super) fn inside<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let Some(Kind::Open(partner)) = self.kind(self.at) else {
            return None;
        };
        let partner = (*partner).min(self.end);
        if !self.descend(partner) {
            return None;
        }
        let (outer, printing) = (self.end, std::mem::take(&mut self.printing));
        let looked_to = std::mem::take(&mut self.looked_to);
        self.at += 1;
        self.end = partner;
        let result = read(self);
        self.end = outer;
        self.printing = printing;
        self.looked_to = looked_to;
        self.at = partner + 1;
        self.depth -= 1;
        Some(result)
    }

    /// The values of expressions between commas.
    pub(super) fn listed(&mut self) -> Vec<Value> {
        let mut values = Vec::new();
        while self.at < self.end {
            let before = self.at;
            if self.take(",") || self.take("=>") || self.take(";") {
                continue;
            }
            self.skip_lines();
            if self.at < self.end {
                values.push(self.expression());
            }
            if self.at == before {
                self.at += 1;
            }
        }
        values
    }

    /// An expression: its value, or those that it may have.
    pub(super) fn expression(&mut self) -> Value {
        if self.runs_out() || !self.descend(self.end) {
            self.at = self.end;
            return Value::nothing();
        }
        let (mut found, mut open) = (Vec::new(), 0usize);
        loop {
            self.skip_lines_before_operand();
            let value = self.sum();
            match self.text_at(self.at) {
                "||" | "or" | "??" => found.push(value),
                "//" if self.language == Language::Perl => found.push(value),
                "&&" | "and" => {}
                "?" => open += 1,
                ":" if open > 0 => {
                    open -= 1;
                    found.push(value);
                }
                "if" if self.language == Language::Python => {
                    self.at += 1;
                    self.sum();
                    found.push(value);
                    if !self.sees("else") {
                        break;
                    }
                }
                _ => {
                    found.push(value);
                    break;
                }
            }
            self.at += 1;
        }
        self.depth -= 1;
        Value::either(found)
    }

    fn skip_lines_before_operand(&mut self) {
        if matches!(self.kind(self.at.wrapping_sub(1)), Some(Kind::Mark)) {
            self.skip_lines();
        }
    }

    /// Operands that are put together.
    fn sum(&mut self) -> Value {
        let start = self.at;
        match self.joined() {
            // What is worked out in a way that is not followed is shown as a whole.
            Value::Unknown(shown) if shown.is_empty() && self.at > start => self.unknown(start),
            value => value,
        }
    }

    fn joined(&mut self) -> Value {
        let mut value = self.operand();
        loop {
            let before = self.at;
            value = match self.kind(self.at) {
                Some(Kind::Mark) => match self.binary(value) {
                    (value, true) => value,
                    (value, false) => return value,
                },
                Some(Kind::Word | Kind::Text(_)) if self.is_adjacent() => {
                    let next = self.operand();
                    self.add(value, next)
                }
                Some(Kind::Word)
                    if matches!(
                        self.text_at(self.at),
                        "in" | "is" | "x" | "eq" | "ne" | "instanceof" | "xor" | "lt" | "gt"
                    ) =>
                {
                    self.at += 1;
                    self.operand();
                    Value::nothing()
                }
                _ => return value,
            };
            if self.at == before {
                return value;
            }
        }
    }

    /// Whether what stands here is joined to what stands before it without a mark.
    fn is_adjacent(&self) -> bool {
        let before = self.kind(self.at.wrapping_sub(1));
        match self.language {
            Language::Awk => {
                !STOPS.contains(&self.text_at(self.at)) && !self.sees("in") && !self.sees("getline")
            }
            Language::Python | Language::Ruby => {
                matches!(before, Some(Kind::Text(_)))
                    && matches!(self.kind(self.at), Some(Kind::Text(_)))
            }
            _ => false,
        }
    }

    /// A mark between two operands; false when it ends the expression.
    fn binary(&mut self, value: Value) -> (Value, bool) {
        let mark = self.text_at(self.at);
        if matches!(
            mark,
            "," | ";" | ":" | "?" | "||" | "&&" | "??" | "=>" | "=" | "+=" | ".=" | ":="
        ) || (mark == "//" && self.language == Language::Perl)
            || (self.printing && matches!(mark, ">" | ">>" | "|"))
        {
            return (value, false);
        }
        self.at += 1;
        self.skip_lines();
        if mark == "|" && self.take("getline") {
            self.shell(&value);
            return (Value::nothing(), true);
        }
        let next = self.operand();
        let value = match mark {
            _ if mark == self.language.joiner() => self.add(value, next),
            "/" if matches!(value, Value::Path(_) | Value::Either(_)) => join(&value, &next, true),
            "%" if matches!(value, Value::Text(_)) => super::code::format(&value, &[next]),
            "<<" if matches!(value, Value::List(_)) => value.add(Value::List(vec![next])),
            _ => Value::nothing(),
        };
        (value, true)
    }

    /// One operand with everything that is taken from it.
    pub(super) fn operand(&mut self) -> Value {
        self.skip_prefixes();
        let start = self.at;
        let value = match self.kind(self.at) {
            Some(Kind::Word) => self.word(),
            Some(Kind::Number) => self.number(),
            Some(Kind::Text(parts)) => {
                self.at += 1;
                self.parts(parts)
            }
            Some(Kind::Shell(parts)) => {
                self.at += 1;
                let line = self.parts(parts);
                self.shell(&line);
                self.unknown(start)
            }
            Some(Kind::Glob(parts)) => {
                self.at += 1;
                let text = self.parts(parts);
                super::give::glob(&text)
            }
            Some(Kind::Words(words)) => {
                self.at += 1;
                Value::List(words.iter().map(Value::plain).collect())
            }
            Some(Kind::Regex) => {
                self.at += 1;
                self.unknown(start)
            }
            Some(Kind::Open(_)) => self.bracket(),
            _ => return Value::nothing(),
        };
        self.postfix(value, start)
    }

    fn skip_prefixes(&mut self) {
        loop {
            let text = self.text_at(self.at);
            let skipped = match self.kind(self.at) {
                Some(Kind::Word) => PREFIXES.contains(&text) && !self.is_call_or_key(),
                Some(Kind::Mark) => {
                    matches!(
                        text,
                        "-" | "!" | "~" | "&" | "*" | "**" | "..." | "\\" | "@" | "+" | "->"
                    )
                }
                _ => false,
            };
            if !skipped {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a word is a name here, even if it is a keyword elsewhere.
    fn is_call_or_key(&self) -> bool {
        matches!(self.text_at(self.at + 1), "." | "=" | "=>")
            || self.language == Language::Awk && self.text_at(self.at) == "print"
    }

    fn number(&mut self) -> Value {
        let text = self.text_at(self.at).replace('_', "").to_ascii_lowercase();
        self.at += 1;
        let octal = !matches!(
            self.language,
            Language::JavaScript | Language::Lua | Language::Awk
        );
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x', ..] => (&text[2..], 16),
            [b'0', b'o', ..] => (&text[2..], 8),
            [b'0', b'b', ..] => (&text[2..], 2),
            [b'0', _, ..] if octal => (&text[1..], 8),
            _ => (text.as_str(), 10),
        };
        i64::from_str_radix(digits, radix)
            .map_or_else(|_| Value::Unknown(text.clone()), Value::Number)
    }

    /// A string with the values of the code in it.
    pub(super) fn parts(&mut self, parts: &'t [Part]) -> Value {
        let mut whole = Value::plain("");
        for part in parts {
            let next = match part {
                Part::Plain(text) => Value::plain(text.clone()),
                Part::Code(tokens) => self.inner(tokens),
            };
            whole = self.add(whole, next);
        }
        whole
    }

    /// The value of code inside a string.
    fn inner(&mut self, tokens: &'t [Token]) -> Value {
        if tokens.is_empty() || !self.descend(self.at) {
            return Value::Unknown("…".to_owned());
        }
        let outer = (self.tokens, self.at, self.end);
        (self.tokens, self.at, self.end) = (tokens, 0, tokens.len());
        let value = match (self.language, tokens) {
            // `${x}` is the variable `$x`.
            (Language::Perl | Language::Php, [only]) if matches!(only.kind, Kind::Word) => {
                let name = self.text_of(only).trim_start_matches('$');
                self.value_of(&format!("${name}"))
            }
            _ => self.expression(),
        };
        (self.tokens, self.at, self.end) = outer;
        self.depth -= 1;
        match value {
            Value::List(items) if items.len() == 1 => {
                items.into_iter().next().unwrap_or_else(Value::nothing)
            }
            other => other,
        }
    }

    /// What a name stands for.
    pub(super) fn value_of(&mut self, name: &str) -> Value {
        let held = self.names.get(name).or_else(|| self.before.names.get(name));
        match held {
            Some(_) if self.fuel == 0 => Value::nothing(),
            Some(Value::Name(full)) => self.unassigned(full.clone()),
            Some(value) => {
                self.fuel = self.fuel.saturating_sub(value.weight());
                value.clone()
            }
            None => self.unassigned(name.to_owned()),
        }
    }

    /// A name that nothing was assigned to: the program's arguments, or a function or module.
    pub(super) fn unassigned(&self, name: String) -> Value {
        if self.given.is_empty() || !ARGUMENTS.contains(&name.as_str()) {
            return Value::Name(name);
        }
        Value::List(self.given.iter().cloned().map(Value::Text).collect())
    }

    /// Whether the words of an argument list without parentheses may begin here.
    pub(super) fn begins_operand(&self) -> bool {
        match self.kind(self.at) {
            Some(
                Kind::Text(_) | Kind::Shell(_) | Kind::Glob(_) | Kind::Words(_) | Kind::Number,
            ) => true,
            Some(Kind::Word) => {
                let word = self.text_at(self.at);
                !STOPS.contains(&word)
                    && !matches!(
                        word,
                        "and" | "or" | "x" | "eq" | "ne" | "in" | "cmp" | "lt" | "gt"
                    )
            }
            Some(Kind::Open(_)) => self.sees("[") && self.language == Language::Ruby,
            Some(Kind::Mark) => matches!(self.text_at(self.at), "*" | "\\"),
            _ => false,
        }
    }
}
