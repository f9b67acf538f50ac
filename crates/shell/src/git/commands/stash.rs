//! `git stash`: what is dropped is hard to find again.

use crate::git::act::{GitAct, Stashed};
use crate::git::call::Git;
use crate::git::options::read;
use crate::text::Text;

pub(super) fn stash(git: &mut Git<'_>, words: &[Text]) {
    let Some((name, rest)) = words.split_first() else {
        return;
    };
    let options = read(rest, &["q|quiet"]);
    if options.help {
        return;
    }
    if name.is("clear") {
        git.act(GitAct::DropStash(Stashed::All));
    } else if name.is("drop") {
        let which = options.all().into_iter().next();
        git.act(GitAct::DropStash(Stashed::One(which)));
    }
}
