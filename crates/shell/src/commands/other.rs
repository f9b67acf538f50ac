//! Interpreters whose language is not read: what stands in quotes in them, or behind a word that starts
//! a shell, is looked at as a command.

use super::system;
use crate::effect::{Code, Effect, Reach};
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "rscript r tclsh wish osascript expect julia groovy elixir iex erl swift \
         octave scala ghci runghc jshell bb guile racket sbcl pry irb nim kotlin crystal ocaml",
        "",
        quoted,
    ),
    program("clojure clj", "", quoted).does(&[Does::Publish("..deploy|release|*/deploy")]),
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
        let mut found = commands(source);
        if call.name == "julia" {
            found.extend(source.split('`').skip(1).step_by(2).map(str::to_owned));
        }
        for command in found {
            runner.apart(|runner| runner.source(&command, &Stream::Nothing));
        }
        unlinked(runner, call, source);
        homeless(runner, call, source);
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
        // Tcl's own.
        if let Some(files) = line.strip_prefix("file delete ") {
            let files = files.replace("[file normalize ", "").replace(']', "");
            found.push(format!("rm -rf {}", files.trim_start_matches("-force ")));
        }
    }
    found.retain(|command| command.contains(' '));
    found.truncate(64);
    found
}

/// How other languages delete a folder, and the words around that mean the home.
const DELETES: [&str; 8] = [
    "rm_rf",
    "removeitem(",
    "deletedir()",
    "deleterecursively()",
    "delete-directory",
    "removedir(",
    "remove_dir_all(",
    "deletedirectory(",
];
const HOMES: [&str; 8] = [
    "homedir()",
    "user_home",
    "nshomedirectory",
    "gethomedir",
    "user.home",
    "env(\"home\")",
    "env[\"home\"]",
    "#p\"~/\"",
];

/// What deletes the home by a name that only its language knows.
fn homeless(runner: &mut Runner<'_>, call: &Call, source: &str) {
    let source = source.to_ascii_lowercase();
    let deletes = DELETES.iter().any(|word| source.contains(word))
        || (call.name == "julia" && source.contains("rm(") && source.contains("recursive"));
    if deletes && HOMES.iter().any(|word| source.contains(word)) {
        let home = runner.tilde("");
        let (targets, reach) = (vec![runner.target(&home)], Reach::Trees);
        runner.note(Effect::Delete { targets, reach }, call);
    }
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
