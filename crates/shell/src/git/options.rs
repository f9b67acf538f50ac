//! Options as git reads them: any order, short ones combined, long ones abbreviated, `--no-…`
//! undoing, all of it up to `--`.
//!
//! An option is described as `f|force`, `e|exclude=` (takes a value) or `recurse-submodules?` (takes
//! one only behind `=`). An abbreviation that fits several is the first of them: git would refuse
//! it, so that the dangerous one, which stands first, does no harm.

use crate::text::Text;

/// The options of a command, which its description names.
pub(super) type Spec = &'static [&'static str];

/// What stands behind a subcommand.
#[derive(Debug, Default)]
pub(super) struct Options {
    found: Vec<Found>,
    /// What is no option, before `--`.
    pub(super) operands: Vec<Text>,
    /// What stands behind `--`, when there is one.
    pub(super) after: Option<Vec<Text>>,
    /// Only help is asked for.
    pub(super) help: bool,
}

#[derive(Debug)]
struct Found {
    name: &'static str,
    on: bool,
    value: Option<Text>,
}

impl Options {
    /// Whether an option is given, and not undone by a later one.
    pub(super) fn has(&self, name: &str) -> bool {
        self.found
            .iter()
            .rev()
            .find(|found| found.name == name)
            .is_some_and(|found| found.on)
    }

    /// How often an option is given.
    pub(super) fn count(&self, name: &str) -> usize {
        self.found
            .iter()
            .filter(|found| found.name == name && found.on)
            .count()
    }

    /// The last value of an option.
    pub(super) fn value<'a>(&'a self, name: &'a str) -> Option<&'a Text> {
        self.values(name).last()
    }

    /// Every value of an option.
    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Text> {
        self.found
            .iter()
            .filter(move |found| found.name == name && found.on)
            .filter_map(|found| found.value.as_ref())
    }

    /// The operands before and behind `--`.
    pub(super) fn all(&self) -> Vec<Text> {
        self.operands
            .iter()
            .chain(self.after.iter().flatten())
            .cloned()
            .collect()
    }
}

/// Reads the words behind a subcommand.
pub(super) fn read(words: &[Text], spec: Spec) -> Options {
    let known: Vec<Known> = spec.iter().copied().map(Known::of).collect();
    let mut options = Options::default();
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        rest = behind;
        if word.is("--") || word.is("--end-of-options") {
            options.after = Some(behind.to_vec());
            break;
        }
        if let Some(body) = word.strip_prefix("--") {
            rest = options.long(&body, &known, rest);
        } else if word.lead().len() > 1 && word.lead().starts_with('-') {
            rest = options.cluster(word, &known, rest);
        } else {
            options.operands.push(word.clone());
        }
    }
    options
}

impl Options {
    fn long<'a>(&mut self, body: &Text, known: &[Known], rest: &'a [Text]) -> &'a [Text] {
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (body.known().unwrap_or_default(), None),
        };
        if name == "help" || name == "help-all" {
            self.help = true;
        }
        let Some((option, on)) = find(name, known) else {
            return rest;
        };
        let (value, rest) = match (option.takes, value) {
            (Takes::Value, None) if on => taken(rest),
            (_, value) => (value, rest),
        };
        self.add(option, on, value);
        rest
    }

    fn cluster<'a>(&mut self, word: &Text, known: &[Known], rest: &'a [Text]) -> &'a [Text] {
        let lead = word.lead();
        for (at, letter) in lead.char_indices().skip(1) {
            let Some(option) = known.iter().find(|option| option.short == Some(letter)) else {
                self.help |= letter == 'h';
                continue;
            };
            let behind = word
                .strip_prefix(&lead[..at + letter.len_utf8()])
                .filter(|behind| !behind.is_empty());
            match option.takes {
                Takes::Nothing => self.add(option, true, None),
                Takes::Maybe => {
                    self.add(option, true, behind);
                    return rest;
                }
                Takes::Value => {
                    let (value, rest) = match behind {
                        Some(value) => (Some(value), rest),
                        None => taken(rest),
                    };
                    self.add(option, true, value);
                    return rest;
                }
            }
        }
        rest
    }

    fn add(&mut self, option: &Known, on: bool, value: Option<Text>) {
        self.found.push(Found {
            name: option.name,
            on,
            value,
        });
    }
}

fn taken(rest: &[Text]) -> (Option<Text>, &[Text]) {
    match rest.split_first() {
        Some((value, rest)) => (Some(value.clone()), rest),
        None => (None, rest),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Maybe,
    Value,
}

/// One option that a command knows.
struct Known {
    name: &'static str,
    short: Option<char>,
    long: Option<&'static str>,
    takes: Takes,
}

impl Known {
    fn of(described: &'static str) -> Self {
        let (names, takes) = match (described.strip_suffix('='), described.strip_suffix('?')) {
            (Some(names), _) => (names, Takes::Value),
            (_, Some(names)) => (names, Takes::Maybe),
            _ => (described, Takes::Nothing),
        };
        let (short, long) = match names.split_once('|') {
            Some((short, long)) => (short.chars().next(), Some(long)),
            None if names.len() == 1 => (names.chars().next(), None),
            None => (None, Some(names)),
        };
        Self {
            name: long.unwrap_or(names),
            short,
            long,
            takes,
        }
    }

    /// Its long name and the one that undoes it.
    fn negated(&self) -> Option<String> {
        self.long.map(|long| match long.strip_prefix("no-") {
            Some(positive) => positive.to_owned(),
            None => format!("no-{long}"),
        })
    }
}

/// The option that a long name stands for, and whether it is set or undone.
fn find<'a>(name: &str, known: &'a [Known]) -> Option<(&'a Known, bool)> {
    if name.is_empty() {
        return None;
    }
    let set = |fits: &dyn Fn(&str) -> bool| {
        known
            .iter()
            .find(|option| option.long.is_some_and(fits))
            .map(|option| (option, true))
    };
    let undone = |fits: &dyn Fn(&str) -> bool| {
        known
            .iter()
            .find(|option| option.negated().is_some_and(|long| fits(&long)))
            .map(|option| (option, false))
    };
    set(&|long| long == name)
        .or_else(|| undone(&|long| long == name))
        .or_else(|| set(&|long| long.starts_with(name)))
        .or_else(|| undone(&|long| long.starts_with(name)))
}
