//! History that is written anew, and what could still be brought back that is forgotten.

use crate::git::act::GitAct;
use crate::git::call::{Git, Started};
use crate::options::Options;
use crate::text::Text;

const FILTERS: &[&str] = &[
    "tree-filter",
    "index-filter",
    "env-filter",
    "msg-filter",
    "commit-filter",
    "parent-filter",
    "tag-name-filter",
    "setup",
];
const FILTER_BRANCH: &str = "f|force tree-filter= index-filter= env-filter= msg-filter= commit-filter= parent-filter= \
    tag-name-filter= setup= subdirectory-filter= d= original= state-branch= prune-empty";
const REFLOG: &str = "expire= expire-unreachable= all n|dry-run rewrite updateref stale-fix verbose \
    single-worktree";
const GC: &str = "prune? aggressive auto q|quiet force keep-largest-pack detach cruft";
const PRUNE: &str = "n|dry-run v|verbose progress expire= exclude-promisor-objects";

pub(super) fn filter_branch(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, FILTER_BRANCH);
    if options.help {
        return;
    }
    for filter in FILTERS {
        for command in options.values(filter) {
            let script = Started::Script {
                text: command.clone(),
                arguments: Vec::new(),
            };
            // It is run in a folder made for it.
            git.run(script, None, &format!("git filter-branch --{filter}"));
        }
    }
    rewrite(git, "git filter-branch");
}

pub(super) fn filter_repo(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, "n|dry-run analyze f|force");
    if !options.help && !options.has("dry-run") && !options.has("analyze") {
        rewrite(git, "git filter-repo");
    }
}

/// `git fast-import --force`.
pub(super) fn fast_import(git: &mut Git<'_>, words: &[Text]) {
    if Options::read(words, "force").has("force") {
        rewrite(git, "git fast-import --force");
    }
}

/// `git lfs migrate`.
pub(super) fn lfs(git: &mut Git<'_>, words: &[Text]) {
    let known: Vec<&str> = words.iter().filter_map(Text::known).collect();
    if matches!(known.as_slice(), ["migrate", "import" | "export", ..])
        && !known.contains(&"--help")
    {
        rewrite(git, "git lfs migrate");
    }
}

fn rewrite(git: &mut Git<'_>, by: &str) {
    git.act(GitAct::RewriteHistory { by: by.to_owned() });
}

/// `git reflog expire` and the like.
pub(super) fn reflog(git: &mut Git<'_>, words: &[Text]) {
    let Some((name, rest)) = words.split_first() else {
        return;
    };
    let options = Options::read(rest, REFLOG);
    if options.help || options.has("dry-run") {
        return;
    }
    if name.is("delete") || name.is("drop") {
        forget(git, &format!("git reflog {}", name.shown()));
    } else if name.is("expire")
        && ["expire", "expire-unreachable"]
            .iter()
            .any(|one| options.value(one).is_some_and(is_soon))
    {
        forget(git, "git reflog expire");
    }
}

/// `git gc --prune=now`.
pub(super) fn gc(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, GC);
    if options.help {
        return;
    }
    let set = [
        "gc.pruneexpire",
        "gc.reflogexpire",
        "gc.reflogexpireunreachable",
    ];
    let by_config = set
        .iter()
        .any(|key| git.config.get(key).is_some_and(is_soon));
    if by_config || options.value("prune").is_some_and(is_soon) {
        forget(git, "git gc --prune");
    }
}

/// `git prune`: without a time, everything that nothing refers to.
pub(super) fn prune(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, PRUNE);
    if !options.help && !options.has("dry-run") && options.value("expire").is_none_or(is_soon) {
        forget(git, "git prune");
    }
}

fn forget(git: &mut Git<'_>, by: &str) {
    git.act(GitAct::Forget { by: by.to_owned() });
}

/// Whether a time is less than the two weeks that git keeps things for.
fn is_soon(time: &Text) -> bool {
    let Some(time) = time.known().map(str::to_ascii_lowercase) else {
        return true;
    };
    let long = ["never", "false", "week", "month", "year"];
    if long.iter().any(|word| time.contains(word)) {
        return false;
    }
    let digits: String = time.chars().take_while(char::is_ascii_digit).collect();
    let number = digits.parse::<u32>().unwrap_or(0);
    let days = time.contains("day") && number >= 14;
    let date = digits.len() == 4 && time[4..].starts_with('-');
    !days && !date
}
