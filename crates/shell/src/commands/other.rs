//! Interpreters whose language is not read: what stands in quotes in them, or behind a word that starts
//! a shell, is looked at as a command.

use super::system;
use crate::effect::{Code, Effect, Reach};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "rscript r tclsh wish osascript expect julia groovy elixir iex erl swift \
         octave scala ghci runghc jshell clojure bb guile racket sbcl pry irb",
        "",
        quoted,
    ),
    program("gdb lldb gcore dlv reptyr", "", debugged),
];

/// A debugger reads lines like the others, and may take hold of a process that runs.
fn debugged(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    system::note_our_process(runner, call, &options.operands);
    quoted(runner, call, options)
}

/// The longest source that is looked through.
const LONGEST: usize = 8 * 1024;

fn quoted(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    // PowerShell's `iwr … | iex`, too.
    let fetches = |word: &Text| matches!(word.lead(), "iwr" | "irm" | "Invoke-WebRequest");
    if call.name == "iex" && call.words.iter().any(fetches) {
        let code = Code::Downloaded(call.shown());
        runner.note(Effect::Run(code), call);
    }
    if let Stream::Download(from) = &call.stdin {
        let code = Code::Downloaded(from.clone());
        runner.note(Effect::Run(code), call);
    }
    let mut sources: Vec<String> = call.words.iter().map(Text::shown).collect();
    sources.push(call.stdin.text().shown());
    for word in &call.words {
        let is_script = word
            .known()
            .is_some_and(|word| word.contains('.') && !word.starts_with('-'));
        if is_script
            && let Some(path) = runner.path(word)
            && let Ok(content) = runner.content(&path)
        {
            sources.push(content.text().shown());
        }
    }
    for source in sources.iter().filter(|source| source.len() <= LONGEST) {
        for command in commands(source) {
            runner.apart(|runner| runner.source(&command, &Stream::Nothing));
        }
        unlinked(runner, call, source);
    }
    Stream::Unknown(call.shown())
}

/// What may be a command in a source.
fn commands(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for quote in ['"', '\''] {
        found.extend(source.split(quote).skip(1).step_by(2).map(str::to_owned));
    }
    for line in source.split(['\n', ';']) {
        let line = line.trim();
        let behind = ["exec ", "spawn ", "shell ", "!", "system "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        found.extend(behind.map(str::to_owned));
    }
    found.retain(|command| command.contains(' '));
    found.truncate(64);
    found
}

/// R deletes by `unlink("x", recursive = TRUE)`.
fn unlinked(runner: &mut Runner<'_>, call: &Call, source: &str) {
    for call_of in ["unlink(", "file.remove(", "rm_rf(", "remove_dir("] {
        let Some((_, rest)) = source.split_once(call_of) else {
            continue;
        };
        let Some(path) = rest.split(['"', '\'']).nth(1) else {
            continue;
        };
        let path = match path.strip_prefix('~') {
            Some(rest) => {
                let mut home = runner.tilde("");
                home.push_plain(rest);
                home
            }
            None => Text::plain(path),
        };
        let targets = vec![runner.target(&path)];
        runner.note(
            Effect::Delete {
                targets,
                reach: Reach::Trees,
            },
            call,
        );
    }
}
