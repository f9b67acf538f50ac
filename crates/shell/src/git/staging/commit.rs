//! `git commit`.

use super::{Commit, Holds, Staging};
use crate::git::call::Git;
use crate::git::commands::COMMIT;
use crate::options::Options;
use crate::text::Text;

/// Options with which git only tells what it would do.
const TELLING: [&str; 5] = ["dry-run", "short", "porcelain", "long", "null"];

pub(super) fn commit(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, COMMIT);
    if options.help || TELLING.iter().any(|one| options.has(one)) {
        return;
    }
    git.stages(Staging::Commit(Commit {
        holds: holds(&options),
        amend: options.has("amend"),
    }));
}

fn holds(options: &Options) -> Holds {
    let paths = &options.operands;
    let reworded = options
        .value("fixup")
        .is_some_and(|fixup| fixup.lead().starts_with("reword:"));
    if options.has("patch") || options.has("interactive") {
        Holds::Unknown("what is chosen by hand")
    } else if options.value("pathspec-from-file").is_some() {
        Holds::Unknown("paths that a file lists")
    } else if options.has("all") {
        Holds::All
    } else if !paths.is_empty() && options.has("include") {
        Holds::Include(paths.clone())
    } else if !paths.is_empty() {
        Holds::Only(paths.clone())
    } else if options.has("only") || reworded {
        Holds::Nothing
    } else {
        Holds::Index
    }
}
