//! What earlier steps of a command change about what git would say: work that was stashed or committed is not lost by a
//! reset, and what was stashed is lost with its stash.

use std::path::{Path, PathBuf};

use crate::git::{Before, Kept};
use crate::options::Options;
use crate::run::Runner;
use crate::state::Steps;
use crate::stream::Stream;
use crate::text::Text;

/// What was done before in a folder.
pub(super) fn before(runner: &Runner<'_>, folder: Option<&Path>) -> Before {
    let steps = &runner.state.git;
    if folder.is_some() && steps.folder.as_deref() == folder {
        steps.done
    } else {
        Before::default()
    }
}

/// `yes | git clean -i`: a question that something answers is none.
pub(super) fn answered(mut words: Vec<Text>, stdin: &Stream) -> Vec<Text> {
    let is_clean = words.iter().any(|word| word.is("clean"));
    if !is_clean || *stdin == Stream::Nothing {
        return words;
    }
    for word in &mut words {
        let Some(known) = word.known() else {
            continue;
        };
        if known == "--interactive" {
            *word = Text::plain("--force");
        } else if known.starts_with('-') && !known.starts_with("--") && known.contains('i') {
            *word = Text::plain(known.replace('i', "f"));
        }
    }
    words
}

/// Remembers what a call of git does to the work that is not committed.
pub(super) fn remember(runner: &mut Runner<'_>, folder: Option<PathBuf>, words: &[Text]) {
    let done = before(runner, folder.as_deref());
    let (done, hoped) = match words.split_first() {
        Some((verb, rest)) => after(done, verb.lead(), rest),
        None => (done, None),
    };
    runner.state.git = Steps {
        folder,
        done,
        hoped,
    };
}

/// What is true after a call, and what is if it succeeded.
fn after(done: Before, verb: &str, words: &[Text]) -> (Before, Option<Before>) {
    match verb {
        "stash" => (stashed(done, words), None),
        "add" => {
            let options =
                Options::read(words, "A|all|no-ignore-removal u|update p|patch n|dry-run");
            let dot = |word: &Text| word.is(".") || word.is(":/");
            let all = options.has("all") || options.operands.iter().any(dot);
            let plain = !["update", "patch", "dry-run"]
                .iter()
                .any(|one| options.has(one));
            let staged = done.staged || (all && plain);
            (Before { staged, ..done }, None)
        }
        "commit" => {
            let options = Options::read(
                words,
                "a|all m|F|C|c|t|message|file|author|date|fixup|squash|trailer|cleanup= p|patch o|only dry-run amend",
            );
            let untracked = done.staged;
            let all = options.has("all") || untracked;
            let partly = ["patch", "only", "dry-run"]
                .iter()
                .any(|one| options.has(one));
            let kept = Some(Kept::Commit { untracked });
            let hoped = Before { kept, ..done };
            let is_whole = all && !partly && options.operands.is_empty();
            (done, is_whole.then_some(hoped))
        }
        "branch" | "tag" => {
            let options = Options::read(words, "m|message= a|annotate");
            let plain = !words
                .iter()
                .any(|word| word.lead().starts_with("-d") || word.is("-D"));
            let named = done.named || (plain && options.operands.len() == 1);
            (Before { named, ..done }, None)
        }
        "push" => {
            let hoped = Before {
                named: true,
                ..done
            };
            (done, Some(hoped))
        }
        "reset" if words.iter().any(|word| word.is("--hard")) => (done, None),
        "status" | "log" | "diff" | "show" | "fetch" | "pull" | "checkout" | "switch" | "clean"
        | "restore" | "rev-parse" | "remote" | "describe" | "ls-files" | "merge" | "rebase" => {
            (done, None)
        }
        _ => (Before::default(), None),
    }
}

/// `git stash` puts the work away as a whole, unless it is told to take some of it.
fn stashed(done: Before, words: &[Text]) -> Before {
    let verb = words.first().map(Text::lead).unwrap_or_default();
    let rest = match verb {
        "list" | "show" => return done,
        "" => words,
        "push" | "save" => &words[1..],
        option if option.starts_with('-') => words,
        _ => return Before::default(),
    };
    let options = Options::read(
        rest,
        "u|include-untracked a|all m|message= p|patch k|keep-index S|staged q|quiet",
    );
    let partly = ["patch", "keep-index", "staged"]
        .iter()
        .any(|one| options.has(one));
    let paths = verb != "save" && !options.operands.is_empty();
    if partly || paths {
        return Before::default();
    }
    let untracked = options.has("include-untracked") || options.has("all");
    Before {
        kept: Some(Kept::Stash { untracked }),
        ..done
    }
}
