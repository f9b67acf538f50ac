//! `git push` and `git fetch`: references that are forced or deleted.

use super::hooked;
use crate::git::act::{Forced, GitAct, Moved, Push, Refspec};
use crate::git::call::Git;
use crate::git::split;
use crate::options::Options;
use crate::text::Text;

const PUSH: &str = "f|force force-with-lease? force-if-includes d|delete mirror prune all branches tags \
    n|dry-run no-verify u|set-upstream q|quiet v|verbose repo= receive-pack= exec= \
    o|push-option= atomic follow-tags signed? thin porcelain progress recurse-submodules= \
    4|ipv4 6|ipv6";

const FETCH: &str = "f|force upload-pack= dry-run depth= deepen= shallow-since= shallow-exclude= refmap= \
    o|server-option= j|jobs= negotiation-tip= filter= recurse-submodules? p|prune \
    P|prune-tags t|tags a|append u|update-head-ok all multiple q|quiet v|verbose k|keep n \
    set-upstream atomic";

pub(super) fn push(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, PUSH);
    if options.help {
        return;
    }
    for name in ["receive-pack", "exec"] {
        if let Some(command) = options.value(name) {
            git.script(command.clone(), Vec::new(), "git push --receive-pack");
        }
    }
    let operands = &options.operands;
    external(git, operands);
    if options.has("dry-run") {
        return;
    }
    hooked::skipped(git, "push", &options);
    let push = pushed(&options, operands);
    if is_harmful(&push) {
        git.act(GitAct::Push(push));
    }
}

fn pushed(options: &Options, operands: &[Text]) -> Push {
    let repo = options.value("repo").cloned();
    let mut names = operands.iter();
    let remote = names.next().cloned().or(repo);
    let mut refs = Vec::new();
    let mut matching = false;
    while let Some(name) = names.next() {
        if name.is("tag") {
            let mut tag = Text::plain("refs/tags/");
            tag.append(names.next().cloned().unwrap_or_default());
            refs.push(refspec(&tag));
        } else if name.is(":") || name.is("+:") {
            matching = true;
        } else {
            refs.push(refspec(name));
        }
    }
    Push {
        remote,
        force: if options.has("force") || operands.iter().any(|name| name.is("+:")) {
            Forced::Yes
        } else if options.has("force-with-lease") {
            Forced::Lease
        } else {
            Forced::No
        },
        refs,
        delete: options.has("delete"),
        mirror: options.has("mirror"),
        prune: options.has("prune"),
        all: options.has("all") || options.has("branches") || matching,
        tags: options.has("tags"),
    }
}

fn is_harmful(push: &Push) -> bool {
    let refs = &push.refs;
    push.force != Forced::No
        || push.delete
        || push.mirror
        || push.prune
        || refs.iter().any(|one| one.force || one.from.is_none())
}

/// Reads `+from:to`.
pub(super) fn refspec(text: &Text) -> Refspec {
    let (bare, mut force) = match text.strip_prefix("+") {
        Some(bare) => (bare, true),
        None => (text.clone(), false),
    };
    let Some((from, to)) = split::at(&bare, ':') else {
        return Refspec {
            from: Some(bare),
            to: None,
            force,
        };
    };
    let to = match to.strip_prefix("+") {
        Some(bare) => {
            force = true;
            bare
        }
        None => to,
    };
    Refspec {
        from: Some(from).filter(|from| !from.is_empty()),
        to: Some(to),
        force,
    }
}

/// `git fetch`: `+main:main` puts a local branch elsewhere.
pub(super) fn fetch(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, FETCH);
    if options.help {
        return;
    }
    if let Some(command) = options.value("upload-pack") {
        git.script(command.clone(), Vec::new(), "git fetch --upload-pack");
    }
    let operands = &options.operands;
    external(git, operands);
    if options.has("dry-run") {
        return;
    }
    for name in operands.iter().skip(1) {
        let fetched = refspec(name);
        let Some(to) = fetched.to.filter(|_| fetched.force || options.has("force")) else {
            continue;
        };
        let branch = to.strip_prefix("refs/heads/").or_else(|| {
            let elsewhere = to.lead().starts_with("refs/");
            (!elsewhere && !to.is_empty()).then(|| to.clone())
        });
        if let Some(branch) = branch {
            git.act(GitAct::MoveBranch {
                branch,
                to: None,
                how: Moved::Forced,
            });
        }
    }
}

/// `ext::command` as a remote is a command.
pub(super) fn external(git: &mut Git<'_>, operands: &[Text]) {
    for operand in operands {
        if let Some(command) = operand.strip_prefix("ext::") {
            git.script(command, Vec::new(), "a remote of git");
        }
    }
}
