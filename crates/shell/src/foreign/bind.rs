//! Names that get values: parameters, loop variables, patterns on the left of an assignment.

use super::Language;
use super::parse::Reader;
use super::token::Kind;
use super::value::{TEMPORARY, Value};
use crate::text::Text;

/// The most names in a row that one assignment gives values to.
const MOST_NAMES: usize = 8;

/// So many words before a block are looked at.
const MOST_BEFORE: usize = 16;

impl Reader<'_> {
    /// Gives one value to one name, or the items of a list to many.
    pub(super) fn bind_names(&mut self, names: &[String], value: Value) {
        if let [name] = names {
            self.names.insert(name.clone(), value);
            return;
        }
        for (at, name) in names.iter().take(MOST_NAMES).enumerate() {
            let part = part_of(&value, at, at + 1 == names.len());
            let part = part.unwrap_or_else(|| Value::Unknown(name.clone()));
            self.names.insert(name.clone(), part);
        }
    }

    /// `a, b = x, y`
    pub(super) fn bind_tuple(&mut self) -> bool {
        let (mut at, mut names) = (self.at, Vec::new());
        while self.is_word(at) && self.seen_at(at + 1, ",") && names.len() < MOST_NAMES {
            names.push(self.text_at(at).to_owned());
            at += 2;
        }
        if names.is_empty() || !self.is_word(at) || !self.seen_at(at + 1, "=") {
            return false;
        }
        names.push(self.text_at(at).to_owned());
        self.at = at + 2;
        let mut values = vec![self.expression()];
        while self.take(",") {
            values.push(self.expression());
        }
        let value = match values.pop() {
            Some(only) if values.is_empty() => only,
            Some(last) => {
                values.push(last);
                Value::List(values)
            }
            None => Value::nothing(),
        };
        self.bind_names(&names, value);
        true
    }

    /// `{a: b} = x`, `[a, b] = x`, `($a, $b) = x`: whether the bracket here is a pattern.
    pub(super) fn bind_pattern(&mut self) -> Option<Value> {
        let Some(Kind::Open(partner)) = self.kind(self.at) else {
            return None;
        };
        let partner = *partner;
        if !self.seen_at(partner + 1, "=") || self.language == Language::Awk {
            return None;
        }
        let (braces, from) = (self.sees("{"), self.at + 1);
        self.at = partner + 2;
        let value = self.expression();
        let after = std::mem::replace(&mut self.at, from);
        let mut place = 0;
        while self.at < partner && place < 64 {
            if self.is_word(self.at) {
                let key = self.text_at(self.at);
                let renamed = self.seen_at(self.at + 1, ":") && self.is_word(self.at + 2);
                self.at += 2 * usize::from(renamed);
                let part = if braces {
                    member_of(&value, key)
                } else {
                    item_of(&value, place)
                };
                let part = part.unwrap_or_else(|| Value::Unknown(key.to_owned()));
                self.names.insert(self.text_at(self.at).to_owned(), part);
                place += 1;
            }
            self.at += 1;
        }
        self.at = after;
        Some(value)
    }

    /// The parameters of a function, which hold what the function is called with.
    pub(super) fn bind_parameters(&mut self, function: Option<&str>) {
        let item = self.item.take().filter(|_| function.is_none());
        let called = function.and_then(|name| self.before.calls.get(name));
        let called = called.cloned().filter(|calls| {
            let weight = calls.iter().flatten().map(Value::weight).sum();
            self.pay(weight)
        });
        let mut calls = Parameters {
            called: called.unwrap_or_default(),
            item,
            place: 0,
        };
        self.inside(|inner| {
            while inner.at < inner.end {
                inner.parameter(&mut calls);
            }
        });
    }

    fn parameter(&mut self, calls: &mut Parameters) {
        let (mut name, mut typed, mut default) = (None, false, None);
        while self.at < self.end && !self.sees(",") {
            match self.kind(self.at) {
                Some(Kind::Word) if !typed => name = Some(self.text_at(self.at).to_owned()),
                Some(Kind::Open(partner)) => {
                    self.at = (partner + 1).min(self.end);
                    continue;
                }
                Some(Kind::Mark) if self.sees(":") => typed = true,
                Some(Kind::Mark) if self.sees("=") => {
                    self.at += 1;
                    default = Some(self.expression());
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.take(",");
        let Some(name) = name else {
            return;
        };
        if matches!(name.as_str(), "self" | "cls") {
            return;
        }
        let value = calls.next(default, &name);
        self.names.insert(name, value);
    }

    /// A Ruby block's `|x|`, which holds what its method is called with.
    pub(super) fn bind_block(&mut self) {
        if self.language != Language::Ruby || !self.sees("|") {
            return;
        }
        let item = self.item.take().or_else(|| self.made_for_block());
        self.at += 1;
        let mut names = Vec::new();
        while self.at < self.end && !self.sees("|") && names.len() < MOST_NAMES {
            if self.is_word(self.at) {
                names.push(self.text_at(self.at).to_owned());
            }
            self.at += 1;
        }
        self.take("|");
        if let Some(first) = names.first() {
            let value = item.unwrap_or_else(|| Value::Unknown(first.clone()));
            self.names.insert(first.clone(), value);
        }
    }

    /// `Dir.mktmpdir("x") do |folder|`: what is made for a block, and taken away behind it.
    fn made_for_block(&self) -> Option<Value> {
        let line = (self.at.saturating_sub(MOST_BEFORE)..self.at.saturating_sub(1)).rev();
        let mut line = line.take_while(|at| {
            !matches!(
                self.text_at(*at),
                ";" | "\n" | "|" | "do" | "{" | "}" | "end" | "="
            )
        });
        let makes = line.any(|at| {
            let of = |class: &str| self.seen_at(at, ".") && at > 0 && self.text_at(at - 1) == class;
            match self.text_at(at + 1) {
                "mktmpdir" => of("Dir"),
                "create" | "open" => of("Tempfile"),
                _ => false,
            }
        });
        makes.then(|| Value::Text(Text::plain(TEMPORARY)))
    }

    /// Variables of `[x for x in LIST]`, which stand before their list.
    pub(super) fn bind_comprehension(&mut self) {
        let Some(Kind::Open(partner)) = self.kind(self.at) else {
            return;
        };
        if self.language == Language::Python {
            self.bind_ahead(self.at + 1, *partner);
        }
    }

    /// `… for LIST;`, whose variable stands before its list.
    pub(super) fn bind_loop_after(&mut self) {
        if !self.sees("for") && !self.sees("foreach") && self.at >= self.looked_to {
            self.bind_ahead(self.at, self.end);
        }
    }

    /// Reads the loops at this level of brackets before what they repeat is read.
    fn bind_ahead(&mut self, from: usize, to: usize) {
        if self.ahead {
            return;
        }
        let (mut at, to) = (from, to.min(self.end));
        while at < to {
            match self.kind(at) {
                Some(Kind::Open(partner)) => at = *partner,
                Some(Kind::Mark) if self.language == Language::Perl && self.seen_at(at, ";") => {
                    break;
                }
                Some(Kind::Word) if matches!(self.text_at(at), "for" | "foreach") => {
                    self.look_ahead(at, to);
                }
                _ => {}
            }
            at += 1;
        }
        if self.language == Language::Perl {
            self.looked_to = at;
        }
    }

    fn look_ahead(&mut self, at: usize, to: usize) {
        if self.sight < to - at {
            return;
        }
        self.sight -= to - at;
        let (here, end, told) = (self.at, self.end, self.deeds.len());
        (self.at, self.end, self.ahead) = (at, to, true);
        let word = self.text_at(at);
        self.keyword(word);
        (self.at, self.end, self.ahead) = (here, end, false);
        self.deeds.truncate(told);
    }
}

/// What the parameters of a function may hold.
struct Parameters {
    called: Vec<Vec<Value>>,
    item: Option<Value>,
    place: usize,
}

impl Parameters {
    fn next(&mut self, default: Option<Value>, name: &str) -> Value {
        let place = self.place;
        self.place += 1;
        let mut values: Vec<Value> = self
            .called
            .iter()
            .filter_map(|listed| listed.get(place).cloned())
            .collect();
        values.extend(default);
        values.extend(self.item.take());
        if values.is_empty() {
            return Value::Unknown(name.to_owned());
        }
        Value::either(values)
    }
}

/// What one of several names gets; the last gets what is no list, as from pairs of index and item.
fn part_of(value: &Value, at: usize, last: bool) -> Option<Value> {
    match value {
        Value::List(items) => items.get(at).cloned(),
        Value::Either(values) => {
            let parts = values.iter().filter_map(|value| match value {
                Value::Either(_) => None,
                other => part_of(other, at, last),
            });
            let parts: Vec<Value> = parts.collect();
            (!parts.is_empty()).then(|| Value::either(parts))
        }
        other => last.then(|| other.clone()),
    }
}

fn item_of(value: &Value, at: usize) -> Option<Value> {
    match value {
        Value::List(items) => items.get(at).cloned(),
        // What makes a temporary file gives its handle and its name.
        Value::Text(text) if text.is(TEMPORARY) => Some(value.clone()),
        // In Perl a list of one is written like the one.
        other if at == 0 => Some(other.clone()),
        _ => None,
    }
}

fn member_of(value: &Value, key: &str) -> Option<Value> {
    match value {
        Value::Name(name) if key == "promises" => Some(Value::Name(name.clone())),
        Value::Name(name) => Some(Value::Name(format!("{name}.{key}"))),
        Value::Map(entries) => {
            let entry = entries.iter().find(|(held, _)| held == key);
            entry.map(|(_, value)| value.clone())
        }
        _ => None,
    }
}
