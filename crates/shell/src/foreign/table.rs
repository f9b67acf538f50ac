//! Which functions do something, and which give something: one row each, by language.
//!
//! A method of a path object is listed as `Path#method`, of any other value as `#method`; what it is
//! taken from is its first argument. A template literal's tag ends in a backtick.

mod awk;
mod javascript;
mod lua;
mod perl;
mod php;
mod python;
mod ruby;

use super::Language;
use super::act::Verb;
use super::give::Give;

#[derive(Debug, Clone, Copy)]
pub(super) enum Row {
    /// It does something to the world.
    Do(Verb),
    /// It gives a value, and does nothing.
    Give(Give),
}

type Acts = &'static [(&'static str, Verb)];
type Gives = &'static [(&'static str, Give)];

fn tables(language: Language) -> (Acts, Gives) {
    match language {
        Language::Python => (python::ACTS, python::GIVES),
        Language::JavaScript => (javascript::ACTS, javascript::GIVES),
        Language::Perl => (perl::ACTS, perl::GIVES),
        Language::Ruby => (ruby::ACTS, ruby::GIVES),
        Language::Php => (php::ACTS, php::GIVES),
        Language::Awk => (awk::ACTS, &[]),
        Language::Lua => (lua::ACTS, lua::GIVES),
    }
}

/// What a function of a language is, when it is listed.
pub(super) fn row(language: Language, name: &str) -> Option<Row> {
    let (acts, gives) = tables(language);
    // PHP's functions have no case.
    let lower = (language == Language::Php).then(|| name.to_ascii_lowercase());
    let name = lower.as_deref().unwrap_or(name);
    let act = acts.iter().find(|(listed, _)| *listed == name);
    act.map(|(_, act)| Row::Do(*act)).or_else(|| {
        let give = gives.iter().find(|(listed, _)| *listed == name);
        give.map(|(_, give)| Row::Give(*give))
    })
}

/// The names of all listed functions of a language.
pub(super) fn names(language: Language) -> impl Iterator<Item = &'static str> {
    let (acts, gives) = tables(language);
    let acts = acts.iter().map(|(name, _)| *name);
    acts.chain(gives.iter().map(|(name, _)| *name))
}
