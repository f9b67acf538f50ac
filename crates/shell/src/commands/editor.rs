//! Editors and pagers that run commands: `vim -c '!rm …'`, `emacs --eval`.

use crate::effect::{Effect, How};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "vim", "vi", "nvim", "view", "gvim", "vimdiff", "emacs", "nano-x", "less", "man",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "cSu",
        words: &["--cmd", "--eval", "--execute", "--load"],
        stops: false,
    });
    let plus = call.words.iter().filter_map(|word| word.strip_prefix("+"));
    let commands: Vec<Text> = arguments
        .values(&["c", "--cmd"])
        .into_iter()
        .cloned()
        .chain(plus)
        .collect();
    if matches!(call.name.as_str(), "man" | "less") {
        let pagers = call.arguments(&Spec {
            letters: "P",
            words: &["--pager"],
            stops: false,
        });
        for pager in pagers.values(&["P", "--pager"]) {
            let pager = pager.clone();
            runner.apart(|runner| runner.source_text(&pager, &Stream::Nothing));
        }
    }
    let writes = commands.iter().any(|command| command.lead().contains('w'));
    for file in arguments
        .operands
        .iter()
        .filter(|file| writes && !file.lead().starts_with('+'))
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
    for command in commands {
        line(runner, &command);
    }
    for expression in arguments.values(&["--eval", "--execute"]) {
        lisp(runner, &expression.shown());
    }
    Stream::Unknown(call.shown())
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
