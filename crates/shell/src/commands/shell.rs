//! Shells: `bash -c`, `sh script`, and what is piped into one.

use crate::effect::{Code, Effect};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "ash",
    "rbash",
    "yash",
    "fish",
    "pwsh",
    "powershell",
    "busybox",
    "toybox",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "busybox" | "toybox" => return runner.run_words(&call.words, call),
        "pwsh" | "powershell" => return power(runner, call),
        _ => {}
    }
    // `+n` undoes `-n`, and the last one counts.
    let checks_only = call
        .words
        .iter()
        .rfind(|word| matches!(word.lead(), "-n" | "+n" | "-nc" | "-nv"))
        .is_some_and(|word| word.lead().starts_with('-'));
    if checks_only {
        return Stream::Nothing;
    }
    let spec = Spec {
        letters: "oOC",
        words: &["--rcfile", "--init-file", "--init-command"],
        stops: true,
    };
    let arguments = call.arguments(&spec);
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let operands = arguments.operands.as_slice();
    for (name, file) in &call.variables {
        if matches!(name.as_str(), "BASH_ENV" | "ENV") {
            script_file(runner, call, &file.clone(), &[]);
        }
    }
    if arguments.has(&["c", "--command"]) {
        let value = arguments.value(&["--command"]).cloned();
        let source = value.or_else(|| operands.first().cloned());
        return source.map_or(Stream::Nothing, |source| {
            given(runner, call, &source, operands.get(1..).unwrap_or_default())
        });
    }
    match operands.first() {
        Some(script) if !arguments.has(&["s"]) && !script.is("-") => {
            script_file(runner, call, script, &operands[1..])
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
    runner.run_stream("sh", &shown, &content, &call)
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

/// PowerShell is not read; what deletes recursively in it is recognised by its words.
fn power(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let text = call.shown().to_lowercase();
    let input = match &call.stdin {
        Stream::Download(from) => Some(Code::Downloaded(from.clone())),
        Stream::Unknown(what) => Some(Code::Unknown(what.clone())),
        _ => None,
    };
    let destroys = [
        "remove-item",
        "format-volume",
        "clear-disk",
        "-encodedcommand",
        "iex",
        "invoke-expression",
    ]
    .iter()
    .any(|word| text.contains(word));
    if let Some(code) = input.or_else(|| destroys.then(|| Code::Unknown(call.shown()))) {
        runner.note(Effect::Run(code), call);
    }
    Stream::Unknown(call.shown())
}
