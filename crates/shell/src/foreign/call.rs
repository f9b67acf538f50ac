//! Names, brackets, and what is taken from a value: members, items, calls.

use super::Language;
use super::give::Give;
use super::parse::Reader;
use super::table::{self, Row};
use super::token::Kind;
use super::value::{HOME, Value};
use crate::text::{Fill, Text};

/// The arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) listed: Vec<Value>,
    named: Vec<(String, Value)>,
}

impl Arguments {
    /// The argument at a place, or by name.
    pub(super) fn get(&self, at: usize, name: &str) -> Option<&Value> {
        self.listed.get(at).or_else(|| self.option(name))
    }

    /// A named argument, also one of an object of options.
    pub(super) fn option(&self, name: &str) -> Option<&Value> {
        let maps = self.listed.iter().filter_map(|value| match value {
            Value::Map(entries) => Some(entries),
            _ => None,
        });
        std::iter::once(&self.named)
            .chain(maps)
            .flatten()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    /// Whether an option is given and does not say no.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.option(name).is_some_and(|value| !value.is_off())
    }
}

/// Methods that call a function with every item of what they are taken from.
const EACH: &[&str] = &[
    "forEach",
    "map",
    "each",
    "then",
    "filter",
    "flatMap",
    "for_each",
    "each_with_index",
    "collect",
];
/// The longest name that a member is taken from: none that is listed is half as long.
const LONGEST_NAME: usize = 128;
/// Names that hold the environment.
const ENVIRONMENTS: &[&str] = &[
    "os.environ",
    "process.env",
    "Bun.env",
    "$ENV",
    "ENV",
    "$_SERVER",
    "$_ENV",
    "ENVIRON",
    "os.environb",
    "Deno.env",
];

/// The value of an environment variable.
pub(super) fn environment(name: &str) -> Value {
    match name {
        "HOME" | "USERPROFILE" => Value::plain(HOME.to_string()),
        "PWD" => Value::plain("."),
        _ => Value::Text(Text::hole(format!("${name}"), Fill::Anything)),
    }
}

impl Reader<'_> {
    /// A name: a function, a variable, a keyword that begins an expression.
    pub(super) fn word(&mut self) -> Value {
        let (start, word) = (self.at, self.text_at(self.at));
        if let Some(value) = self.keyword(word) {
            return value;
        }
        self.at += 1;
        // The type of a variable: `x: str = …`.
        if self.sees(":") && self.is_word(self.at + 1) && self.seen_at(self.at + 2, "=") {
            self.at += 2;
        }
        match self.text_at(self.at) {
            "=" | ":=" if !self.is_text() => {
                self.at += 1;
                self.skip_lines();
                let value = self.assigned(word);
                let kept = self.copy(&value);
                self.names.insert(word.to_owned(), kept);
                value
            }
            "+=" | ".=" | "||=" | "??=" if !self.is_text() => {
                self.at += 1;
                let next = self.expression();
                let held = self.value_of(word);
                let value = self.add(held, next);
                let kept = self.copy(&value);
                self.names.insert(word.to_owned(), kept);
                value
            }
            "=>" if self.language == Language::JavaScript => {
                self.at += 1;
                let item = self.item.take().unwrap_or_else(|| self.unknown(start));
                self.names.insert(word.to_owned(), item);
                self.expression()
            }
            _ => self.value_of(word),
        }
    }

    /// A Perl array takes all that follows; elsewhere one expression does.
    fn assigned(&mut self, word: &str) -> Value {
        let value = self.expression();
        match value {
            Value::List(_) => value,
            other if word.starts_with('@') && self.language == Language::Perl => {
                Value::List(vec![other])
            }
            other => other,
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.kind(self.at), Some(Kind::Text(_)))
    }

    /// A bracket as an operand: a group, a list, an object or a block.
    pub(super) fn bracket(&mut self) -> Value {
        let start = self.at;
        if let Some(value) = self.bind_pattern() {
            return value;
        }
        if self.sees("{") {
            return self.inside(Self::braced).unwrap_or_else(Value::nothing);
        }
        let round = self.sees("(");
        if round && self.is_arrow() {
            return self.arrow();
        }
        self.bind_comprehension();
        let values = self.inside(|inner| {
            if inner.language == Language::Ruby {
                inner.bind_block();
            }
            inner.listed()
        });
        match values {
            None => self.unknown(start),
            Some(mut values) if round && values.len() == 1 => {
                values.pop().unwrap_or_else(Value::nothing)
            }
            Some(values) => Value::List(values),
        }
    }

    fn is_arrow(&self) -> bool {
        match self.kind(self.at) {
            Some(Kind::Open(partner)) => self.seen_at(partner + 1, "=>"),
            _ => false,
        }
    }

    fn arrow(&mut self) -> Value {
        self.bind_parameters(None);
        self.take("=>");
        self.expression()
    }

    /// What is taken from a value, as long as something is.
    pub(super) fn postfix(&mut self, mut value: Value, start: usize) -> Value {
        // The method that was taken last, and what it was taken from.
        let mut of: Option<Value> = None;
        loop {
            let before = self.at;
            self.skip_line_before_member();
            match self.text_at(self.at) {
                "." | "?." | "->" | "::" | ":" if self.is_member() => {
                    self.at += 1;
                    let member = self.text_at(self.at);
                    self.at += 1;
                    (value, of) = self.member(value, member, start);
                }
                "(" => {
                    if self.language == Language::Ruby && self.is_bare_keyword(start) {
                        return value;
                    }
                    let arguments = self.arguments(&value);
                    self.pass_on(&value, of.as_ref(), &arguments, start);
                    value = self.invoke(value, of.take(), arguments, start);
                }
                "[" if self.is_index() => {
                    value = self.index(value, start);
                    of = None;
                }
                "{" if self.is_perl_key() => {
                    value = self.index(value, start);
                    of = None;
                }
                text if self.language == Language::JavaScript && text.starts_with('`') => {
                    if let Value::Name(name) = &mut value {
                        name.push('`');
                    }
                    let arguments = self.bare_arguments();
                    value = self.invoke(value, of.take(), arguments, start);
                }
                "for" | "foreach" if self.is_listed(&value) => {
                    let mut arguments = Arguments::default();
                    arguments.listed.push(self.value_of("$_"));
                    value = self.invoke(value, of.take(), arguments, start);
                }
                _ if self.begins_bare_call(&value) => {
                    let arguments = self.bare_arguments();
                    value = self.invoke(value, of.take(), arguments, start);
                }
                _ => {}
            }
            if self.at == before {
                break;
            }
        }
        match of {
            Some(receiver) => self.without_call(value, receiver, start),
            None if self.is_constant(&value) => {
                self.invoke(value, None, Arguments::default(), start)
            }
            None => value,
        }
    }

    /// `fetch(…).then(eval)`: a function that is named is called with what comes of the other.
    fn pass_on(&mut self, callee: &Value, of: Option<&Value>, arguments: &Arguments, start: usize) {
        let is_then = matches!(callee, Value::Name(name) if name.ends_with("then"));
        let Some(next) = arguments.listed.first().filter(|_| is_then) else {
            return;
        };
        let Value::Name(name) = next else {
            return;
        };
        if self.language == Language::JavaScript
            && matches!(table::row(self.language, name), Some(Row::Do(_)))
        {
            let next = next.clone();
            let given = of.cloned().unwrap_or_else(|| self.unknown(start));
            let mut with = Arguments::default();
            with.listed.push(given);
            self.invoke(next, None, with, start);
        }
    }

    /// Whether a Perl function is used without arguments on what a loop holds.
    fn is_listed(&self, value: &Value) -> bool {
        matches!(value, Value::Name(name)
            if self.language == Language::Perl && table::row(self.language, name).is_some())
    }

    /// Whether a name gives something without being called.
    fn is_constant(&self, value: &Value) -> bool {
        let Value::Name(name) = value else {
            return false;
        };
        let bare = matches!(self.language, Language::Ruby | Language::Perl);
        match table::row(self.language, name) {
            Some(Row::Give(Give::Constant(_))) => true,
            Some(Row::Give(Give::Text(_) | Give::Home)) => bare,
            _ => false,
        }
    }

    fn is_bare_keyword(&self, start: usize) -> bool {
        matches!(self.text_at(start), "if" | "unless" | "while")
    }

    /// A chain of calls may go on at the beginning of the next line.
    fn skip_line_before_member(&mut self) {
        let dot = matches!(self.text_at(self.at + 1), "." | "?.");
        if dot && matches!(self.kind(self.at), Some(Kind::Newline)) && self.is_word(self.at + 2) {
            self.at += 1;
        }
    }

    /// Whether a member is taken here.
    fn is_member(&self) -> bool {
        let name = self.is_word(self.at + 1);
        match self.text_at(self.at) {
            "." => name && !matches!(self.language, Language::Php | Language::Perl),
            "->" => name && matches!(self.language, Language::Php | Language::Perl),
            "?." | "::" => name,
            ":" => {
                name && self.language == Language::Lua && matches!(self.text_at(self.at + 2), "(")
            }
            _ => false,
        }
    }

    fn is_index(&self) -> bool {
        let adjacent = match (
            self.tokens.get(self.at.wrapping_sub(1)),
            self.tokens.get(self.at),
        ) {
            (Some(before), Some(this)) => before.end == this.start,
            _ => false,
        };
        adjacent && (self.language != Language::Awk || self.is_word(self.at - 1))
    }

    fn is_perl_key(&self) -> bool {
        self.language == Language::Perl && self.is_index() && {
            let before = self.text_at(self.at - 1);
            before.starts_with('$') || before == "->"
        }
    }

    /// A member of a value: the value, and for a method what it is taken from.
    fn member(&mut self, value: Value, member: &str, start: usize) -> (Value, Option<Value>) {
        match value {
            Value::Name(name) if ENVIRONMENTS.contains(&name.as_str()) && is_variable(member) => {
                (environment(member), None)
            }
            // Both styles of a module are the same functions.
            Value::Name(name) if member == "promises" || member == "default" => {
                (Value::Name(name), None)
            }
            Value::Name(name) if EACH.contains(&member) && !name.contains('.') => {
                self.item = Some(Value::Name(name));
                (self.unknown(start), None)
            }
            Value::Name(name) if name.len() > LONGEST_NAME => (Value::nothing(), None),
            Value::Name(name) => (self.unassigned(format!("{name}.{member}")), None),
            other => {
                if EACH.contains(&member) {
                    let items = self.copy(&other);
                    self.item = Some(items.items());
                }
                let kind = if matches!(other, Value::Path(_)) || is_path_each(&other) {
                    "Path"
                } else {
                    ""
                };
                (Value::Name(format!("{kind}#{member}")), Some(other))
            }
        }
    }

    /// A member that nothing calls: an attribute, or a method called without parentheses.
    fn without_call(&mut self, value: Value, receiver: Value, start: usize) -> Value {
        let called = match &value {
            Value::Name(name) => match table::row(self.language, name) {
                Some(Row::Give(_)) => true,
                Some(Row::Do(_)) => self.language == Language::Ruby,
                None => false,
            },
            _ => false,
        };
        if called {
            return self.invoke(value, Some(receiver), Arguments::default(), start);
        }
        match (&value, receiver) {
            (Value::Name(name), Value::Map(entries)) => {
                let key = name.trim_start_matches('#');
                let entry = entries.into_iter().find(|(held, _)| held == key);
                entry.map_or_else(|| self.unknown(start), |(_, value)| value)
            }
            _ => self.unknown(start),
        }
    }

    /// An item of a value.
    fn index(&mut self, value: Value, start: usize) -> Value {
        let reversed = self.text_at(self.at + 1) == "::" && self.text_at(self.at + 2) == "-"
            || self.text_at(self.at + 1) == ":" && self.text_at(self.at + 3) == "-";
        let bare = self.is_word(self.at + 1).then(|| self.text_at(self.at + 1));
        let keys = self.inside(Self::listed).unwrap_or_default();
        let key = match (keys.first(), bare) {
            (Some(Value::Name(_)), Some(bare)) => Some(bare.to_owned()),
            (Some(key), _) => key.known(),
            _ => None,
        };
        match (value, key, keys.first()) {
            (value @ Value::Text(_), ..) if reversed => {
                super::code::reversed(&value).unwrap_or_else(|| self.unknown(start))
            }
            (Value::Name(name), Some(key), _) if ENVIRONMENTS.contains(&name.as_str()) => {
                environment(&key)
            }
            (Value::Name(name), _, Some(Value::Text(_)))
                if table::row(self.language, &format!("{name}.[]")).is_some() =>
            {
                let arguments = Arguments {
                    listed: keys,
                    named: Vec::new(),
                };
                self.invoke(Value::Name(format!("{name}.[]")), None, arguments, start)
            }
            (Value::Name(name), Some(key), Some(Value::Text(_))) => {
                Value::Name(format!("{name}.{key}"))
            }
            (Value::List(mut items), _, Some(Value::Number(at))) => {
                let at = usize::try_from(*at).unwrap_or(usize::MAX);
                if at < items.len() {
                    items.swap_remove(at)
                } else {
                    self.unknown(start)
                }
            }
            (Value::Map(entries), Some(key), _) => {
                let entry = entries.into_iter().find(|(held, _)| *held == key);
                entry.map_or_else(|| self.unknown(start), |(_, value)| value)
            }
            _ => self.unknown(start),
        }
    }

    /// Whether a known function is followed by its arguments without parentheses.
    fn begins_bare_call(&self, value: &Value) -> bool {
        let Value::Name(name) = value else {
            return false;
        };
        let literal = matches!(self.kind(self.at), Some(Kind::Text(_)));
        match self.language {
            Language::Lua => literal && table::row(self.language, name).is_some(),
            _ => {
                self.language.calls_bare()
                    && self.begins_operand()
                    && (table::row(self.language, name).is_some())
            }
        }
    }

    fn bare_arguments(&mut self) -> Arguments {
        let mut arguments = Arguments::default();
        // A handle without a sigil: `open F, '>x'`.
        loop {
            let before = self.at;
            self.argument(&mut arguments);
            if self.at == before || !self.take(",") {
                break;
            }
            self.skip_lines();
        }
        arguments
    }

    fn arguments(&mut self, callee: &Value) -> Arguments {
        let mut arguments = Arguments::default();
        if !matches!(callee, Value::Name(name) if name.contains(['#', '.'])) {
            // Only a method of a list calls what it is given with its items.
            self.item = self
                .item
                .take()
                .filter(|_| matches!(callee, Value::Unknown(_)));
        }
        self.bind_comprehension();
        self.inside(|inner| {
            while inner.at < inner.end {
                let before = inner.at;
                if !inner.take(",") {
                    inner.skip_lines();
                    if inner.at < inner.end {
                        inner.argument(&mut arguments);
                    }
                }
                if inner.at == before {
                    inner.at += 1;
                }
            }
        });
        arguments
    }

    fn argument(&mut self, arguments: &mut Arguments) {
        let word = self.is_word(self.at);
        let key = self.text_at(self.at);
        let named = match self.text_at(self.at + 1) {
            "=" => word && self.language == Language::Python,
            ":" => word && matches!(self.language, Language::Ruby | Language::Php),
            "=>" => matches!(self.language, Language::Ruby | Language::Perl),
            _ => false,
        };
        if named {
            self.at += 2;
            let value = self.expression();
            arguments.named.push((bare_key(key), value));
        } else {
            let value = self.expression();
            arguments.listed.push(value);
        }
    }
}

/// The word of a key: `recursive`, `'recursive'`, `:recursive`.
pub(super) fn bare_key(key: &str) -> String {
    key.trim_matches(['\'', '"', ':']).to_owned()
}

fn is_variable(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
}

fn is_path_each(value: &Value) -> bool {
    matches!(value, Value::Either(values) if values.iter().any(|value| matches!(value, Value::Path(_))))
}
