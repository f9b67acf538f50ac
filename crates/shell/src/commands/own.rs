//! bellwether itself: what only a person may tell it.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, nothing, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(crate) const PROGRAMS: &[Program] = &[
    program("bellwether", "home= h|help version", told).idle("--help; --version"),
    program("bellwether-hook", "", nothing),
];

fn told(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let operands: Vec<String> = options.operands.iter().map(Text::shown).collect();
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    if is_for_persons(&words) {
        let what = format!("bellwether {}", words.join(" "));
        runner.note(Effect::Own { what }, call);
    }
    Stream::Unknown(call.shown())
}

fn is_for_persons(words: &[&str]) -> bool {
    match words {
        ["guard", "allow", ..]
        | ["config", "trust" | "key" | "set" | "confirm", ..]
        | ["daemon", "stop", ..]
        | ["uninstall" | "mute" | "purge" | "open", ..] => true,
        // What is not known may be any of these.
        [first, ..] => first.starts_with('$'),
        [] => false,
    }
}
