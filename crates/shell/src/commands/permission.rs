//! Programs that change who may do what with files.

use crate::effect::{Effect, Reach};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "chmod", "chown", "chgrp", "setfacl", "chattr", "chflags", "icacls", "takeown", "xattr",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    // A mode may begin with a dash: `chmod -w file`.
    let words: Vec<Text> = call
        .words
        .iter()
        .map(|word| match word.known() {
            Some(mode) if is_mode(mode) => Text::plain(format!("a{mode}")),
            _ => word.clone(),
        })
        .collect();
    let arguments = Call {
        words,
        ..call.clone()
    }
    .arguments(&Spec {
        letters: if call.name == "setfacl" { "mxMX" } else { "" },
        words: &["--reference", "--from", "--modify"],
        stops: false,
    });
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let mut operands = arguments.operands.clone();
    let what = match arguments.value(&["--reference", "m", "x", "--modify"]) {
        Some(value) => value.shown(),
        None if operands.is_empty() => return Stream::Nothing,
        None => operands.remove(0).shown(),
    };
    let reach = if arguments.has(&["R", "--recursive"]) {
        Reach::Trees
    } else {
        Reach::Entries
    };
    let targets = runner.targets(&operands);
    if !targets.is_empty() {
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

fn is_mode(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') && word[1..].chars().all(|c| "rwxXst".contains(c))
}
