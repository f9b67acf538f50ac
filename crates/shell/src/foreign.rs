//! What source code of other languages does to files and gives to shells: `python -c`, `node -e`,
//! `perl -e` and whole scripts.
//!
//! The code is read, not run. What stands in a function, a class or a branch counts, whether or not
//! anything would call it. Arguments are worked out as far as they are written down; the rest is a hole
//! that shows the source it stands for. An environment variable is a hole shown as `$NAME`.
//!
//! Paths and words of an argument list that begin with the home folder begin with `~`, which the
//! caller expands; a tilde that the language would not expand is given as `./~`.

mod act;
mod bind;
mod call;
mod code;
mod deed;
mod emit;
mod give;
mod heredoc;
mod import;
mod language;
mod lex;
mod parse;
mod quote;
mod statement;
mod table;
#[cfg(test)]
mod tests;
mod token;
mod unsaid;
mod value;

pub use deed::{Deed, Told};
pub use language::Language;
pub(crate) use unsaid::{is_made_anew, with_topic};

use crate::text::Text;

/// The most deeds that are told of one source; a [`Deed::Run`] at the end stands for those left out.
pub const MOST_DEEDS: usize = 256;
/// How deeply code in code is read: `exec("exec('…')")`.
const DEEPEST_CODE: usize = 4;

/// Words without which a source has no functions of its own.
const FUNCTIONS: &[&str] = &["def", "function", "sub", "=>", "fn"];

/// What a source does that is given these arguments, in the order in which it is written. Once the time is up, a
/// [`Deed::Run`] stands for what was not read.
pub fn read(
    language: Language,
    source: &str,
    given: &[Text],
    is_late: &dyn Fn() -> bool,
) -> Vec<Told> {
    read_within(language, source, given, 0, is_late)
}

fn read_within(
    language: Language,
    source: &str,
    given: &[Text],
    depth: usize,
    is_late: &dyn Fn() -> bool,
) -> Vec<Told> {
    if depth >= DEEPEST_CODE || u32::try_from(source.len()).is_err() {
        let deed = Deed::unread(source);
        return vec![Told { deed, sure: false }];
    }
    let tokens = lex::tokens(language, source);
    let begin = || parse::Reader::new(language, source, &tokens, given, depth, is_late);
    let mut reader = begin();
    // Only a function is read before the calls that say what it is called with.
    if FUNCTIONS.iter().any(|word| source.contains(word)) {
        reader = reader.knowing(begin().look());
    }
    reader.deeds()
}
