//! Options as programs read them: any order, short ones combined, long ones abbreviated, `--no-…`
//! undoing, all of it up to `--`.
//!
//! The options of a program are described in one text, with blanks between them: `f|force` has two names,
//! `e|exclude=` takes a value, `color?` takes one only where it is joined to it, `-out=` is a word with a
//! single dash, and `+` says that options end at the first operand. An option is asked for by its first
//! long name. An abbreviation that fits several is the first of them: a program would refuse it, so that
//! the dangerous one, which stands first, does no harm.

use crate::text::Text;

/// The words of a call, read as options and operands.
#[derive(Debug, Default)]
pub(crate) struct Options {
    set: Vec<Setting>,
    /// What is no option.
    pub(crate) operands: Vec<Text>,
    /// How many of the operands stand before `--`, when there is one.
    dashes: Option<usize>,
    /// Only help is asked for.
    pub(crate) help: bool,
}

#[derive(Debug)]
struct Setting {
    name: &'static str,
    on: bool,
    value: Option<Text>,
}

impl Options {
    /// Reads the words behind a program or a subcommand.
    pub(crate) fn read(words: &[Text], described: &'static str) -> Self {
        let known: Vec<Described> = described.split_whitespace().map(Described::of).collect();
        let stops = described.starts_with('+');
        let mut options = Self::default();
        let mut rest = words;
        while let Some((word, behind)) = rest.split_first() {
            rest = behind;
            if word.is("--") || word.is("--end-of-options") {
                options.dashes = Some(options.operands.len());
                break;
            }
            if let Some(body) = word.strip_prefix("--") {
                rest = options.long(&body, &known, rest);
            } else if word.lead().len() > 1 && word.lead().starts_with('-') {
                rest = options.short(word, &known, rest);
            } else {
                options.operands.push(word.clone());
                if stops {
                    break;
                }
            }
        }
        options.operands.extend_from_slice(rest);
        options
    }

    /// Whether an option is given, and not undone by a later one.
    pub(crate) fn has(&self, name: &str) -> bool {
        let last = self.set.iter().rev().find(|set| set.name == name);
        last.is_some_and(|set| set.on)
    }

    /// How often an option is given.
    pub(crate) fn count(&self, name: &str) -> usize {
        let given = self.set.iter().filter(|set| set.name == name && set.on);
        given.count()
    }

    /// The last value of an option.
    pub(crate) fn value<'a>(&'a self, name: &'a str) -> Option<&'a Text> {
        self.values(name).last()
    }

    /// Every value of an option.
    pub(crate) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Text> {
        let given = self
            .set
            .iter()
            .filter(move |set| set.name == name && set.on);
        given.filter_map(|set| set.value.as_ref())
    }

    /// The operands before `--`.
    pub(crate) fn before(&self) -> &[Text] {
        &self.operands[..self.dashes.unwrap_or(self.operands.len())]
    }

    /// The operands behind `--`, when there is one.
    pub(crate) fn after(&self) -> Option<&[Text]> {
        self.dashes.map(|dashes| &self.operands[dashes..])
    }

    fn long<'a>(&mut self, body: &Text, known: &[Described], rest: &'a [Text]) -> &'a [Text] {
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
        // `--dry-run=false` undoes it.
        let is_off = option.takes != Takes::Value
            && value
                .as_ref()
                .is_some_and(|value| ["false", "none", "no"].iter().any(|off| value.is(off)));
        let on = on != is_off;
        let (value, rest) = match (option.takes, value) {
            (Takes::Value, None) if on => taken(rest),
            (_, value) => (value, rest),
        };
        self.add(option, on, value);
        rest
    }

    fn short<'a>(&mut self, word: &Text, known: &[Described], rest: &'a [Text]) -> &'a [Text] {
        let lead = word.lead();
        let bare = lead.split('=').next().unwrap_or(lead);
        if let Some(option) = known.iter().find(|option| option.has_word(bare)) {
            let joined = word.split_once('=').map(|(_, value)| value);
            return self.give(option, joined, rest);
        }
        for (at, letter) in lead.char_indices().skip(1) {
            let Some(option) = known.iter().find(|option| option.has_letter(letter)) else {
                self.help |= letter == 'h';
                continue;
            };
            if option.takes != Takes::Nothing {
                let joined = word
                    .strip_prefix(&lead[..at + letter.len_utf8()])
                    .filter(|joined| !joined.is_empty());
                return self.give(option, joined, rest);
            }
            self.add(option, true, None);
        }
        rest
    }

    /// Adds an option that may take a value; what is left of the words.
    fn give<'a>(
        &mut self,
        option: &Described,
        joined: Option<Text>,
        rest: &'a [Text],
    ) -> &'a [Text] {
        let (value, rest) = match (joined, option.takes) {
            (None, Takes::Value) => taken(rest),
            (joined, _) => (joined, rest),
        };
        self.add(option, true, value);
        rest
    }

    fn add(&mut self, option: &Described, on: bool, value: Option<Text>) {
        let name = option.name();
        self.set.push(Setting { name, on, value });
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
    /// A value that is joined to it.
    Joined,
    Value,
}

/// One option that a program knows.
struct Described {
    names: &'static str,
    takes: Takes,
}

impl Described {
    fn of(described: &'static str) -> Self {
        let (names, takes) = match (described.strip_suffix('='), described.strip_suffix('?')) {
            (Some(names), _) => (names, Takes::Value),
            (_, Some(names)) => (names, Takes::Joined),
            _ => (described, Takes::Nothing),
        };
        Self { names, takes }
    }

    fn all(&self) -> impl Iterator<Item = &'static str> {
        self.names.split('|')
    }

    /// The name by which it is asked for.
    fn name(&self) -> &'static str {
        let long = self.all().find(|name| name.len() > 1);
        long.or_else(|| self.all().next()).unwrap_or_default()
    }

    fn has_letter(&self, letter: char) -> bool {
        self.all().any(|name| name.chars().eq([letter]))
    }

    fn has_word(&self, word: &str) -> bool {
        word.len() > 2 && self.all().any(|name| name == word)
    }

    fn longs(&self) -> impl Iterator<Item = &'static str> {
        self.all()
            .filter(|name| name.len() > 1 && !name.starts_with('-'))
    }
}

/// The option that a long name stands for, and whether it is set or undone.
fn find<'a>(name: &str, known: &'a [Described]) -> Option<(&'a Described, bool)> {
    if name.is_empty() {
        return None;
    }
    let set = |fits: &dyn Fn(&str) -> bool| {
        let option = known.iter().find(|option| option.longs().any(fits));
        option.map(|option| (option, true))
    };
    let undone = |fits: &dyn Fn(&str) -> bool| {
        let fits = |long: &str| fits(&negated(long));
        let option = known.iter().find(|option| option.longs().any(fits));
        option.map(|option| (option, false))
    };
    set(&|long| long == name)
        .or_else(|| undone(&|long| long == name))
        .or_else(|| set(&|long| long.starts_with(name)))
        .or_else(|| undone(&|long| long.starts_with(name)))
}

/// The name that undoes a long one.
fn negated(long: &str) -> String {
    match long.strip_prefix("no-") {
        Some(positive) => positive.to_owned(),
        None => format!("no-{long}"),
    }
}

/// The names by which the options of a description can be asked for.
#[cfg(test)]
pub(crate) fn names(described: &'static str) -> Vec<&'static str> {
    let known = described.split_whitespace().map(Described::of);
    known.map(|option| option.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, described: &'static str) -> Options {
        let words: Vec<Text> = line.split(' ').map(Text::plain).collect();
        Options::read(&words, described)
    }

    fn operands(options: &Options) -> String {
        let shown: Vec<String> = options.operands.iter().map(Text::shown).collect();
        shown.join(" ")
    }

    #[test]
    fn every_way_of_giving_an_option_is_read() {
        const DESCRIBED: &str = "r|R|recursive o|output= color? -out= x";
        for (line, name, value, rest) in [
            ("-r a", "recursive", None, "a"),
            ("-xR a", "recursive", None, "a"),
            ("--recursive a", "recursive", None, "a"),
            ("--rec a", "recursive", None, "a"),
            ("-o f a", "output", Some("f"), "a"),
            ("-xof a", "output", Some("f"), "a"),
            ("--output f a", "output", Some("f"), "a"),
            ("--out=f a", "output", Some("f"), "a"),
            ("--color a", "color", None, "a"),
            ("--color=f a", "color", Some("f"), "a"),
            ("-out f a", "-out", Some("f"), "a"),
            ("a -- -r", "", None, "a -r"),
            ("a - -z", "", None, "a -"),
        ] {
            let options = read(line, DESCRIBED);
            assert_eq!(options.has(name), !name.is_empty(), "{line}");
            let given = options.value(name).map(Text::shown);
            assert_eq!(given.as_deref(), value, "{line}");
            assert_eq!(operands(&options), rest, "{line}");
        }
    }

    #[test]
    fn a_plus_ends_options_at_the_first_operand() {
        let options = read("-u ann rm -r --user -- x", "+ u|user= r");
        assert_eq!(operands(&options), "rm -r --user -- x");
        assert!(!options.has("r"));
        assert_eq!(operands(&read("-r -- rm", "+ r")), "rm");
    }

    #[test]
    fn a_later_option_undoes_an_earlier_one() {
        assert!(!read("--force --no-force", "f|force").has("force"));
        assert!(read("--no-force -f", "f|force").has("force"));
        assert!(!read("--verify", "no-verify").has("no-verify"));
        assert!(!read("--force=false", "f|force").has("force"));
        assert!(!read("--dry-run=none", "dry-run?").has("dry-run"));
        assert!(read("--dry-run=client", "dry-run?").has("dry-run"));
        assert_eq!(read("-f -ff", "f|force").count("force"), 3);
    }

    #[test]
    fn operands_are_split_at_the_dashes() {
        let options = read("a -- b -c", "c");
        assert_eq!(
            (options.before().len(), options.after().map(<[_]>::len)),
            (1, Some(2))
        );
        assert_eq!(read("a", "").after(), None);
    }
}
