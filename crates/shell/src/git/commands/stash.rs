//! `git stash`: what is dropped is hard to find again.

use crate::git::act::{GitAct, Stashed};
use crate::git::call::Git;
use crate::options::Options;
use crate::text::Text;

pub(super) fn stash(git: &mut Git<'_>, words: &[Text]) {
    let Some((name, rest)) = words.split_first() else {
        return;
    };
    let options = Options::read(rest, "q|quiet");
    if options.help {
        return;
    }
    if name.is("clear") {
        git.act(GitAct::DropStash(Stashed::All));
    } else if name.is("drop") {
        let which = options.operands.first().cloned();
        git.act(GitAct::DropStash(Stashed::One(which)));
    }
}
