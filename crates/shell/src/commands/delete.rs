//! Programs that delete what they are given.

use crate::effect::{Effect, Reach};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::Place;
use crate::text::Text;

pub(crate) const PROGRAMS: &[Program] = &[
    program("rm rmdir unlink srm", "r|R|recursive help version", removed).idle("--help; --version"),
    program("rimraf del-cli wipe", "help version", trees).idle("--help; --version"),
    // What goes to the bin can be brought back.
    program("trash trash-put rip gvfs-trash rmtrash", "", binned),
    program("trash-empty", "f n|dry-run h|help version", emptied)
        .dry("--dry-run; --help; --version"),
    program("gio kioclient", "empty list f|force", by_verb),
    program("cmake", "+ E", cmake),
];

fn binned(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    runner.displace(&options.operands, "puts into the bin", call);
    Stream::Nothing
}

/// What was in the bin cannot be brought back any more.
fn emptied(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let what = "it empties the bin".to_owned();
    runner.note(Effect::System { what }, call);
    Stream::Nothing
}

/// `gio trash FILE`, `gio remove FILE`, `gio trash --empty`.
fn by_verb(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    const VERBS: [&str; 5] = ["trash", "move", "rename", "copy", "save"];
    if options.has("empty") {
        return emptied(runner, call, options);
    }
    if let [verb, files @ ..] = options.operands.as_slice()
        && verb.is("remove")
    {
        let targets = runner.targets(files);
        let reach = Reach::Entries;
        runner.note(Effect::Delete { targets, reach }, call);
    }
    if let [verb, files @ ..] = options.operands.as_slice()
        && VERBS.contains(&verb.lead())
    {
        runner.displace(files, "puts elsewhere", call);
    }
    Stream::Nothing
}

/// `cmake -E rm -rf FOLDER`: tools of every system under names of its own.
fn cmake(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let [verb, rest @ ..] = options.operands.as_slice() else {
        return Stream::Unknown(call.shown());
    };
    let tool: &[&str] = match verb.lead() {
        _ if !options.has("E") => &[],
        "rm" => &["rm"],
        "remove" => &["rm", "-f"],
        "remove_directory" => &["rm", "-rf"],
        "rename" => &["mv"],
        "copy" => &["cp"],
        "copy_directory" => &["cp", "-r"],
        "env" => &["env"],
        "time" => &["time"],
        _ => &[],
    };
    if !tool.is_empty() {
        let tool = tool.iter().map(|word| Text::plain(*word));
        let words: Vec<Text> = tool.chain(rest.iter().cloned()).collect();
        runner.run_words(&words, call);
    }
    Stream::Unknown(call.shown())
}

fn removed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    // An option that is not known may be any: `rm $FLAGS /`.
    let may_be_recursive = options.operands.len() > 1
        && call
            .words
            .iter()
            .any(|word| word.lead().is_empty() && word.has_hole());
    if options.has("recursive") || may_be_recursive {
        return trees(runner, call, options);
    }
    deleted(runner, call, options, Reach::Entries)
}

fn trees(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    deleted(runner, call, options, Reach::Trees)
}

fn deleted(runner: &mut Runner<'_>, call: &Call, options: &Options, reach: Reach) -> Stream {
    let targets = runner.targets(&options.operands);
    for target in &targets {
        if let Place::At(path) = &target.place {
            runner.state.files.remove(path);
        }
    }
    if !targets.is_empty() {
        runner.note(Effect::Delete { targets, reach }, call);
    }
    Stream::Nothing
}
