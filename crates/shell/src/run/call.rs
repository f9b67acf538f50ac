//! One call of a program: its words, its variables and what it reads; and the reading of options.

use super::Runner;
use crate::stream::Stream;
use crate::text::Text;

/// A program that is called.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Its name, without the folder it is in.
    pub name: String,
    pub words: Vec<Text>,
    /// Variables that are set for it alone.
    pub variables: Vec<(String, Text)>,
    pub stdin: Stream,
}

/// Something that an effect came of, put into words only when that is needed.
pub(crate) trait Shown {
    fn shown(&self) -> String;
}

impl Shown for str {
    fn shown(&self) -> String {
        self.to_owned()
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        self.clone()
    }
}

impl Shown for Call {
    fn shown(&self) -> String {
        self.shown()
    }
}

/// Where a call that is shown is cut.
const LONGEST_SHOWN: usize = 2000;

impl Call {
    /// The whole call as it is shown.
    pub(crate) fn shown(&self) -> String {
        let mut shown = self.name.clone();
        for word in &self.words {
            if shown.len() > LONGEST_SHOWN {
                shown.push_str(" …");
                break;
            }
            shown.push(' ');
            shown.push_str(&quoted(&word.shown()));
        }
        shown
    }

    /// The words read as options and operands.
    pub(crate) fn arguments(&self, spec: &Spec) -> Arguments {
        Arguments::read(&self.words, spec)
    }
}

/// A word as it can be typed.
pub(crate) fn quoted(word: &str) -> String {
    let plain =
        |character: char| character.is_alphanumeric() || "-_./=:,@%+~*?[]{}$^!".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Which options of a program take a value.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spec {
    /// Letters that take one: `-o FILE`, `-oFILE`.
    pub letters: &'static str,
    /// Words that take one in the next word: `--output FILE`. `--output=FILE` needs no mention.
    pub words: &'static [&'static str],
    /// Options end at the first operand: `sudo -u ann rm -rf /`.
    pub stops: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    /// Each option with its value: letters alone, words with their dashes.
    pub options: Vec<(String, Option<Text>)>,
    pub operands: Vec<Text>,
}

impl Arguments {
    pub(crate) fn read(words: &[Text], spec: &Spec) -> Self {
        let mut read = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let lead = word.lead();
            if word.is("--") {
                break;
            } else if lead.starts_with("--") {
                read.long(word, &mut words, spec);
            } else if lead.len() > 1 && lead.starts_with('-') {
                read.short(word, &mut words, spec);
            } else {
                read.operands.push(word.clone());
                if spec.stops {
                    break;
                }
            }
        }
        read.operands.extend(words.cloned());
        read
    }

    fn long<'a>(&mut self, word: &Text, rest: &mut impl Iterator<Item = &'a Text>, spec: &Spec) {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value)),
            None => (word.shown(), None),
        };
        let value = match value {
            None if spec.words.contains(&name.as_str()) => rest.next().cloned(),
            value => value,
        };
        self.options.push((name, value));
    }

    fn short<'a>(&mut self, word: &Text, rest: &mut impl Iterator<Item = &'a Text>, spec: &Spec) {
        let lead = word.lead().to_owned();
        for (at, letter) in lead.char_indices().skip(1) {
            if spec.letters.contains(letter) {
                let after = word
                    .strip_prefix(&lead[..at + letter.len_utf8()])
                    .filter(|after| !after.is_empty());
                let value = after.or_else(|| rest.next().cloned());
                self.options.push((letter.to_string(), value));
                return;
            }
            self.options.push((letter.to_string(), None));
        }
    }

    /// Whether one of these options is there. Words match in full or as git and GNU shorten them: from
    /// three letters on.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.find(names).is_some()
    }

    /// The value of the last of these options.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Text> {
        self.options
            .iter()
            .rev()
            .find(|(option, _)| names.iter().any(|name| is_option(option, name)))
            .and_then(|(_, value)| value.as_ref())
    }

    /// All values of these options.
    pub(crate) fn values(&self, names: &[&str]) -> Vec<&Text> {
        self.options
            .iter()
            .filter(|(option, _)| names.iter().any(|name| is_option(option, name)))
            .filter_map(|(_, value)| value.as_ref())
            .collect()
    }

    fn find(&self, names: &[&str]) -> Option<&(String, Option<Text>)> {
        self.options
            .iter()
            .find(|(option, _)| names.iter().any(|name| is_option(option, name)))
    }
}

fn is_option(option: &str, name: &str) -> bool {
    option == name || (name.starts_with("--") && option.len() >= 5 && name.starts_with(option))
}

impl Runner<'_> {
    /// Runs a program of another kind with some of this one's words: what a wrapper does.
    pub(crate) fn run_words(&mut self, words: &[Text], call: &Call) -> Stream {
        self.run_words_with(words, call.variables.clone(), call.stdin.clone())
    }

    pub(crate) fn run_words_with(
        &mut self,
        words: &[Text],
        variables: Vec<(String, Text)>,
        stdin: Stream,
    ) -> Stream {
        if words.is_empty() || !self.deeper() {
            return Stream::Nothing;
        }
        let out = self.called(words, variables, stdin);
        self.depth -= 1;
        out
    }
}

/// The last part of a program's path: nothing of `rm/`, which is no program.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
