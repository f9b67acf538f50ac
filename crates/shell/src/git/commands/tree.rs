//! What replaces or removes files of the work tree.

use crate::git::act::{Cleaning, Discarding, GitAct, Ignored, Moved, ResetMode};
use crate::git::call::Git;
use crate::options::Options;
use crate::text::{Fill, Text};

pub(in crate::git) const RESET: &str = "hard merge keep soft mixed q|quiet p|patch N|intent-to-add recurse-submodules? \
    pathspec-from-file= pathspec-file-nul refresh";
const CLEAN: &str = "f|force d x X n|dry-run i|interactive q|quiet e|exclude=";
const SWITCH: &str = "f|force discard-changes c|create= C|force-create= d|detach orphan= m|merge t|track? \
    guess recurse-submodules? q|quiet conflict= progress ignore-other-worktrees \
    overwrite-ignore";
pub(in crate::git) const RESTORE: &str = "s|source= S|staged W|worktree p|patch 2|ours 3|theirs m|merge conflict= overlay q|quiet \
    progress ignore-unmerged recurse-submodules? pathspec-from-file= pathspec-file-nul \
    U|unified= ignore-skip-worktree-bits";
const READ_TREE: &str = "reset u m n|dry-run i prefix= index-output= v q|quiet empty trivial aggressive \
    exclude-per-directory= recurse-submodules?";
const CHECKOUT_INDEX: &str =
    "f|force a|all n|no-create u|index q|quiet prefix= stage= temp stdin z";
pub(in crate::git) const RM: &str = "f|force r n|dry-run cached q|quiet ignore-unmatch sparse pathspec-from-file= \
    pathspec-file-nul";

pub(super) fn reset(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, RESET);
    let mode = match (options.has("hard"), options.has("merge")) {
        _ if options.help || options.has("patch") => return,
        (true, _) => ResetMode::Hard,
        (false, true) => ResetMode::Merge,
        (false, false) => return,
    };
    let to = options.before().first().cloned();
    let submodules = submodules(git, &options);
    git.act(GitAct::Reset {
        mode,
        to,
        submodules,
    });
}

/// Whether submodules are meant too.
pub(super) fn submodules(git: &Git<'_>, options: &Options) -> bool {
    options.has("recurse-submodules") || git.config.switch("submodule.recurse") == Some(true)
}

pub(super) fn clean(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, CLEAN);
    if options.help || options.has("dry-run") || options.has("interactive") {
        return;
    }
    let required = git.config.switch("clean.requireforce");
    let forced = options.has("force") || required == Some(false);
    if !forced && required == Some(true) {
        return;
    }
    let ignored = match (options.has("x"), options.has("X")) {
        (_, true) => Ignored::Only,
        (true, false) => Ignored::Too,
        (false, false) => Ignored::Stay,
    };
    git.act(GitAct::Clean(Cleaning {
        paths: options.operands.clone(),
        except: options.values("exclude").cloned().collect(),
        folders: options.has("d"),
        repositories: options.count("force") > 1,
        ignored,
        forced,
    }));
}

/// Paths that stand in a file.
pub(super) fn listed() -> Text {
    Text::hole("the listed paths", Fill::Anything)
}

/// A branch is put where the first operand says, and becomes the current one.
pub(super) fn move_to(git: &mut Git<'_>, branch: Text, options: &Options) {
    git.act(GitAct::MoveBranch {
        branch,
        to: options.before().first().cloned(),
        how: Moved::Switched,
    });
}

pub(super) fn discard_all(git: &mut Git<'_>, from: Option<&Text>, submodules: bool) {
    git.act(GitAct::Discard(Discarding {
        paths: Vec::new(),
        from: from.cloned(),
        maybe: false,
        submodules,
    }));
}

pub(super) fn switch(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, SWITCH);
    if options.help {
        return;
    }
    if let Some(branch) = options.value("force-create").cloned() {
        move_to(git, branch, &options);
    }
    if options.has("force") || options.has("discard-changes") {
        let submodules = submodules(git, &options);
        discard_all(git, options.before().first(), submodules);
    }
}

/// `git restore`: unstaging alone loses nothing.
pub(super) fn restore(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, RESTORE);
    let harmless = ["patch", "ours", "theirs", "merge"];
    if options.help || harmless.iter().any(|one| options.has(one)) {
        return;
    }
    if options.has("staged") && !options.has("worktree") {
        return;
    }
    let mut paths = options.operands.clone();
    if options.value("pathspec-from-file").is_some() {
        paths.push(listed());
    }
    if paths.is_empty() {
        return;
    }
    let submodules = submodules(git, &options);
    git.act(GitAct::Discard(Discarding {
        paths,
        from: options.value("source").cloned(),
        maybe: false,
        submodules,
    }));
}

/// `git read-tree --reset -u`.
pub(super) fn read_tree(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, READ_TREE);
    if options.has("reset") && options.has("u") && !options.has("dry-run") && !options.help {
        discard_all(git, options.before().first(), false);
    }
}

/// `git checkout-index -f`.
pub(super) fn checkout_index(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, CHECKOUT_INDEX);
    if let Some(prefix) = options.value("prefix").and_then(Text::known) {
        // What stands behind the last slash is the beginning of names.
        let folder = prefix.rfind('/').map_or(".", |at| &prefix[..=at]);
        git.fills(&Text::plain(folder));
    }
    let elsewhere = ["prefix", "no-create", "temp"]
        .iter()
        .any(|one| options.has(one));
    if !options.has("force") || elsewhere || options.help {
        return;
    }
    let mut paths = options.operands.clone();
    if options.has("stdin") {
        paths.push(listed());
    }
    if options.has("all") || !paths.is_empty() {
        git.act(GitAct::Discard(Discarding {
            paths: if options.has("all") {
                Vec::new()
            } else {
                paths
            },
            from: None,
            maybe: false,
            submodules: false,
        }));
    }
}

/// `git rm`: without force it leaves what was changed.
pub(super) fn rm(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, RM);
    let harmless = ["cached", "dry-run"].iter().any(|one| options.has(one));
    if options.help || harmless || !options.has("force") {
        return;
    }
    let mut paths = options.operands.clone();
    if options.value("pathspec-from-file").is_some() {
        paths.push(listed());
    }
    if !paths.is_empty() {
        git.act(GitAct::RemoveFiles { paths });
    }
}
