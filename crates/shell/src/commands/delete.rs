//! Programs that delete what they are given.

use crate::effect::{Effect, Reach};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;

pub(crate) const NAMES: &[&str] = &[
    "rm",
    "rmdir",
    "unlink",
    "srm",
    "rimraf",
    "del-cli",
    "trash",
    "trash-put",
    "gio",
    "rip",
    "wipe",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec::default());
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let operands = match call.name.as_str() {
        // What goes to the bin can be brought back.
        "trash" | "trash-put" | "gio" | "rip" => return Stream::Nothing,
        _ => arguments.operands.clone(),
    };
    let reach = match call.name.as_str() {
        "rimraf" | "del-cli" | "wipe" => Reach::Trees,
        _ if arguments.has(&["r", "R", "--recursive"]) => Reach::Trees,
        _ => Reach::Entries,
    };
    // An option that is not known may be any: `rm $FLAGS /`.
    let reach = if call
        .words
        .iter()
        .any(|word| word.lead().is_empty() && word.has_hole())
        && operands.len() > 1
    {
        Reach::Trees
    } else {
        reach
    };
    let targets = runner.targets(&operands);
    for target in &targets {
        if let crate::target::Place::At(path) = &target.place {
            runner.state.files.remove(path);
        }
    }
    if !targets.is_empty() {
        runner.note(Effect::Delete { targets, reach }, call);
    }
    Stream::Nothing
}
