//! Programs that change who may do what with files.

use crate::effect::{Effect, Reach};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const CHANGE: &str = "reference= from= R|recursive help version";

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "chmod chown chgrp chattr chflags icacls takeown xattr",
        CHANGE,
        changed,
    )
    .idle("--help; --version"),
    program(
        "setfacl",
        "m|x|s|modify|remove|set= M|X= R|recursive help version",
        noted,
    )
    .idle("--help; --version"),
];

fn changed(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    // A mode may begin with a dash: `chmod -w file`.
    let words: Vec<Text> = call
        .words
        .iter()
        .map(|word| match word.known() {
            Some(mode) if is_mode(mode) => Text::plain(format!("a{mode}")),
            _ => word.clone(),
        })
        .collect();
    noted(runner, call, &Options::read(&words, CHANGE))
}

fn noted(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let mut operands = options.operands.clone();
    let what = match options.value("reference").or(options.value("modify")) {
        Some(value) => value.shown(),
        None if operands.is_empty() => return Stream::Nothing,
        None => operands.remove(0).shown(),
    };
    let reach = if options.has("recursive") {
        Reach::Trees
    } else {
        Reach::Entries
    };
    let targets = runner.targets(&operands);
    if !targets.is_empty() {
        let effect = Effect::Permission {
            targets,
            reach,
            what,
        };
        runner.note(effect, call);
    }
    Stream::Nothing
}

fn is_mode(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') && word[1..].chars().all(|c| "rwxXst".contains(c))
}
