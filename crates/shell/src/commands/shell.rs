//! Shells: `bash -c`, `sh script`, and what is piped into one.

use crate::effect::{Code, Effect};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const SHELL: &str = "+ o= O= C= rcfile= init-file= init-command= c|command s help version";

/// The shells whose language is read.
pub(crate) const READ: Program =
    program("sh bash dash zsh ksh mksh ash rbash yash", SHELL, started).idle("--help; --version");

pub(super) const PROGRAMS: &[Program] = &[
    READ,
    program("fish nu xonsh elvish osh oils tcsh csh", SHELL, started).idle("--help; --version"),
    program("pwsh powershell", "", power),
    program("busybox toybox", "", applet),
    program(
        "coreutils",
        "+ coreutils-prog|coreutils-prog-shebang=",
        one_of_many,
    ),
];

/// `coreutils --coreutils-prog=rm FILE`; some builds take the name as the first word.
fn one_of_many(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let named = options.value("coreutils-prog").cloned();
    // What follows the name is for the program, its options too.
    let is_name = |word: &Text| word.lead().starts_with("--coreutils-prog");
    let at = call.words.iter().position(is_name);
    let split = |word: &Text| word.shown().contains('=');
    let rest = match at {
        Some(at) if split(&call.words[at]) => at + 1,
        Some(at) => at + 2,
        None => 0,
    };
    let rest = call.words.get(rest..).unwrap_or_default();
    let words: Vec<Text> = named.into_iter().chain(rest.iter().cloned()).collect();
    runner.run_words(&words, call)
}

fn applet(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    runner.run_words(&call.words, call)
}

fn started(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    // `+n` undoes `-n`, and the last one counts.
    let checks_only = call
        .words
        .iter()
        .rfind(|word| matches!(word.lead(), "-n" | "+n" | "-nc" | "-nv"))
        .is_some_and(|word| word.lead().starts_with('-'));
    if checks_only {
        return Stream::Nothing;
    }
    let operands = options.operands.as_slice();
    for (name, file) in &call.variables {
        if matches!(name.as_str(), "BASH_ENV" | "ENV") {
            script_file(runner, call, &file.clone(), &[]);
        }
        if name == "PROMPT_COMMAND" {
            runner.apart(|runner| runner.source_text(file, &Stream::Nothing));
        }
    }
    if options.has("command") {
        let value = options.value("command").cloned();
        let source = value.or_else(|| operands.first().cloned());
        return source.map_or(Stream::Nothing, |source| {
            given(runner, call, &source, operands.get(1..).unwrap_or_default())
        });
    }
    match operands.first() {
        Some(script) if !options.has("s") && !script.is("-") => {
            let scripts = runner.scripts(script);
            match scripts.split_first() {
                Some((script, more)) => {
                    let rest = [more, &operands[1..]].concat();
                    script_file(runner, call, script, &rest)
                }
                None => Stream::Unknown(call.shown()),
            }
        }
        _ => piped(runner, call, operands),
    }
}

/// `sh -c SOURCE NAME ARGUMENTS`.
fn given(runner: &mut Runner<'_>, call: &Call, source: &Text, rest: &[Text]) -> Stream {
    runner.apart(|runner| {
        runner.state.program = rest.first().cloned();
        runner.state.arguments = rest.get(1..).unwrap_or_default().to_vec();
        for (name, value) in &call.variables {
            runner.set(name, value.clone());
        }
        runner.source_text(source, &call.stdin)
    })
}

fn script_file(runner: &mut Runner<'_>, call: &Call, script: &Text, rest: &[Text]) -> Stream {
    let shown = format!("{} {}", call.name, script.shown());
    let Some(content) = runner.file_content(script) else {
        return Stream::Unknown(shown);
    };
    let call = Call {
        words: rest.to_vec(),
        ..call.clone()
    };
    runner.in_named(script, |runner| {
        runner.run_stream("sh", &shown, &content, &call)
    })
}

/// The source comes on the standard input.
fn piped(runner: &mut Runner<'_>, call: &Call, rest: &[Text]) -> Stream {
    let content = call.stdin.clone();
    let call = Call {
        words: rest.to_vec(),
        stdin: Stream::Nothing,
        ..call.clone()
    };
    runner.run_stream("sh", &call.name.clone(), &content, &call)
}

/// PowerShell's own language is read as far as its commands are a shell's; what it is given in code is not.
fn power(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let text = call.shown().to_lowercase();
    let input = match &call.stdin {
        Stream::Download(from) => Some(Code::Downloaded(from.clone())),
        Stream::Unknown(what) => Some(Code::Unknown(what.clone())),
        _ => None,
    };
    let destroys = [
        "-encodedcommand",
        "-enc ",
        "iex",
        "invoke-expression",
        "::delete(",
    ]
    .iter()
    .any(|word| text.contains(word));
    let at = call.words.iter().position(|word| {
        let lead = word.lead().to_ascii_lowercase();
        lead == "-c" || (lead.len() > 3 && "-command".starts_with(lead.as_str()))
    });
    if let Some(source) = at.and_then(|at| call.words.get(at + 1..)) {
        let source = super::wrapper::joined(source);
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
    if let Some(code) = input.or_else(|| destroys.then(|| Code::Unknown(call.shown()))) {
        runner.note(Effect::Run(code), call);
    }
    Stream::Unknown(call.shown())
}
