//! The rules: which effects are stopped.
//!
//! A rule is one file here and one `mod` line below. The file says how people name the rule (`ID`: the
//! name of the file with dashes), what it is about (`ABOUT`), how bad it would be (`SEVERITY`), what it
//! says by loss and in strict mode (`BY_LOSS`, `STRICT`), and judges (`judge`). `guard rules`, the docs
//! and the configuration derive from the list.

use bellwether_shell::Act;

use super::scene::Scene;
use super::verdict::{Severity, Verdict};

/// One rule, as its file describes it.
#[derive(Clone, Copy)]
pub struct Rule {
    /// How people name it: `delete-work`.
    pub id: &'static str,
    /// What it is about, in a few words.
    pub about: &'static str,
    /// How bad it would be.
    pub severity: Severity,
    /// What it says by loss, in a sentence.
    pub by_loss: &'static str,
    /// What it says in strict mode.
    pub strict: Verdict,
    judge: fn(&Act, &Scene<'_>) -> Option<Hit>,
}

/// What a rule says about an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The verdict, in the scene's mode.
    pub verdict: Verdict,
    /// Why, in one sentence for the agent: what would be hit, never the way around.
    pub reason: String,
    /// What would be lost, when that could be told.
    pub lost: Option<String>,
    /// What does the job safely.
    pub instead: Option<String>,
}

impl Rule {
    /// What it says about an act.
    pub fn judge(&self, act: &Act, scene: &Scene<'_>) -> Option<Hit> {
        (self.judge)(act, scene).filter(|hit| hit.verdict > Verdict::Silent)
    }
}

macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        /// Every rule, in the order in which they are asked.
        pub const ALL: &[Rule] = &[$(Rule {
            id: $name::ID,
            about: $name::ABOUT,
            severity: $name::SEVERITY,
            by_loss: $name::BY_LOSS,
            strict: $name::STRICT,
            judge: $name::judge,
        }),*];

        #[cfg(test)]
        const FILES: &[&str] = &[$(stringify!($name)),*];
    };
}

mod bomb;
mod delete;
mod delete_elsewhere;
mod delete_unknown;
pub(super) mod delete_work;
mod device;
mod download;
mod git_branch;
mod git_clean;
mod git_discard;
pub(super) mod git_history;
pub(super) mod git_push;
mod git_reset;
pub(super) mod git_skip_hooks;
mod git_stash;
pub(super) mod git_unknown;
mod git_worktree;
pub(super) mod inner_client;
mod move_away;
pub(super) mod own;
mod permission;
mod publish;
mod remote;
mod system;
pub(super) mod unseen;
mod wipe;

bellwether_listed::modules!(rules, "src/guard/rules/mod.rs");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_named_like_its_file() {
        for (rule, file) in ALL.iter().zip(FILES) {
            assert_eq!(rule.id, file.replace('_', "-"));
        }
    }
}
