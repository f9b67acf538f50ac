//! What stages and unstages.

use super::{Added, Adding, Listed, Removing, Rewound, Staging, Unforeseen};
use crate::git::call::Git;
use crate::git::commands::{RESET, RESTORE, RM};
use crate::options::Options;
use crate::text::Text;

const ADD: &str = "n|dry-run v|verbose f|force i|interactive p|patch e|edit A|all u|update N|intent-to-add \
    refresh ignore-errors ignore-missing renormalize sparse chmod= pathspec-from-file= pathspec-file-nul \
    ignore-removal U|unified= inter-hunk-context=";
const MV: &str = "f|force k n|dry-run v|verbose sparse";

pub(super) fn add(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, ADD);
    if options.help || ["dry-run", "refresh"].iter().any(|one| options.has(one)) {
        return;
    }
    let by_hand = ["interactive", "patch", "edit", "renormalize"];
    if let Some(how) = by_hand.iter().find(|one| options.has(one)) {
        return git.unforeseen(format!("git add --{how}"), Unforeseen::Index);
    }
    let of = match (options.has("all"), options.has("update")) {
        (true, _) => Added::All,
        (false, true) => Added::Tracked,
        (false, false) => Added::Named,
    };
    let listed = listed(&options);
    let paths = options.operands.clone();
    // Without a path git adds nothing, and says so.
    if of != Added::Named || listed.is_some() || !paths.is_empty() {
        git.stages(Staging::Add(Adding {
            of,
            paths,
            listed,
            options: further(&options),
        }));
    }
}

fn listed(options: &Options) -> Option<Listed> {
    let file = options.value("pathspec-from-file")?;
    Some(Listed {
        file: file.clone(),
        nul: options.has("pathspec-file-nul"),
    })
}

/// The options that change what is added, as git takes them.
fn further(options: &Options) -> Vec<&'static str> {
    let mode = options.value("chmod").and_then(Text::known);
    let flags = [
        (options.has("force"), "--force"),
        (options.has("intent-to-add"), "--intent-to-add"),
        (options.has("ignore-errors"), "--ignore-errors"),
        (options.has("ignore-removal"), "--ignore-removal"),
        (options.has("sparse"), "--sparse"),
        (mode == Some("+x"), "--chmod=+x"),
        (mode == Some("-x"), "--chmod=-x"),
    ];
    let given = flags.into_iter().filter(|(given, _)| *given);
    given.map(|(_, flag)| flag).collect()
}

pub(super) fn rm(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, RM);
    if options.help || options.has("dry-run") {
        return;
    }
    if options.value("pathspec-from-file").is_some() {
        return git.unforeseen("git rm".to_owned(), Unforeseen::Index);
    }
    git.stages(Staging::Remove(Removing {
        paths: options.operands.clone(),
        folders: options.has("r"),
        cached: options.has("cached"),
        lenient: options.has("ignore-unmatch"),
    }));
}

pub(super) fn mv(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, MV);
    if options.help || options.has("dry-run") {
        return;
    }
    if let [from @ .., to] = options.operands.as_slice()
        && !from.is_empty()
    {
        git.stages(Staging::Rename {
            from: from.to_vec(),
            to: to.clone(),
        });
    }
}

pub(super) fn reset(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, RESET);
    if options.help {
        return;
    }
    let other = ["hard", "merge", "keep", "patch", "pathspec-from-file"];
    if let Some(how) = other.iter().find(|one| options.has(one)) {
        return git.unforeseen(format!("git reset --{how}"), Unforeseen::Index);
    }
    let (to, paths) = target(git, &options);
    git.stages(if paths.is_empty() {
        let index = if options.has("soft") {
            Rewound::Stays
        } else {
            Rewound::Too
        };
        Staging::Rewind { to, index }
    } else {
        Staging::Unstage { from: to, paths }
    });
}

/// The commit and the paths of a reset. A name before `--` is a commit; without it, one that nothing is at.
fn target(git: &Git<'_>, options: &Options) -> (Option<Text>, Vec<Text>) {
    if let Some(paths) = options.after() {
        return (options.before().first().cloned(), paths.to_vec());
    }
    match options.operands.as_slice() {
        [first, rest @ ..] if is_commit(first) || !git.is_there(first) => {
            (Some(first.clone()), rest.to_vec())
        }
        paths => (None, paths.to_vec()),
    }
}

/// Whether a word can only be a commit.
fn is_commit(word: &Text) -> bool {
    let name = word.known().unwrap_or_default();
    name == "HEAD" || name == "@" || name.contains(['~', '^'])
}

pub(super) fn restore(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, RESTORE);
    if options.help {
        return;
    }
    let staged = options.has("staged");
    let listed = options.has("patch") || options.value("pathspec-from-file").is_some();
    if staged && !options.has("worktree") && !listed {
        git.stages(Staging::Unstage {
            from: options.value("source").cloned(),
            paths: options.operands.clone(),
        });
    } else {
        let of = if staged {
            Unforeseen::Index
        } else {
            Unforeseen::WorkTree
        };
        git.unforeseen("git restore".to_owned(), of);
    }
}
