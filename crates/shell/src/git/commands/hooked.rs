//! The commands that run the repository's hooks, and the ways to leave those out.

use super::push;
use crate::git::act::GitAct;
use crate::git::call::Git;
use crate::options::Options;
use crate::text::Text;

pub(in crate::git) const COMMIT: &str = "n|no-verify m|message= F|file= C|reuse-message= c|reedit-message= t|template= author= \
    date= fixup= squash= cleanup= trailer= pathspec-from-file= pathspec-file-nul S|gpg-sign? \
    u|untracked-files? a|all p|patch interactive e|edit amend s|signoff q|quiet v|verbose i|include \
    o|only dry-run short branch porcelain long z|null allow-empty allow-empty-message \
    reset-author status post-rewrite";
const MERGE: &str = "no-verify m|message= F|file= s|strategy= X|strategy-option= into-name= cleanup= \
    S|gpg-sign? log? n stat summary squash commit e|edit ff ff-only q|quiet v|verbose abort \
    quit continue signoff autostash progress rerere-autoupdate allow-unrelated-histories \
    verify-signatures";
const AM: &str = "n|no-verify s|signoff 3|3way k|keep b|keep-non-patch m|message-id p= C= directory= \
    exclude= include= patch-format= resolvemsg= S|gpg-sign? q|quiet r|resolved i|interactive \
    u|utf8 c|scissors continue skip abort quit reject whitespace=";
const REBASE: &str = "no-verify x|exec= onto= s|strategy= X|strategy-option= C= whitespace= empty= S|gpg-sign? \
    r|rebase-merges? i|interactive m|merge f|force-rebase n|no-stat q|quiet v|verbose \
    k|keep-empty abort continue skip quit root autosquash autostash update-refs keep-base \
    edit-todo fork-point show-current-patch ignore-whitespace signoff reapply-cherry-picks";
const PULL: &str = "no-verify r|rebase? s|strategy= X|strategy-option= upload-pack= depth= j|jobs= \
    S|gpg-sign? f|force ff ff-only commit squash q|quiet v|verbose dry-run autostash \
    a|append t|tags all p|prune k|keep o|server-option= stat n recurse-submodules? e|edit \
    log? cleanup=";
const PICK: &str = "m|mainline= s|signoff S|gpg-sign? n|no-commit e|edit x r strategy= X|strategy-option= \
    abort quit continue skip cleanup=";

pub(super) fn commit(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, COMMIT);
    if !options.has("dry-run") {
        skipped(git, "commit", &options);
    }
}

pub(super) fn merge(git: &mut Git<'_>, words: &[Text]) {
    skipped(git, "merge", &Options::read(words, MERGE));
}

pub(super) fn am(git: &mut Git<'_>, words: &[Text]) {
    skipped(git, "am", &Options::read(words, AM));
}

/// `git cherry-pick`, `git revert`.
pub(super) fn pick(git: &mut Git<'_>, words: &[Text]) {
    skipped(git, "cherry-pick", &Options::read(words, PICK));
}

/// `git rebase`: `--exec` runs a command after each commit.
pub(super) fn rebase(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, REBASE);
    if options.help {
        return;
    }
    skipped(git, "rebase", &options);
    for command in options.values("exec") {
        git.script(command.clone(), Vec::new(), "git rebase --exec");
    }
}

pub(super) fn pull(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, PULL);
    if options.help {
        return;
    }
    skipped(git, "pull", &options);
    if let Some(command) = options.value("upload-pack") {
        git.script(command.clone(), Vec::new(), "git pull --upload-pack");
    }
    push::external(git, &options.operands);
}

/// Tells when a command leaves the hooks out.
pub(super) fn skipped(git: &mut Git<'_>, command: &str, options: &Options) {
    if options.help {
        return;
    }
    if options.has("no-verify") {
        skip(git, format!("git {command} --no-verify"), false);
    }
    if let Some(variable) = switched_off(git.environment) {
        skip(git, format!("{variable} git {command}"), false);
    }
    let Some(folder) = git.config.get("core.hookspath").cloned() else {
        return;
    };
    let hooks = git.names(&folder).unwrap_or_default();
    if !hooks.iter().any(|name| HOOKS.contains(&name.as_str())) {
        skip(git, format!("core.hooksPath={}", folder.shown()), false);
    }
}

/// The hooks that check what is about to happen.
const HOOKS: &[&str] = &[
    "pre-commit",
    "commit-msg",
    "prepare-commit-msg",
    "pre-push",
    "pre-merge-commit",
    "pre-rebase",
    "applypatch-msg",
    "pre-applypatch",
];

/// The hooks are left out.
pub(super) fn skip(git: &mut Git<'_>, how: String, lasting: bool) {
    git.act(GitAct::SkipHooks { how, lasting });
}

/// The variable that switches a hook manager off.
fn switched_off(environment: &[(String, Text)]) -> Option<String> {
    environment.iter().find_map(|(name, value)| {
        let value = value.shown();
        let off = match name.as_str() {
            "HUSKY" | "LEFTHOOK" => ["0", "false"].contains(&value.as_str()),
            "HUSKY_SKIP_HOOKS" | "SKIP_GIT_HOOKS" => ["1", "true"].contains(&value.as_str()),
            "SKIP" => !value.is_empty(),
            _ => false,
        };
        off.then(|| format!("{name}={value}"))
    })
}
