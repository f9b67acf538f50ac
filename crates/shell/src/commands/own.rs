//! bellwether itself: what only a person may tell it.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, nothing, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(crate) const PROGRAMS: &[Program] = &[
    program(
        "bellwether",
        "home= only= project= rate= reason= backend= at-login= wait managed force json status h|help version",
        told,
    )
    .idle("--help; --version"),
    program("bellwether-hook", "", nothing),
];

/// What a person says, and no agent.
const PERSONS: &[&[&str]] = &[
    &["guard", "allow"],
    &["config", "trust"],
    &["config", "key"],
    &["config", "set"],
    &["config", "unset"],
    &["config", "edit"],
    &["config", "confirm"],
    &["daemon", "stop"],
    &["uninstall"],
    &["mute"],
    &["purge"],
    &["open"],
    &["overlay"],
    &["workflow", "init"],
    &["workflow", "next"],
    &["workflow", "undo"],
    &["workflow", "archive"],
    &["workflow", "import"],
];

/// Saying a match rate names a feature; a phase behind it is the person's.
const RATE: usize = 3;

/// Words that only bellwether understands, whatever it is called.
pub(crate) const SAID: [&str; 2] = ["guard", "trust"];

/// Options with which an installation may leave entries out, or go elsewhere.
const PARTLY: [&str; 4] = ["only", "wait", "home", "managed"];

/// What of the overlay is anybody's: to look at it, and to have the desktop start it.
const HARMLESS: [&str; 2] = ["status", "at-login"];

fn told(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let operands: Vec<String> = options.operands.iter().map(Text::shown).collect();
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    let installs = words.first() == Some(&"install");
    let partly = installs && PARTLY.iter().any(|option| options.has(option));
    let harmless = words == ["overlay"] && HARMLESS.iter().any(|option| options.has(option));
    if (is_for_persons(&words) && !harmless) || partly {
        let what = format!("bellwether {}", words.join(" "));
        runner.note(Effect::Own { what }, call);
    }
    Stream::Unknown(call.shown())
}

fn is_for_persons(words: &[&str]) -> bool {
    let moves = words.starts_with(&["workflow", "set"]) && words.len() > RATE;
    let said = moves || PERSONS.iter().any(|said| words.starts_with(said));
    // What is not known may be any of these.
    said || words.first().is_some_and(|first| first.starts_with('$'))
}

/// Whether a program that is not known is told what only bellwether understands, and only a person may say.
pub(crate) fn is_meant(words: &[Text]) -> bool {
    let mut words = words.iter().filter(|word| !word.lead().starts_with('-'));
    let (first, second) = (words.next(), words.next());
    let said = |one: &str, other: &str| {
        first.is_some_and(|word| word.is(one)) && second.is_some_and(|word| word.is(other))
    };
    said("guard", "allow") || said("config", "trust")
}
