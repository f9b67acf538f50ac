//! Programs that write, cut or wipe files they are given: `tee`, `truncate`, `shred`, `dd`, `sed -i`.

use super::device;
use crate::effect::{Effect, How};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::target::Place;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "tee", "sponge", "truncate", "shred", "dd", "sed", "gsed", "ed", "ex", "patch", "touch",
    "split", "mkdir",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "tee" | "sponge" => tee(runner, call),
        "dd" => dd(runner, call),
        "sed" | "gsed" => sed(runner, call),
        "truncate" => each(runner, call, "rso", How::Truncated),
        "shred" => each(runner, call, "ns", How::Shredded),
        "ed" | "ex" => editor(runner, call),
        "mkdir" => made(runner, call),
        "patch" => patched(runner, call),
        "yq" | "openssl" => given_out(runner, call),
        _ => Stream::Nothing,
    }
}

fn tee(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec::default());
    let appends = arguments.has(&["a", "--append"]);
    let empties = matches!(&call.stdin, Stream::Text(text) if text.is_empty());
    for file in &arguments.operands {
        runner.empties = empties;
        if let Some(path) = runner.wrote(file, appends) {
            runner.keep_content(path, call.stdin.clone(), appends);
        }
    }
    call.stdin.clone()
}

fn each(runner: &mut Runner<'_>, call: &Call, letters: &'static str, how: How) -> Stream {
    let arguments = call.arguments(&Spec {
        letters,
        words: &["--size", "--reference", "--iterations", "--random-source"],
        stops: false,
    });
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    // Growing a file loses nothing.
    let grows = arguments
        .value(&["s", "--size"])
        .is_some_and(|size| size.lead().starts_with(['+', '>']));
    if how == How::Truncated && grows {
        return Stream::Nothing;
    }
    for file in &arguments.operands {
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
fn dd(runner: &mut Runner<'_>, call: &Call) -> Stream {
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
            _ if value("if=").is_some_and(|from| from.is("/dev/null")) => How::Truncated,
            _ => How::Written,
        };
        Effect::Overwrite { target, how }
    };
    runner.note(effect, call);
    Stream::Nothing
}

fn sed(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "efl",
        words: &["--expression", "--file", "--line-length"],
        stops: false,
    });
    let in_place = arguments
        .options
        .iter()
        .any(|(option, _)| option == "i" || option.starts_with("--in-place"))
        // `-i.bak` reads as letters here.
        || call.words.iter().any(|word| word.lead().starts_with("-i"));
    let given = arguments.values(&["e", "--expression"]);
    let scripts: Vec<Text> = if given.is_empty() && !arguments.has(&["f", "--file"]) {
        arguments.operands.first().cloned().into_iter().collect()
    } else {
        given.into_iter().cloned().collect()
    };
    let files =
        &arguments.operands[usize::from(!arguments.has(&["e", "f", "--expression", "--file"]))
            .min(arguments.operands.len())..];
    for script in &scripts {
        executed(runner, &script.shown(), &call.stdin);
    }
    if in_place {
        for file in files {
            let target = runner.target(file);
            runner.note(
                Effect::Overwrite {
                    target,
                    how: How::Edited,
                },
                call,
            );
        }
        return Stream::Nothing;
    }
    Stream::Unknown(call.shown())
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

/// Line editors run a line that begins with `!`.
fn editor(runner: &mut Runner<'_>, call: &Call) -> Stream {
    for file in call
        .words
        .iter()
        .filter(|word| !word.lead().starts_with('-'))
    {
        let target = runner.written(file);
        runner.note(
            Effect::Overwrite {
                target,
                how: How::Edited,
            },
            call,
        );
    }
    for line in call.stdin.text().lines() {
        if let Some(command) = line.strip_prefix("!") {
            runner.apart(|runner| runner.source_text(&command, &Stream::Nothing));
        }
    }
    super::editor::run(runner, call)
}

/// `yq -i … FILE`, `openssl … -out FILE`.
fn given_out(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let in_place = |word: &&Text| matches!(word.lead(), "-i" | "--inplace");
    let out = if call.name == "yq" {
        let edits = call.words.iter().find(in_place);
        edits.and(call.words.last()).cloned()
    } else {
        let mut words = call.words.iter().skip_while(|word| !word.is("-out"));
        words.nth(1).cloned()
    };
    if let Some(file) = out {
        runner.wrote(&file, false);
    }
    Stream::Unknown(call.shown())
}

/// `patch FILE < DIFF`.
fn patched(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "pioBdDFgrVxYz",
        words: &["--input", "--strip", "--output", "--directory"],
        stops: false,
    });
    if let Some(file) = arguments.operands.first()
        && !arguments.has(&["--dry-run"])
    {
        let target = runner.written(file);
        runner.note(
            Effect::Overwrite {
                target,
                how: How::Edited,
            },
            call,
        );
    }
    Stream::Nothing
}

fn made(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let operands = call
        .arguments(&Spec {
            letters: "m",
            words: &["--mode"],
            stops: false,
        })
        .operands;
    for operand in &operands {
        if let Some(path) = runner.path(operand) {
            runner.state.made.push(path);
        }
    }
    Stream::Nothing
}
