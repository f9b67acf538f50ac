//! One call of a program: its words, its variables and what it reads.

use super::Runner;
use crate::options::Options;
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
    pub(crate) fn options(&self, described: &'static str) -> Options {
        Options::read(&self.words, described)
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
