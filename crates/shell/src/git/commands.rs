//! The subcommands that may destroy something or run something.

mod checkout;
mod history;
mod hooked;
mod push;
mod refs;
mod running;
mod setting;
mod stash;
mod tree;

pub(super) use hooked::COMMIT;
pub(super) use tree::{RESET, RESTORE, RM};

use super::call::Git;
use crate::text::Text;

/// Reads the words behind a subcommand.
pub(super) type Command = fn(&mut Git<'_>, &[Text]);

pub(super) fn of(name: &str) -> Option<Command> {
    let command: Command = match name {
        "push" => push::push,
        "fetch" => push::fetch,
        "pull" => hooked::pull,
        "reset" => tree::reset,
        "clean" => tree::clean,
        "checkout" => checkout::checkout,
        "switch" => tree::switch,
        "restore" => tree::restore,
        "read-tree" => tree::read_tree,
        "checkout-index" => tree::checkout_index,
        "rm" => tree::rm,
        "stash" => stash::stash,
        "branch" => refs::branch,
        "tag" => refs::tag,
        "update-ref" => refs::update_ref,
        "worktree" => refs::worktree,
        "filter-branch" => history::filter_branch,
        "filter-repo" => history::filter_repo,
        "fast-import" => history::fast_import,
        "lfs" => history::lfs,
        "reflog" => history::reflog,
        "gc" => history::gc,
        "prune" => history::prune,
        "commit" => hooked::commit,
        "merge" => hooked::merge,
        "am" => hooked::am,
        "rebase" => hooked::rebase,
        "cherry-pick" | "revert" => hooked::pick,
        "submodule" => running::submodule,
        "bisect" => running::bisect,
        "difftool" => running::difftool,
        "grep" => running::grep,
        "clone" => running::clone,
        "archive" | "ls-remote" | "fetch-pack" | "send-pack" => running::remote,
        "config" => setting::config,
        "bundle" => running::bundle,
        "diff" | "log" | "show" | "diff-tree" | "diff-index" | "diff-files" => running::printed,
        _ => return None,
    };
    Some(command)
}

/// Whether git has a subcommand itself, so that no alias can take its name.
pub(super) fn is_builtin(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "add",
        "annotate",
        "apply",
        "blame",
        "branch",
        "bundle",
        "cat-file",
        "check-attr",
        "check-ignore",
        "check-ref-format",
        "cherry",
        "commit-graph",
        "commit-tree",
        "count-objects",
        "credential",
        "describe",
        "diff",
        "diff-files",
        "diff-index",
        "diff-tree",
        "fast-export",
        "for-each-ref",
        "format-patch",
        "fsck",
        "hash-object",
        "help",
        "init",
        "log",
        "ls-files",
        "ls-tree",
        "maintenance",
        "merge-base",
        "merge-file",
        "merge-tree",
        "mktag",
        "mktree",
        "mv",
        "name-rev",
        "notes",
        "pack-objects",
        "pack-refs",
        "patch-id",
        "range-diff",
        "remote",
        "repack",
        "replace",
        "request-pull",
        "rerere",
        "rev-list",
        "rev-parse",
        "shortlog",
        "show",
        "show-branch",
        "show-ref",
        "sparse-checkout",
        "status",
        "stripspace",
        "symbolic-ref",
        "update-index",
        "var",
        "verify-commit",
        "verify-pack",
        "verify-tag",
        "version",
        "whatchanged",
        "write-tree",
    ];
    NAMES.contains(&name)
}
