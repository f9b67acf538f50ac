//! Archivers: they overwrite what they unpack, and some run commands on the way.

use crate::effect::{Effect, Reach};
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "tar gtar bsdtar",
        "I|F|use-compress-program|to-command|info-script|new-volume-script|rsh-command= \
         checkpoint-action= f|C|T|X|b|g|H|K|L|N|V|file|directory= remove-files",
        tar,
    )
    .does(&[Does::Runs(&["use-compress-program"])]),
    program(
        "zip",
        "I|unzip-command|-TT= f|C|F|T|X|b|g|H|K|L|N|V= m|move",
        zip,
    )
    .does(&[Does::Runs(&["unzip-command"])]),
    program(
        "7z cpio",
        "I|rsh-command= f|C|F|T|X|b|g|H|K|L|N|V|file|directory= remove-files",
        tar,
    )
    .does(&[Does::Runs(&["rsh-command"])]),
];

fn tar(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    for action in options.values("checkpoint-action") {
        let source = action
            .strip_prefix("exec=")
            .unwrap_or_else(|| action.clone());
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
    if options.has("remove-files") {
        removed(runner, call, &options.operands);
    }
    Stream::Unknown(call.shown())
}

fn zip(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("move") {
        removed(runner, call, options.operands.get(1..).unwrap_or_default());
    }
    Stream::Unknown(call.shown())
}

/// What was packed goes.
fn removed(runner: &mut Runner<'_>, call: &Call, operands: &[Text]) {
    let targets = runner.targets(operands);
    let reach = Reach::Trees;
    runner.note(Effect::Delete { targets, reach }, call);
}
