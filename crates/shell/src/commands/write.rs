//! Programs that write, cut or wipe files they are given: `tee`, `truncate`, `shred`, `dd`, `sed -i`.

mod edited;

use super::device;
use crate::effect::{Effect, How};
use crate::options::Options;
use crate::program::{Does, Program, nothing, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::Place;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program("tee sponge", "a|append", tee),
    program("truncate", "r|reference= s|size= o help version", truncated).idle("--help; --version"),
    program(
        "shred",
        "n|iterations= s|size= random-source= help version",
        shredded,
    )
    .idle("--help; --version"),
    program("dd", "", dd),
    program(
        "sed gsed",
        "i|in-place? e|expression= f|file= l|line-length= n|quiet|silent E|r|regexp-extended s z",
        sed,
    ),
    program("mkdir", "m|mode=", made),
    program("yq", "i|inplace|in-place", in_place),
    program("openssl", "-out=", unknown).does(&[Does::Writes(&["-out"])]),
    program("touch split", "", nothing),
];

fn tee(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let appends = options.has("append");
    let empties = matches!(&call.stdin, Stream::Text(text) if text.is_empty());
    for file in &options.operands {
        runner.empties = empties || (call.name == "tee" && runner.is_read(file));
        if let Some(path) = runner.wrote_of(file, appends, Some(&call.stdin)) {
            runner.keep_content(path, call.stdin.clone(), appends);
        }
    }
    call.stdin.clone()
}

fn truncated(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    // Growing a file loses nothing.
    let size = options.value("size").map(Text::lead).unwrap_or_default();
    if size.starts_with(['+', '>']) {
        return Stream::Nothing;
    }
    each(runner, call, options, How::Truncated)
}

fn shredded(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    each(runner, call, options, How::Shredded)
}

fn each(runner: &mut Runner<'_>, call: &Call, options: &Options, how: How) -> Stream {
    for file in &options.operands {
        let target = runner.target(file);
        if device::is_device(&target) {
            runner.note(
                Effect::Device {
                    device: target.shown,
                    how: call.name.clone(),
                },
                call,
            );
        } else {
            runner.note(Effect::Overwrite { target, how }, call);
        }
    }
    Stream::Nothing
}

/// `dd of=FILE`.
fn dd(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let value = |name: &str| call.words.iter().find_map(|word| word.strip_prefix(name));
    let Some(to) = value("of=") else {
        return match value("if=") {
            Some(from) => runner.read_from(&from),
            None => call.stdin.clone(),
        };
    };
    if to.known().is_some_and(crate::run::is_harmless_device) {
        return Stream::Nothing;
    }
    let target = runner.target(&to);
    let effect = if device::is_device(&target) {
        Effect::Device {
            device: target.shown,
            how: "dd".to_owned(),
        }
    } else {
        // Where it cannot be told, it may be a disk.
        let how = match target.place {
            Place::Unknown { .. } => How::Shredded,
            // Nothing, zeros or noise take the place of what was there.
            _ if value("if=").is_some_and(|from| from.lead().starts_with("/dev/")) => {
                How::Truncated
            }
            _ => How::Written,
        };
        Effect::Overwrite { target, how }
    };
    runner.note(effect, call);
    Stream::Nothing
}

fn sed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let is_given = options.has("expression") || options.has("file");
    let (script, files) = match options.operands.split_first() {
        Some((script, files)) if !is_given => (Some(script), files),
        _ => (None, &options.operands[..]),
    };
    for script in options.values("expression").chain(script) {
        executed(runner, &script.shown(), &call.stdin);
    }
    if !options.has("in-place") {
        let scripts = options.values("expression").chain(script).map(Text::shown);
        let scripts = scripts.collect::<Vec<String>>().join("\n");
        let text = match files {
            _ if options.has("file") => None,
            [] => Some(call.stdin.clone()),
            [only] => Some(runner.read_from(only)),
            _ => None,
        };
        let text = text.and_then(|stream| stream.text().known().map(str::to_owned));
        let text = text.and_then(|text| edited::edited(&scripts, options.has("quiet"), &text));
        return text.map_or_else(|| Stream::Unknown(call.shown()), Stream::plain);
    }
    let scripts = options.values("expression").chain(script).map(Text::shown);
    let scripts = scripts.collect::<Vec<String>>().join("\n");
    let clears = !options.has("file") && edited::clears(&scripts, options.has("quiet"));
    let how = if clears { How::Truncated } else { How::Edited };
    for file in files {
        let target = runner.target(file);
        runner.note(Effect::Overwrite { target, how }, call);
    }
    Stream::Nothing
}

/// `sed` runs commands too: `1e rm -rf /`, `s/a/rm x/e`.
fn executed(runner: &mut Runner<'_>, script: &str, input: &Stream) {
    for part in script.split([';', '\n']) {
        let command = part.trim_start_matches(|c: char| c.is_ascii_digit() || " ,$".contains(c));
        if let Some(command) = command.strip_prefix("e ") {
            runner.apart(|runner| runner.source(command, &Stream::Nothing));
        }
        let mut pieces = part.split('/');
        if pieces.next().is_some_and(|first| first.ends_with('s'))
            && let (Some(_), Some(to), Some(flags)) = (pieces.next(), pieces.next(), pieces.next())
            && flags.contains('e')
        {
            let to = to.to_owned();
            runner.apart(|runner| runner.source(&to, &Stream::Nothing));
            // What is left of the line runs too.
            let line = input.text();
            runner.apart(|runner| runner.source_text(&line, &Stream::Nothing));
        }
    }
}

/// `yq -i … FILE`.
fn in_place(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("inplace")
        && let Some(file) = options.operands.last()
    {
        runner.wrote(file, false);
    }
    Stream::Unknown(call.shown())
}

fn made(runner: &mut Runner<'_>, _: &Call, options: &Options) -> Stream {
    for operand in &options.operands {
        if let Some(path) = runner.path(operand) {
            runner.state.made.push(path);
        }
    }
    Stream::Nothing
}
