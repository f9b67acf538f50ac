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
        "m|x|s|modify|remove|set= M|X= R|recursive restore= b|remove-all k|remove-default test help version",
        listed,
    )
    .idle("--help; --version"),
];

/// `setfacl`: what is given stands in an option; a file of rights names any number of files.
fn listed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("restore") {
        let what = format!("`{}`: rights of every file that it names", call.shown());
        let targets = vec![runner.target(&Text::plain("/"))];
        let reach = Reach::Entries;
        runner.note(
            Effect::Permission {
                targets,
                reach,
                what,
            },
            call,
        );
        return Stream::Nothing;
    }
    let what = options
        .value("modify")
        .map_or_else(|| "what is left".to_owned(), Text::shown);
    // `other::rwx` is what `o+rwx` is.
    let open = what.split(',').find_map(|entry| {
        let rest = entry
            .strip_prefix("other")
            .or_else(|| entry.strip_prefix('o'))?;
        Some(format!("o={}", rest.trim_start_matches(':')))
    });
    let reach = if options.has("recursive") {
        Reach::Trees
    } else {
        Reach::Entries
    };
    let targets = runner.targets(&options.operands);
    if !targets.is_empty() {
        let what = open.unwrap_or(what);
        runner.note(
            Effect::Permission {
                targets,
                reach,
                what,
            },
            call,
        );
    }
    Stream::Nothing
}

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
