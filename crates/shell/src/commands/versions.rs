//! Version control beside git. Nothing is looked up in it, so what throws changes or history away is asked about.

use crate::program::{Does, Program, program, unknown};

/// A row: names, options beside those that all have, what throws work away here, and what destroys on a server.
macro_rules! row {
    ($names:literal, $options:literal, $here:literal, $there:literal) => {
        program(
            $names,
            concat!("n|dry-run|preview|print|just-print help version ", $options),
            unknown,
        )
        .dry("--dry-run; --help; --version; help|version")
        .does(&[Does::Discards($here), Does::Remote($there)])
    };
}

pub(super) const PROGRAMS: &[Program] = &[
    row!(
        "svn",
        "remove-unversioned remove-ignored force m|message= F|file= accept= r|revision= depth= username= password=",
        "revert; cleanup --remove-unversioned; cleanup --remove-ignored; delete|del|remove|rm --force",
        "delete|del|remove|rm ..*://*"
    ),
    row!(
        "hg chg rhg sl eden",
        "C|clean f|force a|all no-backup config= R|repository= r|rev= cwd= m|message=",
        "update|up|upd|checkout|co|goto|go --clean; revert --all; revert --no-backup; purge|clean; \
         strip|debugstrip|prune|rollback|hide",
        "push --force"
    ),
    row!(
        "jj",
        "R|repository= config= deleted f|from= t|into|to= r|revision|revisions=",
        "abandon; restore; op|operation restore|abandon|revert; workspace forget; util gc",
        "git push --deleted; bookmark|branch delete"
    ),
    row!(
        "fossil",
        "f|force",
        "revert|clean|scrub|purge; stash drop|purge|clear",
        "shun"
    ),
    row!(
        "bzr brz",
        "force no-backup overwrite",
        "revert; clean-tree; remove --force",
        "push --overwrite; remove-branch"
    ),
    row!(
        "p4",
        "c|u|p|P= y a k d",
        "revert|clean !-k",
        "obliterate; client|label|branch|depot|shelve -d"
    ),
    row!(
        "cvs",
        "C|overwrite d=",
        "update|up|upd --overwrite",
        "admin"
    ),
    row!("darcs", "a|all", "obliterate|unpull|revert", "--help"),
    program("bfg", "help version", unknown)
        .dry("--help; --version")
        .does(&[Does::Discards("")]),
    row!("cm", "", "undo|undochange", "delete|rm"),
];
