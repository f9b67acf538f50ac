//! What changes the index or the work tree in a way that cannot be told beforehand.

use super::{Staging, Unforeseen};
use crate::git::call::{Git, Named};
use crate::options::Options;
use crate::text::Text;

/// `git checkout` and `git switch`, as far as a new branch can be told from another one.
const BRANCHES: &str = "b= B= c|create= C|force-create= orphan= t|track? q|quiet f|force d|detach m|merge p|patch \
    conflict= pathspec-from-file=";
const INIT: &str =
    "q|quiet bare template= separate-git-dir= object-format= ref-format= b|initial-branch= shared?";

pub(super) fn read(git: &mut Git<'_>, name: &str, words: &[Text]) {
    let of = match name {
        "checkout" | "switch" if makes_branch(name, words) => return,
        "init" => return begin(git, words),
        "apply" if only_looks(words) => return,
        "stash" if is_stash_kept(words) => return,
        "update-index" if only_refreshes(words) => return,
        "lfs"
            if !words
                .iter()
                .any(|word| word.is("track") || word.is("untrack")) =>
        {
            return;
        }
        "apply" if !has(words, &["--index", "--cached", "--3way", "-3"]) => Unforeseen::WorkTree,
        "clean" | "lfs" | "checkout-index" => Unforeseen::WorkTree,
        "checkout" | "switch" | "apply" | "stash" | "update-index" | "read-tree" | "merge"
        | "pull" | "am" | "rebase" | "cherry-pick" | "revert" | "bisect" | "submodule"
        | "sparse-checkout" => Unforeseen::Index,
        _ => return,
    };
    if !has(words, &["-h", "--help"]) {
        git.unforeseen(format!("git {name}"), of);
    }
}

fn has(words: &[Text], wanted: &[&str]) -> bool {
    words
        .iter()
        .any(|word| wanted.iter().any(|one| word.is(one)))
}

/// Whether a branch is only made where we are: nothing else changes then.
fn makes_branch(name: &str, words: &[Text]) -> bool {
    let options = Options::read(words, BRANCHES);
    let here = match options.operands.as_slice() {
        [] => true,
        [start] => start.is("HEAD") || start.is("@"),
        _ => false,
    };
    let made = ["b", "B", "create", "force-create"];
    // `git switch --orphan` empties the index.
    let orphan = name == "checkout" && options.has("orphan");
    here && (orphan || made.iter().any(|one| options.has(one)))
}

fn begin(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, INIT);
    let folder = options.operands.first().cloned();
    let folder = git.named(&folder.unwrap_or_else(|| Text::plain(".")));
    if let Named::At(folder) = folder
        && !options.help
    {
        git.stages(Staging::Begin(folder));
    }
}

fn only_looks(words: &[Text]) -> bool {
    has(words, &["--check", "--stat", "--numstat", "--summary"]) && !has(words, &["--apply"])
}

fn is_stash_kept(words: &[Text]) -> bool {
    let verb = words.first().map_or("", Text::lead);
    ["list", "show", "drop", "clear", "create", "store", "export"].contains(&verb)
}

fn only_refreshes(words: &[Text]) -> bool {
    has(words, &["--refresh", "--really-refresh"]) && words.len() == 1
}
