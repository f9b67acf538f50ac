//! Editors and pagers that run commands: `vim -c '!rm …'`, `emacs --eval`.

use crate::effect::How;
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const EDITOR: &str = "c|cmd= S= u= eval|execute= load=";

pub(super) const PROGRAMS: &[Program] = &[
    program("vim vi nvim view gvim vimdiff emacs", EDITOR, edited),
    program("less man", "P|pager= c|cmd=", edited).does(&[Does::Runs(&["pager"])]),
    program("ed ex", EDITOR, by_line),
];

fn edited(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let plus = call.words.iter().filter_map(|word| word.strip_prefix("+"));
    let commands: Vec<Text> = options.values("cmd").cloned().chain(plus).collect();
    let says = |word: &str| commands.iter().any(|command| command.lead().contains(word));
    if says("w") || says("x") || says("up") {
        let how = if says("%d") || says("1,$d") || says("ggdG") {
            How::Truncated
        } else {
            How::Edited
        };
        let files = options.operands.iter();
        for file in files.filter(|file| !file.lead().starts_with('+')) {
            runner.overwrite(file, how, call);
        }
    }
    for command in commands {
        line(runner, &command);
    }
    for expression in options.values("eval") {
        lisp(runner, &expression.shown());
    }
    Stream::Unknown(call.shown())
}

/// Line editors run a line that begins with `!`.
fn by_line(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let lines = call.stdin.text().lines();
    let clears = |line: &Text| ["%d", ",d", "1,$d", "0,$d"].iter().any(|all| line.is(all));
    let how = if lines.iter().any(clears) {
        How::Truncated
    } else {
        How::Edited
    };
    let words = call.words.iter();
    for file in words.filter(|word| !word.lead().starts_with('-')) {
        runner.overwrite(file, how, call);
    }
    for line in lines {
        if let Some(command) = line.strip_prefix("!") {
            runner.apart(|runner| runner.source_text(&command, &Stream::Nothing));
        }
    }
    edited(runner, call, options)
}

/// A command line of vim: what follows `!` is a shell's.
fn line(runner: &mut Runner<'_>, command: &Text) {
    let shown = command.shown();
    let source = match shown.find('!') {
        Some(at) => shown[at + 1..].to_owned(),
        None => match shown.find("system(") {
            Some(at) => shown[at + 7..].trim_matches(['\'', '"', ')']).to_owned(),
            None => return,
        },
    };
    if source.is_empty() {
        return;
    }
    runner.apart(|runner| runner.source(&source, &Stream::Nothing));
}

fn lisp(runner: &mut Runner<'_>, expression: &str) {
    for name in ["shell-command", "call-process", "delete-directory"] {
        let Some(at) = expression.find(name) else {
            continue;
        };
        let strings: Vec<&str> = expression[at..].split('"').skip(1).step_by(2).collect();
        let source = match (name, strings.as_slice()) {
            ("delete-directory", [path, ..]) => format!("rm -rf {path}"),
            (_, words) => words.join(" "),
        };
        runner.apart(|runner| runner.source(&source, &Stream::Nothing));
    }
}
