//! What is added to a refusal when the command does something before it commits that may mend what was found.

use bellwether_shell::Analysis;
use bellwether_shell::git::staging::{Holds, Staging};

const HINT: &str = "\nThe files were checked as they are now. If an earlier part of the same command changes them, run that part first, \
    and commit in a command of its own.";

/// Programs that leave the work tree as it is.
const HARMLESS: [&str; 22] = [
    "git", "cd", "echo", "printf", "true", "false", ":", "pwd", "ls", "cat", "export", "set",
    "test", "[", "head", "tail", "grep", "pushd", "popd", "sleep", "date", "wc",
];

/// The hint, where it may be of use.
pub(super) fn of(analysis: &Analysis) -> Option<&'static str> {
    let stages = analysis.staging.iter().any(|step| match &step.staged.act {
        Staging::Add(_) => true,
        Staging::Commit(commit) => commit.holds != Holds::Index,
        _ => false,
    });
    let name = |program: &String| program.rsplit('/').next().unwrap_or_default().to_owned();
    let mut ran = analysis.commands.iter().filter_map(|ran| ran.words.first());
    let acts = ran.any(|program| !HARMLESS.contains(&name(program).as_str()));
    (stages && acts).then_some(HINT)
}
