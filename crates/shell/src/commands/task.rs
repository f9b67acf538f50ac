//! Tools that start a command in an environment of their own: `bundle exec`, `mise exec --`,
//! `nix-shell --run`, `nodemon --exec`.

use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "bundle",
    "direnv",
    "mise",
    "rtx",
    "nix",
    "nix-shell",
    "dotenvx",
    "dotenv",
    "doppler",
    "op",
    "infisical",
    "cargo-watch",
    "watchexec",
    "nodemon",
    "concurrently",
    "onchange",
    "chokidar",
    "npm-run-all",
    "run-s",
    "run-p",
    "aws-vault",
    "faketime",
    "rtk",
    "shx",
    "cross-env",
    "env-cmd",
    "rvm",
    "asdf",
    "devbox",
    "pipenv",
    "rye",
    "pdm",
    "turbo",
    "nx",
    "lerna",
    "tsx-watch",
    "wait-on",
    "start-server-and-test",
    "act",
    "sem",
    "vagrant",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "csxewd",
        words: &[
            "--run",
            "--command",
            "--exec",
            "--shell",
            "--watch",
            "--ext",
        ],
        stops: false,
    });
    let given: Vec<Text> = arguments
        .values(&["c", "s", "x", "--run", "--command", "--exec"])
        .into_iter()
        .cloned()
        .collect();
    for source in given {
        // `nix develop -c rm -rf x`: the words behind are the command's own.
        let at = call.words.iter().position(|word| *word == source);
        let rest = at.map_or(&[][..], |at| &call.words[at + 1..]);
        if source.split_blanks().len() > 1 || rest.is_empty() {
            runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
        } else {
            let words: Vec<Text> = std::iter::once(source.clone())
                .chain(rest.iter().cloned())
                .collect();
            runner.run_words(&words, call);
        }
    }
    if matches!(call.name.as_str(), "npm-run-all" | "run-s" | "run-p") {
        for name in &arguments.operands {
            super::packages::run_script(runner, call, &name.shown());
        }
        return Stream::Nothing;
    }
    let after = call
        .words
        .iter()
        .position(|word| word.is("--"))
        .or_else(|| {
            call.words
                .iter()
                .position(|word| matches!(word.lead(), "exec" | "run" | "x"))
        });
    if let Some(at) = after {
        let mut words = &call.words[at + 1..];
        // `direnv exec DIR command`.
        if call.name == "direnv" {
            words = words.get(1..).unwrap_or_default();
        }
        runner.run_words(words, call);
    } else if matches!(
        call.name.as_str(),
        "cross-env" | "env-cmd" | "sem" | "shx" | "faketime" | "rtk"
    ) {
        let before = usize::from(call.name == "faketime");
        let words: Vec<Text> = call.words[before.min(call.words.len())..]
            .iter()
            .skip_while(|word| word.lead().contains('='))
            .cloned()
            .collect();
        runner.run_words(&words, call);
    } else {
        // Each word with blanks in it is a command line.
        for line in arguments
            .operands
            .iter()
            .filter(|word| word.split_blanks().len() > 1)
        {
            let line = line.clone();
            runner.apart(|runner| runner.source_text(&line, &Stream::Nothing));
        }
    }
    Stream::Nothing
}
