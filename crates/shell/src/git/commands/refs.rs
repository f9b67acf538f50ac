//! Branches, tags, other references and work trees.

use crate::git::act::{GitAct, Moved};
use crate::git::call::Git;
use crate::options::Options;
use crate::text::{Fill, Text};

const BRANCH: &str = "D d|delete f|force m|move M c|copy C r|remotes a|all l|list u|set-upstream-to= t|track? \
    q|quiet v|verbose contains= no-contains= merged= no-merged= points-at= format= sort= \
    column? color? edit-description unset-upstream show-current abbrev? i|ignore-case \
    create-reflog recurse-submodules";
const TAG: &str = "d|delete f|force l|list a|annotate s|sign m|message= F|file= u|local-user= v|verify n? \
    contains= no-contains= merged= no-merged= points-at= format= sort= column? color? \
    cleanup= e|edit i|ignore-case create-reflog";
const UPDATE_REF: &str = "d stdin no-deref m= create-reflog z";
const REMOVE: &str = "f|force";
const ADD: &str = "f|force B= b= d|detach orphan checkout guess lock reason= track q|quiet";

pub(super) fn branch(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, BRANCH);
    let names = options.operands.clone();
    // Branches of remotes come back with the next fetch.
    if options.help || names.is_empty() || options.has("remotes") {
        return;
    }
    let force = options.has("force");
    if options.has("D") || (options.has("delete") && force) {
        return git.act(GitAct::DeleteBranch { names });
    }
    if options.has("delete") || options.has("list") {
        return;
    }
    let renames = options.has("M") || options.has("C");
    if renames || (force && (options.has("move") || options.has("copy"))) {
        let (to, branch) = match names.as_slice() {
            [old, new, ..] => (Some(old.clone()), new.clone()),
            _ => (None, names.first().cloned().unwrap_or_default()),
        };
        let how = Moved::Renamed;
        return git.act(GitAct::MoveBranch { branch, to, how });
    }
    if force {
        git.act(GitAct::MoveBranch {
            branch: names.first().cloned().unwrap_or_default(),
            to: names.get(1).cloned(),
            how: Moved::Forced,
        });
    }
}

pub(super) fn tag(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, TAG);
    let names = options.operands.clone();
    if options.has("delete") && !options.help && !names.is_empty() {
        git.act(GitAct::DeleteTag { names });
    }
}

pub(super) fn update_ref(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, UPDATE_REF);
    if options.help {
        return;
    }
    if options.has("stdin") {
        let name = Text::hole("what it reads", Fill::Anything);
        return git.act(GitAct::DeleteRef { name });
    }
    let names = options.operands.clone();
    let Some(name) = names.first() else {
        return;
    };
    if options.has("d") {
        return git.act(GitAct::DeleteRef { name: name.clone() });
    }
    if let Some(branch) = name.strip_prefix("refs/heads/") {
        git.act(GitAct::MoveBranch {
            branch,
            to: names.get(1).cloned(),
            how: Moved::Forced,
        });
    }
}

/// `git worktree`: without force it keeps a work tree with changes.
pub(super) fn worktree(git: &mut Git<'_>, words: &[Text]) {
    let Some((name, rest)) = words.split_first() else {
        return;
    };
    if name.is("remove") {
        let options = Options::read(rest, REMOVE);
        let path = options.operands.first().cloned();
        if let Some(path) = path.filter(|_| options.has("force") && !options.help) {
            git.act(GitAct::RemoveWorktree { path });
        }
    } else if name.is("add") {
        let options = Options::read(rest, ADD);
        if let Some(folder) = options.operands.first().filter(|_| !options.help) {
            git.fills(folder);
        }
        if let Some(branch) = options.value("B").filter(|_| !options.help) {
            git.act(GitAct::MoveBranch {
                branch: branch.clone(),
                to: options.operands.get(1).cloned(),
                how: Moved::Switched,
            });
        }
    }
}
