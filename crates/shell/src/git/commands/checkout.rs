//! `git checkout`, which switches branches or replaces files, as its words happen to mean.

use super::tree::{discard_all, listed, move_to, submodules};
use crate::git::act::{Discarding, GitAct};
use crate::git::call::Git;
use crate::options::Options;
use crate::text::{Piece, Text};

const CHECKOUT: &str = "f|force b= B= orphan= d|detach t|track? m|merge p|patch 2|ours 3|theirs conflict= \
    pathspec-from-file= pathspec-file-nul recurse-submodules? guess q|quiet l overlay \
    progress ignore-other-worktrees overwrite-ignore U|unified= inter-hunk-context= \
    ignore-skip-worktree-bits";

/// `git checkout`: switches branches, or replaces files.
pub(super) fn checkout(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, CHECKOUT);
    if options.help || options.has("patch") {
        return;
    }
    let submodules = submodules(git, &options);
    if let Some(branch) = options.value("B").cloned() {
        move_to(git, branch, &options);
    }
    let resolves = ["ours", "theirs", "merge"]
        .iter()
        .any(|one| options.has(one));
    if let Some((paths, from, maybe)) = checked_out(git, &options) {
        // Taking one side of a conflict is how it is resolved.
        if !resolves {
            git.act(GitAct::Discard(Discarding {
                paths,
                from,
                maybe,
                submodules,
            }));
        }
    } else if options.has("force") {
        discard_all(git, options.before().first(), submodules);
    }
}

/// The paths that `git checkout` replaces, what from, and whether the one path may be a branch.
fn checked_out(git: &Git<'_>, options: &Options) -> Option<(Vec<Text>, Option<Text>, bool)> {
    let operands = options.before();
    if options.value("pathspec-from-file").is_some() {
        return Some((vec![listed()], operands.first().cloned(), false));
    }
    if let Some(after) = options.after() {
        let paths = after.to_vec();
        return (!paths.is_empty()).then(|| (paths, operands.first().cloned(), false));
    }
    let branches = ["b", "B", "orphan", "detach", "track"];
    if branches.iter().any(|one| options.has(one)) {
        return None;
    }
    match operands {
        [] => None,
        [one] if is_path(one) => Some((vec![one.clone()], None, false)),
        [one] => {
            (!options.has("force") && git.is_there(one)).then(|| (vec![one.clone()], None, true))
        }
        [first, ..] if is_path(first) || git.is_there(first) => {
            Some((operands.to_vec(), None, false))
        }
        [first, rest @ ..] => Some((rest.to_vec(), Some(first.clone()), false)),
    }
}

/// Whether a word can only be a path.
fn is_path(word: &Text) -> bool {
    let lead = word.lead();
    let pattern = |piece: &Piece| matches!(piece, Piece::Pattern(_));
    lead == "."
        || lead == ".."
        || lead == ":"
        || ["./", "../", ":/", ":(", ":!", "*"]
            .iter()
            .any(|start| lead.starts_with(start))
        || word.known().is_some_and(|known| known.ends_with('/'))
        || word.pieces().iter().any(pattern)
}
